/// A key as a terminal reports it by number: kitty's keyboard protocol (`CSI 97;5u`) and xterm's modifyOtherKeys
/// (`CSI 27;5;97~`).
///
/// A terminal does so where a program has asked for it, which may be one that ran before and did not take it back.
package struct KeyReport: Hashable, Sendable {
  /// The modifiers that count; the locks of Caps and Num among them.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
    /// Super, Hyper and Meta: a key with them is meant for somebody else.
    package static let others = Modifiers(rawValue: 8 | 16 | 32)
    package static let capsLock = Modifiers(rawValue: 64)
  }

  /// The key without modifiers, by its code point or kitty's number for one that has none.
  package var code: Int
  /// The code point with Shift, where that was told.
  package var shifted: Int?
  package var modifiers: Modifiers
  /// Whether the key was let go.
  package var isRelease = false
  /// What the key types, where that was told.
  package var text = ""

  /// - Returns: nil for what reports no key by number.
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

  /// Whether a key that has a sequence of its own was let go: kitty tells it behind the modifiers (`CSI 1;1:3A`).
  package static func isRelease(_ token: EscapeTokenizer.Token) -> Bool {
    guard case .csi(let sequence) = token.kind, sequence.marker == nil, sequence.parameters.count > 1 else {
      return false
    }
    return modifiers(fields(of: token).dropFirst().first).isRelease
  }

  /// Whether it is Ctrl-C, which ends a program.
  package var isInterrupt: Bool {
    guard !isRelease, modifiers.contains(.control), modifiers.isDisjoint(with: [.alt, .others]) else {
      return false
    }
    return code == 0x63 || code == 0x43
  }

  /// Whether Ctrl-C is among some bytes, in either form.
  package static func interrupts(_ bytes: some Sequence<UInt8>) -> Bool {
    var tokenizer = EscapeTokenizer()
    return bytes.contains { byte in
      guard let token = tokenizer.feed(byte) else { return false }
      return token.bytes == [0x03] || KeyReport(token)?.isInterrupt ?? false
    }
  }

  /// 1 and the sum of the modifiers, and which event it is: 1 pressed, 2 repeated, 3 let go.
  private static func modifiers(_ field: [Int]?) -> (Modifiers, isRelease: Bool) {
    let (sum, event) = (field?.first ?? 0, field?.dropFirst().first ?? 0)
    return (Modifiers(rawValue: max(0, sum - 1) & 0xFF), event == 3)
  }

  private static func printable(_ code: Int) -> Unicode.Scalar? {
    guard code >= 0x20, !(0x7F...0x9F).contains(code) else { return nil }
    return UInt32(exactly: code).flatMap(Unicode.Scalar.init)
  }

  /// The numbers of each parameter, which colons separate; one that is missing is 0.
  private static func fields(of token: EscapeTokenizer.Token) -> [[Int]] {
    token.bytes.dropFirst(2).dropLast().split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { field in
        field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
          .map(EscapeTokenizer.number)
      }
  }
}
