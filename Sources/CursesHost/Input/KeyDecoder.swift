import PickerRuntime
import PickerUI
import Pixels
import TerminalGraphics

/// Decodes keys from the terminal's bytes, which may be split anywhere.
///
/// Sequences: xterm's (ctlseqs), in normal and application cursor mode, with the mouse in SGR encoding (1006)
/// and bracketed paste (2004), changes of the focus (1004) and of the window in band (2048); keys by number, as reported by kitty's keyboard protocol and xterm's
/// modifyOtherKeys, whether requested or not. Answers to queries are never decoded as keys, however late they
/// arrive.
struct KeyDecoder {
  private var tokenizer = EscapeTokenizer()
  private var utf8: [UInt8] = []
  /// Text pasted so far; nil outside of a paste.
  private var pasted: [UInt8]?

  /// Upper bound of a paste in bytes; longer ones are truncated, because pastes are search terms.
  private static let longestPaste = 8192

  /// Whether the pending bytes are incomplete.
  var isPending: Bool { tokenizer.isPending }

  /// Whether a paste is in progress.
  var isPasting: Bool { pasted != nil }

  /// Whether the pending bytes are an answer, which may arrive in pieces over a slow link.
  var isAwaitingAnswer: Bool { tokenizer.isInsideString }

  /// Decodes bytes that arrived together.
  mutating func feed(_ bytes: some Collection<UInt8>) -> [TerminalEvent] {
    // A paste without its closing bracket must not keep the user from quitting.
    if isPasting, Self.isInterrupt(bytes) {
      pasted = nil
      tokenizer = EscapeTokenizer()
    }
    return bytes.flatMap { byte -> [TerminalEvent] in
      guard let token = tokenizer.feed(byte) else { return [] }
      return read(token)
    }
  }

  /// Returns whether the bytes are Ctrl-C and nothing else.
  private static func isInterrupt(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= longestInterrupt else { return false }
    var tokenizer = EscapeTokenizer()
    let tokens = bytes.compactMap { tokenizer.feed($0) }
    return tokens.count == 1 && tokens[0].bytes.count == bytes.count && KeyReport.interrupts(bytes)
  }

  /// Upper bound of the bytes of Ctrl-C when reported by number with all modifiers.
  private static let longestInterrupt = 32

  /// Handles a pause in the input: a lone escape character was the Escape key, a paste has lost its closing
  /// bracket, and any other fragment is dropped.
  mutating func timeOut() -> [TerminalEvent] {
    if let text = pasted {
      _ = tokenizer.flush()
      pasted = nil
      return [.paste(String(decoding: text, as: UTF8.self))]
    }
    let isEscape = tokenizer.isLoneEscape
    _ = tokenizer.flush()
    return isEscape ? [.key(.escape)] : []
  }

  private mutating func read(_ token: EscapeTokenizer.Token) -> [TerminalEvent] {
    if let paste = bracket(token) { return paste }
    if let answer = Self.answer(token) { return [answer] }
    switch token.kind {
    case .string: return [.answer(token.bytes)]
    case .csi(let sequence):
      let isAnswer =
        sequence.marker == "?" && "cSy".contains(sequence.final) || sequence.final == "t"
        || sequence.marker == ">" && sequence.final == "c"
      if isAnswer { return [.answer(token.bytes)] }
      if token.bytes.count == 3, sequence.final == "I" || sequence.final == "O" {
        return [.focus(sequence.final == "I")]
      }
      if sequence.marker == "<" { return Self.mouse(sequence).map { [.mouse($0)] } ?? [] }
      if let report = KeyReport(token) { return Self.key(report).map { [.key($0)] } ?? [] }
      if KeyReport.isRelease(token) { return [] }
      return Self.key(sequence).map { [.key($0)] } ?? []
    case .other:
      if token.bytes.count == 1 { return character(token.bytes[0]) }
      if token.bytes.count == 3, token.bytes[1] == UInt8(ascii: "O") {
        let final = Character(Unicode.Scalar(token.bytes[2]))
        return (Self.cursorKeys[final] ?? Self.keypadKeys[final]).map { [.key($0)] } ?? []
      }
      if token.bytes.count == 4, token.bytes.starts(with: "\u{1B}[[".utf8) {
        let number = Int(token.bytes[3]) - 0x40
        return (1...5).contains(number) ? [.key(.function(number))] : []
      }
      // Escape together with a character is Alt.
      if token.bytes.count == 2, (0x21...0x7E).contains(token.bytes[1]) {
        return [.key(.alt(Character(Unicode.Scalar(token.bytes[1]))))]
      }
      return []
    }
  }

