import AssetLibrary
import System
import SystemPackage

/// The note beside a file in the trash that says where it was, and when it went: `NAME.trashinfo`.
struct TrashNote: Hashable, Sendable {
  /// Where the file was, as bytes: absolute, or from the folder that the trash lies in.
  var path: [UInt8]
  /// When it went, local time as the specification writes it, `2026-11-26T15:10:00`; nil where nothing of the kind is told.
  var deleted: String?

  /// What the name of a note ends with.
  static let suffix = Array(".trashinfo".utf8)
  /// The longest note that is read: a path of 4096 bytes takes three times as many.
  static let longest = 1 << 16

  /// The bytes of the note.
  var bytes: [UInt8] {
    let path = PercentEncoding.encoded(path, keeping: "/-_.~".utf8)
    return Array("[Trash Info]\nPath=\(path)\nDeletionDate=\(deleted ?? Self.moment())\n".utf8)
  }

  init(path: [UInt8], deleted: String) { (self.path, self.deleted) = (path, deleted) }

  /// Reads a note; nil where it names no path that could be one.
  ///
  /// The first line of each kind counts, as the specification has it.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.last == 0x0D ? $0.dropLast() : $0 }
    guard lines.first.map({ $0.elementsEqual("[Trash Info]".utf8) }) ?? false else { return nil }
    func value(of key: String) -> ArraySlice<UInt8>? {
      lines.first { $0.starts(with: "\(key)=".utf8) }?.dropFirst(key.utf8.count + 1)
    }
    guard let text = value(of: "Path"), let path = PercentEncoding.decoded(text), !path.isEmpty,
      !path.contains(0)
    else { return nil }
    let names = path.split(separator: UInt8(ascii: "/"))
    guard let last = names.last, !last.elementsEqual(".".utf8),
      !names.contains(where: { $0.elementsEqual("..".utf8) })
    else { return nil }
    self.path = path
    deleted = value(of: "DeletionDate").flatMap(Self.moment)
  }

  /// A moment of a note; nil where the text is none.
  private static func moment(_ text: ArraySlice<UInt8>) -> String? {
    let form = Array("0000-00-00T00:00:00".utf8)
    // Some write a zone or parts of a second behind it.
    let text = Array(text.prefix(form.count))
    guard text.count == form.count else { return nil }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    for (byte, wanted) in zip(text, form) {
      guard wanted == UInt8(ascii: "0") ? digits.contains(byte) : byte == wanted else { return nil }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Now, local time.
  static func moment() -> String {
    var (now, parts) = (time(nil), tm())
    localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
