import System

/// A query to the terminal, in the order in which they are sent.
///
/// Not every terminal swallows a query that it does not understand: some print it, some scroll (Decision 50). So
/// only those that are harmless everywhere are sent to an unknown terminal; the others follow once its answers show
/// that it understands them.
package enum TerminalQuery: String, CaseIterable, Hashable, Sendable {
  case name = "XTVERSION"
  case secondaryAttributes = "DA2"
  /// urxvt, QTerminal and the terminal of Neovim print it.
  case kitty = "kitty"
  case kittySharedMemory = "kitty, memory"
  case kittyTemporaryFile = "kitty, file"
  case cellSize = "cell size"
  case textArea = "text area"
  /// st scrolls three lines for each of the two.
  case largestSixel = "largest sixel"
  case colorRegisters = "sixel colors"
  /// QTerminal prints its last letter.
  case synchronizedOutput = "mode 2026"
  /// Whether the terminal reports changes of its colors to dark or light.
  case colorSchemeReports = "mode 2031"
  /// Whether the terminal reports the mouse in pixels.
  case pixelMouse = "mode 1016"
  /// Sets a 24-bit background and requests the current one (DECRQSS). QTerminal prints it.
  case trueColor = "24-bit color"
  case background = "background"
  /// The sixteen colors that themes define, whose values are needed for pictures that match them.
  case palette = "palette"
  /// Sent after pictures later, if the terminal answers it here.
  case status = "DSR 5"
  /// Sent if the terminal's screen stays, and around queries that it may print.
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
    case .secondaryAttributes: text = "\u{1B}[>c"
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
    case .colorSchemeReports: text = "\u{1B}[?2031$p"
    case .pixelMouse: text = "\u{1B}[?1016$p"
    // A terminal without 24-bit colors may have taken the numbers for bold and other attributes.
    case .trueColor: text = "\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[0m"
    // Terminals end the answer like the query, but urxvt sends only the first byte of ST.
    case .background: text = "\u{1B}]11;?\u{7}"
    // One query for each: some terminals answer only the first of several in one sequence.
    case .palette: text = (0..<Self.paletteSize).map { "\u{1B}]4;\($0);?\u{7}" }.joined()
    case .status: return LinkSpeed.question
    case .cursorPlace: return CursorPlace.question
    case .attributes: text = "\u{1B}[c"
    }
    return Array(text.utf8)
  }

  /// Whether no terminal prints it.
  private var isHarmless: Bool {
    switch self {
    case .kitty, .kittySharedMemory, .kittyTemporaryFile, .largestSixel, .colorRegisters, .synchronizedOutput,
      .colorSchemeReports, .pixelMouse, .trueColor:
      false
    case .name, .secondaryAttributes, .cellSize, .textArea, .background, .palette, .status, .cursorPlace,
      .attributes:
      true
    }
  }

  /// Returns whether it can be sent to an unknown terminal without leaving a trace on the screen, or to one whose
  /// TERM says that it understands it.
  func isAskableFirst(in environment: TerminalEnvironment) -> Bool {
    if environment.term == "dumb" { return false }
    // Older consoles print the numbers.
    if self == .palette { return environment.term != "linux" }
    if isHarmless { return true }
    guard let type = environment.terminalType else { return false }
    return switch self {
    // tmux takes it for a title, also with another terminal's TERM.
    case .kitty: type.graphics.contains(.kitty) && environment.multiplexer == nil
    case .kittySharedMemory, .kittyTemporaryFile:
      type.graphics.contains(.kitty) && environment.multiplexer == nil && !environment.isRemote
    case .largestSixel, .colorRegisters: type.graphics.contains(.sixel)
    case .trueColor: environment.multiplexer == nil && !environment.hasTrueColor
    default: true
    }
  }

  /// Returns whether it is worth sending to a terminal with these answers, and harmless.
  func isAskable(of capabilities: TerminalCapabilities, in environment: TerminalEnvironment) -> Bool {
    if environment.term == "dumb" || isHarmless { return false }
    switch self {
    case .kitty: return capabilities.mayHaveKitty(in: environment)
    case .kittySharedMemory, .kittyTemporaryFile:
      return capabilities.mayHaveKitty(in: environment) && capabilities.name != nil && !environment.isRemote
    case .largestSixel, .colorRegisters: return capabilities.hasSixel
    case .trueColor:
      return capabilities.parsesRequests && environment.multiplexer == nil && !environment.hasTrueColor
    default: return capabilities.parsesRequests
    }
  }
}

extension TerminalCapabilities {
  /// Whether the terminal is known to parse requests that others print (DECRQM, DECRQSS): by its name, because it
  /// claims to be a VT220 or newer, or because its DA2 has Alacritty's and Windows Terminal's form.
  fileprivate var parsesRequests: Bool {
    if quirks.colors == .described { return false }
    return name != nil || (conformance ?? 0) >= 61
      || secondaryAttributes.count == 3 && secondaryAttributes[2] == 1
  }

  /// Whether the terminal may draw kitty's pictures.
  ///
  /// All that are known to do so report a name, except for variants of st, which swallows the query.
  fileprivate func mayHaveKitty(in environment: TerminalEnvironment) -> Bool {
    if environment.multiplexer != nil || environment.term == "linux" { return false }
    if name != nil { return quirks.preference.contains(.kitty) && !quirks.unusable.contains(.kitty) }
    return environment.term == "st" || environment.term.hasPrefix("st-") || environment.hintsAtKitty
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