  /// Decodes an answer to a query made while keys are read; nil for anything else.
  private static func answer(_ token: EscapeTokenizer.Token) -> TerminalEvent? {
    guard case .csi(let sequence) = token.kind else { return nil }
    if sequence.marker == "?", sequence.final == "n", sequence.parameters.first == 997 {
      return .colorSchemeChanged
    }
    guard sequence.marker == nil else { return nil }
    switch (sequence.final, sequence.parameters.count) {
    case ("t", 3) where sequence.parameters[0] == 6:
      return PixelSize(terminalAnswer: sequence.parameters[2], sequence.parameters[1])
        .map(TerminalEvent.cellSize)
    // Text area in cells and pixels, which a change of the font changes without SIGWINCH on some terminals.
    case ("t", 5) where sequence.parameters[0] == 48:
      let (rows, columns) = (sequence.parameters[1], sequence.parameters[2])
      guard rows > 0, columns > 0 else { return nil }
      let (height, width) = (sequence.parameters[3], sequence.parameters[4])
      // An area with a margin says nothing exact about a cell, which then is asked for.
      guard height % rows == 0, width % columns == 0 else { return .windowChanged }
      return PixelSize(terminalAnswer: width / columns, height / rows).map(TerminalEvent.cellSize)
        ?? .windowChanged
    case ("n", 1) where sequence.parameters[0] == 0: return .allDrawn
    case ("R", 2): return CursorPlace(answer: sequence.parameters).map(TerminalEvent.cursorPlace)
    default: return nil
    }
  }

  /// Collects a paste from its opening bracket to its closing one; nil for tokens outside of a paste.
  private mutating func bracket(_ token: EscapeTokenizer.Token) -> [TerminalEvent]? {
    if case .csi(let sequence) = token.kind, sequence.final == "~", sequence.marker == nil {
      switch sequence.parameters.first {
      case 200:
        pasted = []
        return []
      case 201:
        defer { pasted = nil }
        return pasted.map { [.paste(String(decoding: $0, as: UTF8.self))] } ?? []
      default: break
      }
    }
    guard let so = pasted else { return nil }
    // The owner waits for the answer, also during a paste.
    if let answer = Self.answer(token) { return [answer] }
    // Escape sequences inside a paste are dropped: they are text meant to control the terminal.
    if token.bytes.first != 0x1B, so.count < Self.longestPaste { pasted?.append(contentsOf: token.bytes) }
    return []
  }

  /// Decodes a mouse event in SGR encoding: button and modifiers, column, row; the final byte distinguishes
  /// press from release.
  ///
  /// Column and row count pixels while mode 1016 is on: `MouseEvent.inCells`.
  private static func mouse(_ sequence: EscapeTokenizer.ControlSequence) -> MouseEvent? {
    guard sequence.final == "M" || sequence.final == "m", sequence.intermediate == nil,
      sequence.parameters.count == 3
    else { return nil }
    let code = sequence.parameters[0]
    let (button, isMoved, isWheel) = (code & 3, code & 32 != 0, code & 64 != 0)
    // kitty reports that the mouse leaves the window (its "Miscellaneous protocol extensions").
    let hasLeft = code & 256 != 0
    // The buttons beyond the wheel, such as that for going back.
    let isOther = code & 128 != 0
    let action: MouseEvent.Action
    switch (isWheel, isMoved, button) {
    case _ where isOther: return nil
    case (_, true, _) where hasLeft: action = .leave
    case _ where hasLeft: return nil
    case (true, false, 0): action = .wheelUp
    case (true, false, 1): action = .wheelDown
    case (false, true, 0): action = .drag
    case (false, true, 3): action = .motion
    case (false, false, 0): action = sequence.final == "M" ? .press : .release
    case (false, false, 2) where sequence.final == "M": action = .rightPress
    default: return nil
    }
    return MouseEvent(
      action, row: sequence.parameters[2] - 1, column: sequence.parameters[1] - 1,
      isControl: code & 16 != 0)
  }

  private static let cursorKeys: [Character: Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "M": .enter,
  ]

  private static let keypadKeys: [Character: Key] = [
    "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
  ]

