package import Pixels

/// The questions put to a terminal before the screen is set up, and the reading of its answers.
///
/// A value fed with bytes as they come, cut anywhere. The device attributes are asked last: terminals
/// answer in order, so that answer means that everything else that will come has come.
package struct TerminalProbe: Sendable {
  /// The question for the size of a cell alone, asked again after a change of the window's size.
  package static let cellSizeQuestion: [UInt8] = Array("\u{1B}[16t".utf8)

  /// How a terminal answers it.
  package static func cellSizeAnswer(_ size: PixelSize) -> [UInt8] {
    Array("\u{1B}[6;\(size.height);\(size.width)t".utf8)
  }

  /// What is asked, in this order.
  package let queries: [TerminalQuery]
  /// All questions, for one write.
  package let questions: [UInt8]
  package private(set) var capabilities = TerminalCapabilities()
  /// The size of the text area in pixels.
  package private(set) var textArea: PixelSize?
  /// Where the cursor is, where that was asked.
  package private(set) var cursorPlace: CursorPlace?
  /// How long the last answer took; set by whoever asked.
  package var roundTrip: Duration?
  /// Whether the last question was answered.
  package private(set) var isComplete = false
  /// The answers as they came, for reports.
  package private(set) var answers: [TerminalQuery: [UInt8]] = [:]
  private let environment: TerminalEnvironment
  private var tokenizer = EscapeTokenizer()

  /// - Parameters:
  ///   - environment: decides what is asked.
  ///   - sharedMemory: the name of a shared memory object of three bytes for the terminal to find; without
  ///     one it is not asked for that.
  ///   - temporaryFile: the path of a file of three bytes, likewise.
  ///   - asksCursorPlace: whether it is asked where the cursor is.
  package init(
    environment: TerminalEnvironment = TerminalEnvironment(), sharedMemory: String? = nil,
    temporaryFile: String? = nil, asksCursorPlace: Bool = false
  ) {
    self.environment = environment
    let asked = TerminalQuery.allCases
      .filter { $0.isAskable(in: environment) && ($0 != .cursorPlace || asksCursorPlace) }
      .compactMap { query in
        query.bytes(sharedMemory: sharedMemory, temporaryFile: temporaryFile).map { (query, $0) }
      }
    queries = asked.map(\.0)
    questions = asked.flatMap(\.1)
    isComplete = asked.isEmpty
    capabilities.quirks = TerminalQuirks(of: nil, in: environment)
  }

  /// Whether the terminal says when it has drawn everything, if it is asked (`LinkSpeed.question`).
  package var tellsWhenDrawn: Bool { answers[.status] != nil }

  /// Adds what tmux says of the terminal that it runs in.
  package mutating func setTmuxClient(_ client: TmuxClient) { capabilities.tmuxClient = client }

  /// The questions once more, beside what only the first time tells.
  ///
  /// - Returns: a probe that waits for their answers.
  package func again() -> TerminalProbe {
    var probe = TerminalProbe(environment: environment)
    probe.capabilities.hasKittySharedMemory = capabilities.hasKittySharedMemory
    probe.capabilities.hasKittyTemporaryFiles = capabilities.hasKittyTemporaryFiles
    probe.capabilities.tmuxClient = capabilities.tmuxClient
    probe.roundTrip = roundTrip
    return probe
  }

  /// Takes the next bytes from the terminal.
  /// - Returns: what was no answer, in order: keys that the user pressed meanwhile.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var rest: [UInt8] = []
    for byte in bytes {
      guard let token = tokenizer.feed(byte) else { continue }
      switch token.kind {
      case .csi(let sequence):
        guard let query = read(sequence) else { break }
        answers[query] = token.bytes
        continue
      case .string(let introducer, let payload):
        // An answer to somebody's question, if not to ours: never a key.
        // Of many answers to one question a report shows the first.
        if let query = read(payload, introducer: introducer), query != .palette || answers[query] == nil {
          answers[query] = token.bytes
        }
        continue
      case .other: break
      }
      rest.append(contentsOf: token.bytes)
    }
    return rest
  }

  /// No terminal has more color registers.
  private static let mostRegisters = 1 << 16

  /// The bytes of a sequence that has not ended: the start of an answer, or of a key.
  package var pending: [UInt8] { tokenizer.pending }

  /// Reads a control sequence as an answer; nil when it is none.
  private mutating func read(_ csi: EscapeTokenizer.ControlSequence) -> TerminalQuery? {
    let numbers = csi.parameters
    switch (csi.marker, csi.intermediate, csi.final) {
    case ("?", nil, "c"):
      capabilities.hasSixel = numbers.contains(4)
      isComplete = true
      return .attributes
    case (nil, nil, "t") where numbers.count == 3 && numbers[0] == 6:
      if let cell = PixelSize(terminalAnswer: numbers[2], numbers[1]),
        cell.isPlausible(for: CellSize(columns: 1, rows: 1))
      {
        capabilities.cellSize = cell
      }
      return .cellSize
    case (nil, nil, "t") where numbers.first == 6: return .cellSize
    case (nil, nil, "t") where numbers.count == 3 && numbers[0] == 4:
      textArea = PixelSize(terminalAnswer: numbers[2], numbers[1])
      return .textArea
    case (nil, nil, "t") where numbers.first == 4: return .textArea
    case ("?", nil, "S"):
      if numbers.count == 4, numbers[0] == 2, numbers[1] == 0 {
        capabilities.largestSixel = PixelSize(terminalAnswer: numbers[2], numbers[3])
      } else if numbers.count == 3, numbers[0] == 1, numbers[1] == 0,
        (1...Self.mostRegisters).contains(numbers[2])
      {
        capabilities.colorRegisters = numbers[2]
      }
      return numbers.first == 2 ? .largestSixel : .colorRegisters
    case ("?", "$", "y"):
      // 1 set, 2 reset, 3 always set; 0 unknown, 4 never.
      if numbers.count == 2, numbers[0] == 2026 {
        capabilities.hasSynchronizedOutput = (1...3).contains(numbers[1])
      }
      return .synchronizedOutput
    case (nil, nil, "n") where numbers == [0]: return .status
    case (nil, nil, "R") where queries.contains(.cursorPlace):
      guard let place = CursorPlace(answer: numbers) else { return nil }
      cursorPlace = place
      return .cursorPlace
    default:
      return nil
    }
  }

  /// Reads a control string as an answer; nil when it answers none of our questions.
  private mutating func read(_ payload: String, introducer: Character) -> TerminalQuery? {
    switch introducer {
    case "P" where payload.hasPrefix(">|"):
      let name = String(payload.dropFirst(2))
      capabilities.name = name
      capabilities.quirks = TerminalQuirks(of: TerminalName(name), in: environment)
      return .name
    case "]" where payload.hasPrefix("11;"):
      capabilities.background = Color(terminalAnswer: payload.dropFirst(3))
      return .background
    case "]" where payload.hasPrefix("4;"):
      let parts = payload.dropFirst(2).split(separator: ";", omittingEmptySubsequences: false)
      for (number, color) in zip(parts, parts.dropFirst()) {
        guard let number = Int(number), (0..<TerminalQuery.paletteSize).contains(number) else { continue }
        capabilities.palette[number] = Color(terminalAnswer: color) ?? capabilities.palette[number]
      }
      return .palette
    case "_" where payload.hasPrefix("G"):
      // "Gi=31;OK", with further keys before the semicolon.
      let parts = payload.dropFirst().split(separator: ";", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let keys = parts[0].split(separator: ",")
      let query = TerminalQuery.kittyNumbers.first { keys.contains("i=\($0.value)") }?.key
      if parts[1] == "OK" {
        if query == .kitty { capabilities.hasKitty = true }
        if query == .kittySharedMemory { capabilities.hasKittySharedMemory = true }
        if query == .kittyTemporaryFile { capabilities.hasKittyTemporaryFiles = true }
      }
      return query
    default:
      return nil
    }
  }
}

