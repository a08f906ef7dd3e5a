import AssetLibrary
import Synchronization

/// Texts that many assets share (cameras, lenses, keywords), each kept once and known by a number.
///
/// Number 0 is the empty text. Numbers mean something within one run only.
final class StringPool: Sendable {
  /// The numbered texts as they were at one moment.
  struct Texts: Sendable {
    fileprivate(set) var texts: [String] = [""]
    /// The same, folded for searching.
    fileprivate(set) var folded: [[UInt8]] = [[]]

    subscript(number: UInt32) -> String { texts[Int(number)] }
    var count: Int { texts.count }

    /// The number of a text, if it is among them.
    func number(of text: String) -> UInt32? { texts.firstIndex(of: text).map(UInt32.init) }
  }

  private struct Contents {
    var texts = Texts()
    var numbers: [String: UInt32] = ["": 0]
  }

  private let contents = Mutex(Contents())

  /// The number of a text.
  func number(of text: String) -> UInt32 {
    if text.isEmpty { return 0 }
    return contents.withLock { contents in
      if let known = contents.numbers[text] { return known }
      let number = UInt32(contents.texts.count)
      contents.texts.texts.append(text)
      contents.texts.folded.append(TextPattern.fold(text))
      contents.numbers[text] = number
      return number
    }
  }

  /// The number of a list of texts, kept as one.
  func number(of list: [String]) -> UInt32 {
    list.isEmpty ? 0 : number(of: list.joined(separator: Self.separator))
  }

  /// All texts so far; shares memory until more are added.
  var texts: Texts { contents.withLock { $0.texts } }

  subscript(number: UInt32) -> String { contents.withLock { $0.texts[number] } }

  /// What stands between the texts of a list: ASCII's unit separator, which no keyword holds.
  static let separator = "\u{1F}"
}

extension StringPool {
  /// The texts of a list.
  func list(_ number: UInt32) -> [String] {
    self[number].split(separator: Self.separator).map(String.init)
  }
}
