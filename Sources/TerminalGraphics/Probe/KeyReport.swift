/// A key that a terminal reports by number: kitty's keyboard protocol (`CSI 97;5u`) and xterm's modifyOtherKeys
/// (`CSI 27;5;97~`).
///
/// A terminal does so if a program has requested it, which may be an earlier one that did not turn it off.
package struct KeyReport: Hashable, Sendable {
  /// Modifiers, including Caps Lock.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
    /// Super, Hyper and Meta: keys with them are meant for other programs.
    package static let others = Modifiers(rawValue: 8 | 16 | 32)
    package static let capsLock = Modifiers(rawValue: 64)
  }

  /// The key without modifiers: its code point, or kitty's number for a key without one.
  package var code: Int
  /// The code point with Shift, if reported.
  package var shifted: Int?
  package var modifiers: Modifiers
  /// Whether the key was released.
  package var isRelease = false
  /// The text that the key types, if reported.
  package var text = ""

  /// - Returns: nil unless the token reports a key by number.
  package init?(_ token: EscapeTokenizer.Token) {
    guard case .csi(let sequence) = token.kind, sequence.marker == nil, sequence.intermediate == nil else {
      return nil
    }
    let fields = Self.fields(of: token)
    switch sequence.final {
    case "u":
      guard let first = fields.first, let code = first.first else { return nil }
      self.code = code
      shifted = first.count > 1 && first[1] > 0 ? first[1] : nil
      (modifiers, isRelease) = Self.modifiers(fields.dropFirst().first)
      text = String(
        String.UnicodeScalarView((fields.count > 2 ? fields[2] : []).compactMap(Self.printable)))
    case "~":
      guard fields.count == 3, fields[0].first == 27, let code = fields[2].first else { return nil }
      self.code = code
      (modifiers, isRelease) = Self.modifiers(fields[1])
    default: return nil
    }
  }

  /// Returns whether a key with a sequence of its own was released: kitty reports it after the modifiers (`CSI
  /// 1;1:3A`).
  package static func isRelease(_ token: EscapeTokenizer.Token) -> Bool {
    guard case .csi(let sequence) = token.kind, sequence.marker == nil, sequence.parameters.count > 1 else {
      return false
    }
    return modifiers(fields(of: token).dropFirst().first).isRelease
  }

  /// Whether it is Ctrl-C.
  package var isInterrupt: Bool {
    guard !isRelease, modifiers.contains(.control), modifiers.isDisjoint(with: [.alt, .others]) else {
      return false
    }
    return code == 0x63 || code == 0x43
  }

  /// Returns whether the bytes contain Ctrl-C in either form.
  package static func interrupts(_ bytes: some Sequence<UInt8>) -> Bool {
    var tokenizer = EscapeTokenizer()
    return bytes.contains { byte in
      guard let token = tokenizer.feed(byte) else { return false }
      return token.bytes == [0x03] || KeyReport(token)?.isInterrupt ?? false
    }
  }

  /// Decodes one plus the sum of the modifiers, and the event: 1 pressed, 2 repeated, 3 released.
  private static func modifiers(_ field: [Int]?) -> (Modifiers, isRelease: Bool) {
    let (sum, event) = (field?.first ?? 0, field?.dropFirst().first ?? 0)
    return (Modifiers(rawValue: max(0, sum - 1) & 0xFF), event == 3)
  }

  private static func printable(_ code: Int) -> Unicode.Scalar? {
    guard code >= 0x20, !(0x7F...0x9F).contains(code) else { return nil }
    return UInt32(exactly: code).flatMap(Unicode.Scalar.init)
  }

  /// Returns the numbers of each parameter, which colons separate; a missing one is 0.
  private static func fields(of token: EscapeTokenizer.Token) -> [[Int]] {
    token.bytes.dropFirst(2).dropLast().split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { field in
        field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
          .map(EscapeTokenizer.number)
      }
  }
}