  private static let numberedKeys: [Int: Key] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .function(1),
    12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
    18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11),
    24: .function(12),
  ]

  private static func key(_ sequence: EscapeTokenizer.ControlSequence) -> Key? {
    guard sequence.marker == nil, sequence.intermediate == nil else { return nil }
    return switch sequence.final {
    case "Z": .backTab
    case "~": numberedKeys[sequence.parameters.first ?? 0]
    // "R" is the cursor position report.
    case "P", "Q", "S": keypadKeys[sequence.final]
    default: cursorKeys[sequence.final]
    }
  }

  /// kitty's numbers for the keys of the number pad (its keyboard protocol, "Functional key definitions").
  private static let numberPadKeys: [Int: Key] = {
    var keys: [Int: Key] = [
      57414: .enter, 57417: .left, 57418: .right, 57419: .up, 57420: .down, 57421: .pageUp, 57422: .pageDown,
      57423: .home, 57424: .end, 57426: .delete,
    ]
    for (offset, character) in "0123456789./*-+".enumerated() { keys[57399 + offset] = .character(character) }
    (keys[57415], keys[57416]) = (.character("="), .character(","))
    return keys
  }()

  /// Returns the key for a report by number: the same key as without the protocol.
  private static func key(_ report: KeyReport) -> Key? {
    let modifiers = report.modifiers
    // Keys with Super belong to the desktop or the terminal.
    if report.isRelease || !modifiers.isDisjoint(with: .others) { return nil }
    if let key = numberPadKeys[report.code] { return key }
    let isPlain = modifiers.isDisjoint(with: [.alt, .control])
    if isPlain, let character = report.text.first, report.text.count == 1 {
      return character == " " ? .space : .character(character)
    }
    switch report.code {
    case 0x08, 0x09, 0x0D, 0x1B, 0x7F:
      // Alt with Backspace, Tab, Enter or Escape is ignored, as it is when Alt is sent as an escape
      // character.
      if modifiers.contains(.alt) { return nil }
      return report.code == 0x09 && modifiers.contains(.shift) ? .backTab : ascii(UInt8(report.code))
    case 0x20: return modifiers.contains(.alt) ? nil : modifiers.contains(.control) ? .control(" ") : .space
    default: break
    }
    // Kitty's other numbers are in a private use area and have no characters.
    guard (0x21..<EscapeTokenizer.largestNumber).contains(report.code),
      !(0x7F...0x9F).contains(report.code), !(57_344...63_743).contains(report.code),
      let scalar = UInt32(exactly: report.code).flatMap(Unicode.Scalar.init)
    else { return nil }
    var character = Character(scalar)
    if modifiers.contains(.control) {
      // The control code that the same keys send without the protocol: Ctrl-M is Enter.
      guard scalar.isASCII, !modifiers.contains(.alt) else { return nil }
      let code = UInt8(truncatingIfNeeded: scalar.value) & 0x1F
      return (0x40...0x5F).contains(scalar.value) || (0x61...0x7A).contains(scalar.value) ? ascii(code) : nil
    }
    if modifiers.contains(.shift) {
      let shifted = report.shifted.flatMap { UInt32(exactly: $0) }.flatMap(Unicode.Scalar.init)
      character = shifted.map { Character($0) } ?? upperCased(character)
    } else if modifiers.contains(.capsLock) {
      character = upperCased(character)
    }
    guard modifiers.contains(.alt) else { return .character(character) }
    return character.isASCII ? .alt(character) : nil
  }

  private static func upperCased(_ character: Character) -> Character {
    let text = character.uppercased()
    return text.count == 1 ? text.first ?? character : character
  }

  private mutating func character(_ byte: UInt8) -> [TerminalEvent] {
    if byte < 0x80 {
      utf8 = []
      return Self.ascii(byte).map { [.key($0)] } ?? []
    }
    utf8.append(byte)
    if let text = String(validating: utf8, as: UTF8.self), let character = text.first {
      utf8 = []
      return [.key(.character(character))]
    }
    if utf8.count >= 4 { utf8 = [] }
    return []
  }

  private static func ascii(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x0D, 0x0A: .enter
    case 0x09: .tab
    // An escape that is not alone: followed by another one, or by an answer.
    case 0x1B: .escape
    case 0x20: .space
    case 0x00: .control(" ")
    case 0x7F, 0x08: .backspace
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x21...0x7E: .character(Character(Unicode.Scalar(byte)))
    default: nil
    }
  }
}
