/// Splits a terminal's bytes into escape sequences and everything else, byte by byte.
///
/// Grammar: ECMA-48 sections 5.4 (control sequences) and 5.6 (control strings), 7-bit forms only.
package struct EscapeTokenizer: Sendable {
  /// A parsed CSI sequence.
  package struct ControlSequence: Hashable, Sendable {
    /// The private marker (`?`, `>`, `<`, `=`) before the parameters.
    package var marker: Character?
    /// The numbers, limited to `largestNumber`; an empty or invalid one counts as 0.
    package var parameters: [Int]
    package var intermediate: Character?
    package var final: Character
  }

  /// The kind of a token.
  package enum Kind: Hashable, Sendable {
    case csi(ControlSequence)
    /// DCS, OSC, APC, PM or SOS with their introducing character and payload.
    case string(introducer: Character, payload: String)
    /// Anything else: one byte, or ESC and the byte after it.
    case other
  }

  /// A token with its bytes.
  package struct Token: Hashable, Sendable {
    package var kind: Kind
    package var bytes: [UInt8]
  }

  private enum State {
    case ground, escape, csi, string, stringEscape, singleShift
  }

  /// Upper bound of numbers in a control sequence; larger ones count as this.
  ///
  /// It is the last code point of Unicode, which a key report may contain; sizes and positions are far smaller.
  package static let largestNumber = 0x10FFFF

  /// Upper bound of strings: longer ones are not answers to tpick's queries, and are skipped up to their end.
  private static let longest = 65536

  private var state = State.ground
  private var bytes: [UInt8] = []

  package init() {}

  /// Whether a sequence is incomplete.
  package var isPending: Bool { state != .ground }

  /// The bytes of an incomplete sequence.
  package var pending: [UInt8] { bytes }

  /// Whether a lone escape character is pending: the Escape key, if nothing follows soon.
  package var isLoneEscape: Bool { state == .escape }

  /// Whether a string is incomplete and has more than its introducer: no key starts like this.
  package var isInsideString: Bool { (state == .string && bytes.count > 2) || state == .stringEscape }

  /// Ends an incomplete sequence and returns its bytes as a token.
  package mutating func flush() -> Token? {
    guard !bytes.isEmpty else { return nil }
    return finish(.other)
  }

  /// Consumes one byte and returns the token that it completes.
  package mutating func feed(_ byte: UInt8) -> Token? {
    // CAN and SUB abort any sequence (ECMA-48, 8.3.6).
    if state != .ground, byte == 0x18 || byte == 0x1A {
      state = .ground
      bytes = []
      return nil
    }
    if bytes.count < Self.longest { bytes.append(byte) }
    switch state {
    case .ground:
      if byte == 0x1B {
        state = .escape
        return nil
      }
      return finish(.other)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .csi
      case UInt8(ascii: "O"): state = .singleShift
      case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
        state = .string
      case 0x1B:  // two escapes: the first was a key
        bytes.removeLast()
        let token = finish(.other)
        bytes = [0x1B]
        state = .escape
        return token
      default: return finish(.other)
      }
      return nil
    case .singleShift:
      return byte == 0x1B && bytes.count == 4 ? startAnew() : finish(.other)
    case .csi:
      if byte == 0x1B { return startAnew() }
      // Function keys of the Linux console have a second bracket, followed by one letter.
      if byte == UInt8(ascii: "["), bytes.count == 3 {
        state = .singleShift
        return nil
      }
      guard (0x40...0x7E).contains(byte) else { return nil }
      return finish(controlSequence.map(Kind.csi) ?? .other)
    case .string:
      if byte == 0x1B { state = .stringEscape }
      return byte == 0x07 ? finish(string(terminatorLength: 1)) : nil
    case .stringEscape:
      if byte == UInt8(ascii: "\\") { return finish(string(terminatorLength: 2)) }
      if byte == 0x1B { return nil }
      _ = startAnew()
      return feed(byte)
    }
  }

  /// Starts a new sequence: an escape character inside a sequence discards it (ECMA-48, 8.3.48: no sequence
  /// contains ESC).
  private mutating func startAnew() -> Token? {
    bytes = [0x1B]
    state = .escape
    return nil
  }

  private mutating func finish(_ kind: Kind) -> Token {
    defer {
      bytes = []
      state = .ground
    }
    return Token(kind: kind, bytes: bytes)
  }

  private func string(terminatorLength: Int) -> Kind {
    let payload = bytes.dropFirst(2).dropLast(terminatorLength)
    return .string(
      introducer: Character(Unicode.Scalar(bytes[1])), payload: String(decoding: payload, as: UTF8.self))
  }

  private var controlSequence: ControlSequence? {
    guard let final = bytes.last else { return nil }
    var body = bytes.dropFirst(2).dropLast()
    var marker: Character?
    if let first = body.first, (0x3C...0x3F).contains(first) {
      marker = Character(Unicode.Scalar(first))
      body = body.dropFirst()
    }
    var intermediate: Character?
    if let last = body.last, (0x20...0x2F).contains(last) {
      intermediate = Character(Unicode.Scalar(last))
      body = body.dropLast()
    }
    let numbers = body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { digits in
      Self.number(digits.prefix { $0 != UInt8(ascii: ":") })
    }
    return ControlSequence(
      marker: marker, parameters: body.isEmpty ? [] : numbers, intermediate: intermediate,
      final: Character(Unicode.Scalar(final)))
  }

  /// Returns the number for some digits; 0 if there is anything else, including a sign.
  static func number(_ digits: some Sequence<UInt8>) -> Int {
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return 0 }
      number = min(largestNumber, number * 10 + Int(digit - 0x30))
    }
    return number
  }
}