extension Color {
  /// Reads "rgb:1e1e/1e1e/1e1e", one to four hexadecimal digits a channel (XParseColor).
  init?(terminalAnswer text: some StringProtocol) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, parts[0].hasPrefix("rgb") else { return nil }
    let channels = parts[1].split(separator: "/").prefix(3).compactMap { digits -> UInt8? in
      // A sign would be taken for a part of the number.
      guard (1...4).contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        let value = Int(digits, radix: 16)
      else { return nil }
      return UInt8(value * 255 / ((1 << (4 * digits.count)) - 1))
    }
    guard channels.count == 3 else { return nil }
    self.init(red: channels[0], green: channels[1], blue: channels[2])
  }
}

extension TerminalProbe {
  /// The size of a character cell: what the terminal says of it, else what follows from the window's
  /// size in pixels where that can be true, else a usual one.
  package func cellSize(in window: (cells: CellSize, pixels: PixelSize)) -> PixelSize {
    if let cell = capabilities.cellSize { return cell }
    for area in [textArea, window.pixels] {
      if let area, area.isPlausible(for: window.cells) {
        return PixelSize(
          width: area.width / window.cells.columns, height: area.height / window.cells.rows)
      }
    }
    return .defaultCell
  }
}

extension PixelSize {
  /// The size of a cell where no terminal tells it: that of the VT340 in 10x20.
  package static let defaultCell = PixelSize(width: 10, height: 20)

  /// No terminal has a longer side in pixels, and a larger number in an answer is a mistake.
  private static let longestSide = 1 << 16

  /// A size as a terminal answers it.
  /// - Returns: nil for what is no size.
  package init?(terminalAnswer width: Int, _ height: Int) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else { return nil }
    self.init(width: width, height: height)
  }

  /// Whether a window of this many pixels and cells can be true: terminals and multiplexers have been seen
  /// to answer with zeros and made-up numbers.
  package func isPlausible(for cells: CellSize) -> Bool {
    width >= 2 * cells.columns && height >= 4 * cells.rows
  }
}
