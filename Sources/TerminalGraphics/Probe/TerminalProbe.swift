package import Pixels

/// Queries the terminal before the screen is set up, and decodes its answers.
///
/// A value that is fed with bytes as they arrive, split anywhere. The queries are sent in one or two batches, each of
/// which ends with the device attributes: terminals answer in order, so that this answer means that no other will
/// follow. An unknown terminal gets only harmless queries first, and the others if its answers make them likely to
/// be understood (Decision 50).
package struct TerminalProbe: Sendable {
  /// The query for the cell size alone, repeated after the window's size has changed.
  package static let cellSizeQuestion: [UInt8] = Array("\u{1B}[16t".utf8)

  /// The query for the device attributes alone, whose answer follows everything sent before.
  static let attributesQuestion: [UInt8] = Array("\u{1B}[c".utf8)

  /// Returns a terminal's answer to `cellSizeQuestion`.
  package static func cellSizeAnswer(_ size: PixelSize) -> [UInt8] {
    Array("\u{1B}[6;\(size.height);\(size.width)t".utf8)
  }

  /// All queries so far, in order.
  package private(set) var queries: [TerminalQuery]
  /// Queries to send, in one write.
  private var due: [UInt8]
  /// Number of batches of queries so far.
  package private(set) var batches: Int
  package private(set) var capabilities = TerminalCapabilities()
  /// Size of the text area in pixels.
  package private(set) var textArea: PixelSize?
  /// The cursor position, if queried; before any queries of the second batch.
  package private(set) var cursorPlace: CursorPlace?
  /// Whether the cursor position is queried before and after queries that the terminal may print.
  private var isWatching = false
  /// Whether the position before them has been reported.
  private var isWatched = false
  /// The cursor position after them.
  private var laterPlace: CursorPlace?
  /// Time from the query to the last answer; set by the caller.
  package var roundTrip: Duration?
  /// Whether the last query was answered and no others are due.
  package private(set) var isComplete = false
  /// The answers as received, for reports.
  package private(set) var answers: [TerminalQuery: [UInt8]] = [:]
  private let environment: TerminalEnvironment
  private let sharedMemory: String?
  private let temporaryFile: String?
  /// Whether the screen must stay as it is: then queries that may be printed are sent with the cursor position
  /// before and after them.
  private var isOnMainScreen: Bool
  private var tokenizer = EscapeTokenizer()

  /// - Parameters:
  ///   - environment: decides what to query.
  ///   - sharedMemory: name of a shared memory object of three bytes for the terminal to read; nil skips the query.
  ///   - temporaryFile: path of a file of three bytes; nil skips the query.
  ///   - asksCursorPlace: whether to query the cursor position.
  ///   - isOnMainScreen: whether to watch for queries that the terminal prints; false while a program draws the
  ///     screen.
  package init(
    environment: TerminalEnvironment = TerminalEnvironment(), sharedMemory: String? = nil,
    temporaryFile: String? = nil, asksCursorPlace: Bool = false, isOnMainScreen: Bool = true
  ) {
    self.environment = environment
    self.sharedMemory = sharedMemory
    self.temporaryFile = temporaryFile
    self.isOnMainScreen = isOnMainScreen
    queries = []
    due = []
    batches = 0
    capabilities.quirks = TerminalQuirks(of: nil, in: environment)
    ask(
      TerminalQuery.allCases.filter { query in
        query.isAskableFirst(in: environment) && (query != .cursorPlace || asksCursorPlace)
          && (query != .trueColor || isOnMainScreen)
      })
    isComplete = queries.isEmpty
  }

  /// Adds a batch of queries.
  private mutating func ask(_ batch: [TerminalQuery]) {
    let asked = batch.compactMap { query in bytes(of: query).map { (query, $0) } }
    if asked.isEmpty { return }
    queries += asked.map(\.0).filter { !queries.contains($0) }
    due += asked.flatMap(\.1)
    batches += 1
  }

  private func bytes(of query: TerminalQuery) -> [UInt8]? {
    query.bytes(sharedMemory: sharedMemory, temporaryFile: temporaryFile)
  }

  /// Returns the queries to send now, in one write, and notes that they are sent.
  ///
  /// There are some at first, and after answers that make others worthwhile; otherwise it is empty.
  package mutating func takeQuestions() -> [UInt8] {
    defer { due = [] }
    return due
  }

  /// Handles the end of a batch: adds the queries for which the answers give reason.
  private mutating func endBatch() {
    guard batches == 1 else {
      isComplete = true
      return
    }
    let more = TerminalQuery.allCases.filter { query in
      !queries.contains(query) && query.isAskable(of: capabilities, in: environment)
        && (query != .trueColor || isOnMainScreen)
    }
    guard more.contains(where: { bytes(of: $0) != nil }) else {
      isComplete = true
      return
    }
    // A terminal without a name may be another one than the environment says, and print it: the cursor tells.
    isWatching = isOnMainScreen && capabilities.name == nil && more.contains(.kitty)
    let place: [TerminalQuery] = isWatching ? [.cursorPlace] : []
    ask(place + more + place + [.attributes])
  }

  /// Returns the bytes that erase queries that the terminal has printed, and notes where the cursor is then; empty if
  /// it has printed none.
  /// - Parameter columns: width of the window.
  package mutating func takeErasing(columns: Int) -> [UInt8] {
    guard let before = cursorPlace, let after = laterPlace, before != after, after.row >= before.row,
      columns > 0
    else { return [] }
    // At the bottom of the window, printing has scrolled: the first row is further up than it was.
    let length = (after.row - before.row) * columns + after.column - before.column
    let scrolled = length > 0 ? 0 : -length / columns + 1
    let count = length + scrolled * columns
    guard count <= Self.longestTrace else { return [] }
    let place = CursorPlace(row: max(0, before.row - scrolled), column: before.column)
    (cursorPlace, laterPlace) = (place, nil)
    let start = Placement.move(row: place.row, column: place.column)
    return start + [UInt8](repeating: 0x20, count: count) + start
  }

  /// Upper bound of the cells that a printed query takes; more mean that an answer is wrong.
  private static let longestTrace = 256

  /// Whether the terminal has answered DA1, as all modern ones do.
  package var isAnswered: Bool { answers[.attributes] != nil }

  /// Whether the terminal can confirm that everything is drawn (`LinkSpeed.question`).
  package var confirmsDrawing: Bool { answers[.status] != nil }

  /// Adds tmux's information about the terminal around it.
  package mutating func setTmuxClient(_ client: TmuxClient) { capabilities.tmuxClient = client }

  /// Returns a probe that repeats the queries, except for those that work only once.
  package func again() -> TerminalProbe {
    var probe = TerminalProbe(environment: environment, isOnMainScreen: false)
    probe.capabilities.hasTrueColor = capabilities.hasTrueColor
    probe.capabilities.hasKittySharedMemory = capabilities.hasKittySharedMemory
    probe.capabilities.hasKittyTemporaryFiles = capabilities.hasKittyTemporaryFiles
    probe.capabilities.tmuxClient = capabilities.tmuxClient
    probe.roundTrip = roundTrip
    return probe
  }

  /// Notes that a program draws the screen from now on: a late answer no longer causes queries that set colors.
  package mutating func leaveMainScreen() { isOnMainScreen = false }

  /// Consumes bytes from the terminal.
  /// - Returns: all bytes that are not answers, in order: keys that the user pressed meanwhile.
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
        // Terminals send control strings only as answers, to our queries or another program's, never for
        // keys. The palette query has several answers: reports show the first.
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

  /// Upper bound of color registers; no terminal has more.
  private static let mostRegisters = 1 << 16

  /// The bytes of an incomplete sequence: the start of an answer or of a key.
  package var pending: [UInt8] { tokenizer.pending }

  /// Decodes a control sequence as an answer; nil if it is not one.
  private mutating func read(_ csi: EscapeTokenizer.ControlSequence) -> TerminalQuery? {
    let numbers = csi.parameters
    switch (csi.marker, csi.intermediate, csi.final) {
    case ("?", nil, "c"):
      capabilities.hasSixel = numbers.contains(4)
      capabilities.conformance = numbers.first
      endBatch()
      return .attributes
    case (">", nil, "c"):
      capabilities.secondaryAttributes = numbers
      if capabilities.name == nil, let name = TerminalDatabase.name(bySecondaryAttributes: numbers) {
        setName(name)
      }
      return .secondaryAttributes
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
      let isKnown = numbers.count == 2 && (1...3).contains(numbers[1])
      switch numbers.first {
      case 2026: capabilities.hasSynchronizedOutput = isKnown
      case 2031:
        capabilities.hasColorSchemeReports = isKnown
        return .colorSchemeReports
      case 1016:
        capabilities.hasPixelMouse = isKnown
        return .pixelMouse
      default: break
      }
      return .synchronizedOutput
    case (nil, nil, "n") where numbers == [0]: return .status
    case (nil, nil, "R") where queries.contains(.cursorPlace):
      guard let place = CursorPlace(answer: numbers) else { return nil }
      if isWatched { laterPlace = place } else { cursorPlace = place }
      isWatched = isWatching
      return .cursorPlace
    default:
      return nil
    }
  }

  private mutating func setName(_ name: String) {
    capabilities.name = name
    capabilities.quirks = TerminalQuirks(of: TerminalName(name), in: environment)
  }

  /// Decodes a control string as an answer; nil if it answers none of the queries.
  private mutating func read(_ payload: String, introducer: Character) -> TerminalQuery? {
    switch introducer {
    case "P" where payload.hasPrefix(">|"):
      setName(String(payload.dropFirst(2)))
      return .name
    case "P" where payload.hasPrefix("1$r") && payload.hasSuffix("m"):
      // The colors as they were set: terminals with fewer answer with the nearest one.
      let numbers = payload.dropFirst(3).dropLast().split { $0 == ";" || $0 == ":" }
      // iTerm2 3.6 adds the number of a color space: 48:2:1:1:2:3.
      let color = numbers.drop { $0 != "48" }
      capabilities.hasTrueColor =
        color.starts(with: ["48", "2"]) && color.suffix(3) == ["1", "2", "3"] && (5...6).contains(color.count)
      return .trueColor
    case "P" where payload.hasPrefix("0$r"): return .trueColor
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
  /// Parses "rgb:1e1e/1e1e/1e1e", one to four hexadecimal digits per channel (XParseColor).
  init?(terminalAnswer text: some StringProtocol) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, parts[0].hasPrefix("rgb") else { return nil }
    let channels = parts[1].split(separator: "/").prefix(3).compactMap { digits -> UInt8? in
      // A sign would be parsed as part of the number.
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
  /// Returns the size of a character cell: the terminal's answer, otherwise the window's plausible size in pixels
  /// divided by its cells, otherwise a default.
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
  /// The default cell size: the VT340's, 10x20.
  package static let defaultCell = PixelSize(width: 10, height: 20)

  /// Upper bound of a side in pixels; a larger number in an answer is a mistake.
  private static let longestSide = 1 << 16

  /// Creates a size from a terminal's answer.
  /// - Returns: nil if it is invalid.
  package init?(terminalAnswer width: Int, _ height: Int) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else { return nil }
    self.init(width: width, height: height)
  }

  /// Returns whether a window can have this many pixels and cells: terminals and multiplexers have been seen to
  /// answer with zeros and made-up numbers.
  package func isPlausible(for cells: CellSize) -> Bool {
    width >= 2 * cells.columns && height >= 4 * cells.rows
  }
}
