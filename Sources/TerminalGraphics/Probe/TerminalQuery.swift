import System

/// A query to the terminal.
package enum TerminalQuery: String, CaseIterable, Hashable, Sendable {
  case name = "XTVERSION"
  case kitty = "kitty"
  case kittySharedMemory = "kitty, memory"
  case kittyTemporaryFile = "kitty, file"
  case cellSize = "cell size"
  case textArea = "text area"
  case largestSixel = "largest sixel"
  case colorRegisters = "sixel colors"
  case synchronizedOutput = "mode 2026"
  case background = "background"
  /// The sixteen colors that themes define, whose values are needed for pictures that match them.
  case palette = "palette"
  /// Sent after pictures later, if the terminal answers it here.
  case status = "DSR 5"
  /// Sent only if the terminal's screen stays.
  case cursorPlace = "DSR 6"
  /// Sent last: terminals answer in order, so this answer means that no other will follow.
  case attributes = "DA1"

  static let paletteSize = 16

  /// Numbers that identify kitty's answers.
  static let kittyNumbers: [TerminalQuery: Int] = [
    .kitty: 31, .kittySharedMemory: 32, .kittyTemporaryFile: 33,
  ]

  /// Returns the query's bytes.
  /// - Parameters:
  ///   - sharedMemory: name of an object with three bytes, one black pixel.
  ///   - temporaryFile: path of a file with the same content.
  /// - Returns: nil if it cannot be sent.
  func bytes(sharedMemory: String?, temporaryFile: String?) -> [UInt8]? {
    let text: String
    func asking(number: Int, _ place: KittyHandover) -> String {
      let name = String(decoding: Base64.encode(Array(place.name.utf8)), as: UTF8.self)
      return "\u{1B}_Gi=\(number),s=1,v=1,a=q,t=\(place.medium),S=3,f=24;\(name)\u{1B}\\"
    }
    switch self {
    case .name: text = "\u{1B}[>q"
    case .kitty: text = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    case .kittySharedMemory:
      guard let sharedMemory else { return nil }
      text = asking(number: 32, .sharedMemory(sharedMemory))
    case .kittyTemporaryFile:
      guard let temporaryFile else { return nil }
      text = asking(number: 33, .temporaryFile(temporaryFile))
    case .cellSize: text = "\u{1B}[16t"
    case .textArea: text = "\u{1B}[14t"
    case .largestSixel: text = "\u{1B}[?2;1;0S"
    case .colorRegisters: text = "\u{1B}[?1;1;0S"
    case .synchronizedOutput: text = "\u{1B}[?2026$p"
    case .background: text = "\u{1B}]11;?\u{1B}\\"
    // One query for each: some terminals answer only the first of several in one sequence.
    case .palette: text = (0..<Self.paletteSize).map { "\u{1B}]4;\($0);?\u{1B}\\" }.joined()
    case .status: return LinkSpeed.question
    case .cursorPlace: return CursorPlace.question
    case .attributes: text = "\u{1B}[c"
    }
    return Array(text.utf8)
  }

  /// Returns whether it can be sent without leaving a trace on the screen.
  ///
  /// A multiplexer takes kitty's commands for a title, and consoles have printed them.
  func isAskable(in environment: TerminalEnvironment) -> Bool {
    if environment.term == "dumb" { return false }
    let knowsStrings = environment.multiplexer == nil && environment.term != "linux"
    return switch self {
    // Older consoles print the numbers.
    case .palette: environment.term != "linux"
    case .kitty: knowsStrings
    case .kittySharedMemory, .kittyTemporaryFile: knowsStrings && !environment.isRemote
    default: true
    }
  }
}

extension [UInt8] {
  /// The bytes as shown in a report: ESC and other controls by name.
  var escapedControls: String {
    String(decoding: self, as: UTF8.self).unicodeScalars.map { scalar -> String in
      switch scalar.value {
      case 0x1B: "ESC "
      case 0x07: " BEL"
      default: ControlCharacters.contains(scalar) ? "<\(String(scalar.value, radix: 16))>" : String(scalar)
      }
    }.joined()
  }
}
