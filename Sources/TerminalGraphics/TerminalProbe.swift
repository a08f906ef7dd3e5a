public import Pixels

/// The questions put to a terminal before the screen is set up, and the reading of its answers.
///
/// A value fed with bytes as they come, cut anywhere. The device attributes are asked last: terminals
/// answer in order, so that answer means that everything else that will come has come.
public struct TerminalProbe: Sendable {
  /// All questions, for one write.
  public static let questions: [UInt8] = Array(
    ("\u{1B}[>q"  // XTVERSION: name
      + "\u{1B}[16t"  // size of a cell in pixels
      + "\u{1B}[14t"  // size of the text area in pixels
      + "\u{1B}[?2;1;0S"  // XTSMGRAPHICS: largest sixel
      + "\u{1B}[?1;1;0S"  // XTSMGRAPHICS: colour registers
      + "\u{1B}[?2026$p"  // DECRQM: synchronized output
      + "\u{1B}]11;?\u{1B}\\"  // background colour
      + "\u{1B}[c").utf8)  // DA1: last

  /// The question for the size of a cell alone, asked again after a change of the window's size.
  public static let cellSizeQuestion: [UInt8] = Array("\u{1B}[16t".utf8)

  public private(set) var capabilities = TerminalCapabilities()
  /// The size of the text area in pixels.
  public private(set) var textArea: PixelSize?
  /// Whether the last question was answered.
  public private(set) var isComplete = false
  private var tokenizer = EscapeTokenizer()

  public init() {}

  /// Takes the next bytes from the terminal.
  /// - Returns: what was no answer, in order: keys that the user pressed meanwhile.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var rest: [UInt8] = []
    for byte in bytes {
      guard let token = tokenizer.feed(byte) else { continue }
      if !take(token) { rest.append(contentsOf: token.bytes) }
    }
    return rest
  }

  private mutating func take(_ token: EscapeTokenizer.Token) -> Bool {
    switch token.kind {
    case .csi(let sequence): take(csi: sequence)
    case .string(let introducer, let payload): take(string: payload, introducer: introducer)
    case .other: false
    }
  }

  private mutating func take(csi: EscapeTokenizer.ControlSequence) -> Bool {
    let numbers = csi.parameters
    switch (csi.marker, csi.intermediate, csi.final) {
    case ("?", nil, "c"):
      capabilities.hasSixel = numbers.contains(4)
      isComplete = true
    case (nil, nil, "t") where numbers.count == 3 && numbers[0] == 6:
      let cell = PixelSize(width: numbers[2], height: numbers[1])
      if cell.isPlausible(for: CellSize(columns: 1, rows: 1)) { capabilities.cellSize = cell }
    case (nil, nil, "t") where numbers.count == 3 && numbers[0] == 4:
      textArea = PixelSize(width: numbers[2], height: numbers[1])
    case ("?", nil, "S"):
      if numbers.count == 4, numbers[0] == 2, numbers[1] == 0 {
        capabilities.largestSixel = PixelSize(width: numbers[2], height: numbers[3])
      } else if numbers.count == 3, numbers[0] == 1, numbers[1] == 0 {
        capabilities.colorRegisters = numbers[2]
      }
    case ("?", "$", "y"):
      // 1 set, 2 reset, 3 always set; 0 unknown, 4 never.
      if numbers.count == 2, numbers[0] == 2026 {
        capabilities.hasSynchronizedOutput = (1...3).contains(numbers[1])
      }
    default:
      return false
    }
    return true
  }

  private mutating func take(string payload: String, introducer: Character) -> Bool {
    switch introducer {
    case "P" where payload.hasPrefix(">|"):
      capabilities.name = String(payload.dropFirst(2))
    case "]" where payload.hasPrefix("11;"):
      capabilities.background = Color(terminalAnswer: payload.dropFirst(3))
    case "P", "]", "_", "^", "X":
      break  // an answer to somebody's question, if not to ours: never a key
    default:
      return false
    }
    return true
  }
}

extension Color {
  /// Reads "rgb:1e1e/1e1e/1e1e", one to four hexadecimal digits a channel (XParseColor).
  init?(terminalAnswer text: some StringProtocol) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, parts[0].hasPrefix("rgb") else { return nil }
    let channels = parts[1].split(separator: "/").prefix(3).compactMap { digits -> UInt8? in
      guard (1...4).contains(digits.count), let value = Int(digits, radix: 16) else { return nil }
      return UInt8(value * 255 / ((1 << (4 * digits.count)) - 1))
    }
    guard channels.count == 3 else { return nil }
    self.init(red: channels[0], green: channels[1], blue: channels[2])
  }
}
