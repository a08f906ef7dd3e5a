import PickerRuntime
import PickerUI
import Pixels
import TerminalGraphics

/// A terminal that a test controls and that records its commands.
///
/// Pictures arrive as iTerm2 files, each filled with the byte chosen by `ScriptedImages`.
final class ScriptedTerminal: PickerTerminal {
  /// The recorded commands, in order.
  enum Entry: Hashable {
    case part(FramePart)
    case resize(CellSize)
    case queryCellSize, locateRegion, repeatQueries, suspend, lend, resume, ring
    case copy([UInt8])
    case end(isAwaitingAnswer: Bool)
  }

  var traits: TerminalTraits
  var window: (cells: CellSize, cell: PixelSize)
  private(set) var log: [Entry] = []
  private(set) var title = ""
  private(set) var reportsMotion = false
  private(set) var removal: [UInt8] = []
  /// The text on the screen.
  private(set) var text: ScreenFrame?
  /// The text of a frame that arrives in several parts.
  private var arriving: ScreenFrame?
  /// Called while a part is being written.
  var whileWriting: (FramePart) -> Void = { _ in }
  /// The traits that the terminal's answer reveals.
  var better: TerminalTraits?
  let betterAnswer = Array("\u{1B}[?62;4c".utf8)
  /// The error of every further write.
  var failure: TerminalError?

  init(columns: Int = 60, rows: Int = 20, confirmsDrawing: Bool = false) {
    window = (CellSize(columns: columns, rows: rows), PixelSize(width: 10, height: 20))
    traits = TerminalTraits(
      capabilities: TerminalCapabilities(), environment: TerminalEnvironment(), colorCount: 256, isUTF8: true,
      ground: [], backdrop: .color(.black), confirmsDrawing: confirmsDrawing)
  }

  func write(_ part: FramePart) throws(TerminalError) -> Int {
    if let failure { throw failure }
    log.append(.part(part))
    if let part = part.text {
      if part.rows == nil { text = part.after } else { arriving = part.after }
    }
    if part.isLast, let arriving {
      text = arriving
      self.arriving = nil
    }
    whileWriting(part)
    return part.erasing.count + part.pictures.count
  }

  func share(_ pixels: [UInt8]) -> KittyHandover? { nil }
  func setTitle(_ title: String) { self.title = title }
  func setMotionReports(_ isOn: Bool) { reportsMotion = isOn }
  func ring() { log.append(.ring) }
  func copy(_ text: [UInt8]) { log.append(.copy(text)) }
  func resize(to cells: CellSize) { log.append(.resize(cells)) }
  func repeatQueries() throws(TerminalError) { log.append(.repeatQueries) }
  func learn(_ answer: [UInt8]) -> Bool {
    guard let better, answer == betterAnswer else { return false }
    traits = better
    self.better = nil
    return true
  }
  func queryCellSize() throws(TerminalError) { log.append(.queryCellSize) }
  /// Whether a program draws around the picker's part.
  var isSurrounded = false

  func locateRegion() throws(TerminalError) { log.append(.locateRegion) }
  func guardAgainstCrash(removingPicturesBy bytes: [UInt8]) { removal = bytes }
  func suspend() { log.append(.suspend) }
  func lend(_ work: () -> Void) {
    log.append(.lend)
    work()
  }
  func resume() { log.append(.resume) }
  func end(isAwaitingAnswer: Bool) { log.append(.end(isAwaitingAnswer: isAwaitingAnswer)) }

  // MARK: What tests observe

  var parts: [FramePart] { log.compactMap { if case .part(let part) = $0 { part } else { nil } } }

  /// Everything recorded except parts of frames.
  var otherEntries: [Entry] { log.filter { if case .part = $0 { false } else { true } } }

  /// Whether every frame that was begun has ended, without nesting.
  var areFramesWhole: Bool {
    var isOpen = false
    for part in parts {
      if part.isFirst == isOpen, part.isFirst || part.isLast { return false }
      if part.isFirst { isOpen = true }
      if part.isLast { isOpen = false }
    }
    return !isOpen
  }

  func forgetLog() { log = [] }

  func shows(_ words: String) -> Bool {
    guard let text else { return false }
    return (0..<text.size.rows).contains { text.text(row: $0).contains(words) }
  }
}

extension FramePart {
  /// The fill bytes of its pictures, in order.
  var fills: [UInt8] {
    // Each ends with BEL; the text before the colon describes its size.
    pictures.split(separator: 0x07).compactMap { sequence in
      guard let colon = sequence.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      // "QUFB" and so on: the first two characters encode the first byte.
      let digits = sequence[(colon + 1)...].prefix(2).map { Self.alphabet.firstIndex(of: $0) ?? 0 }
      return UInt8(digits[0] << 2 | digits[1] >> 4)
    }
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
