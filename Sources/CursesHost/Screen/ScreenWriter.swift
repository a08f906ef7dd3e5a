import PickerUI
import Pixels
import TerminalGraphics

/// Brings frames to the terminal: the text by ncurses, the pictures beside it, in one go.
///
/// The one writer of the terminal while the picker runs; used by the thread of the run loop only.
final class ScreenWriter {
  private let terminal: TerminalDevice
  private let screen: CursesScreen
  /// Where the bytes of pictures come from; nil = none are drawn.
  var pictures: PictureStore?
  private let player: PicturePlayer
  private let isSynchronized: Bool
  private let handover: PixelHandover
  private var onScreen: PictureScreen
  /// How fast pictures get to the screen.
  var link = LinkSpeed()
  /// How often the terminal was asked whether it has drawn all; never, if it answers nothing.
  private(set) var questionCount = 0
  private let asks: Bool
  /// Frames, and those among them whose pictures had to wait.
  private(set) var frames = (all: 0, held: 0)

  init(
    terminal: TerminalDevice, screen: CursesScreen, pictures: PictureStore?, player: PicturePlayer,
    isSynchronized: Bool,
    kitty: KittyCommands, handover: PixelHandover, asks: Bool
  ) {
    self.terminal = terminal
    self.screen = screen
    self.pictures = pictures
    self.player = player
    self.isSynchronized = isSynchronized
    self.handover = handover
    self.asks = asks
    onScreen = PictureScreen(
      kitty: kitty, firstNumber: .random(in: 0...UInt64(UInt32.max)), ground: screen.ground)
  }

  private enum Sequence {
    static let beginUpdate = Array("\u{1B}[?2026h".utf8)
    static let endUpdate = Array("\u{1B}[?2026l".utf8)
  }

  /// Brings a frame to the screen.
  /// - Parameter isInterrupted: asked between pictures; true leaves the rest to the next frame, because
  ///   something has happened that may make them stale.
  func write(_ frame: ScreenFrame, isInterrupted: () -> Bool) throws(HostError) {
    let targets = targets(of: frame)
    // Most messages change nothing that is in sight: then not a byte is sent.
    guard !onScreen.shows(targets.map(\.place)) || !screen.shows(frame) else { return }
    let (bytes, draw) = onScreen.begin(targets.map(\.place))
    // Pictures that would only queue behind older ones wait; most are stale by then and never sent.
    let isHeld = link.isBusy(at: Self.now)
    if isHeld, bytes.isEmpty, screen.shows(frame) { return }
    frames.all += 1
    let text = screen.bytes(for: frame)
    let began = Self.now
    let new = isHeld ? [] : Set(draw)
    let head = (isSynchronized ? Sequence.beginUpdate : []) + bytes + text
    var (rest, sent) = try self.draw(
      targets.filter { new.contains($0.place) }, after: head, isInterrupted: isInterrupted)
    if isHeld { frames.held += 1 }
    if isSynchronized { rest += Sequence.endUpdate }
    if asks, link.shouldAsk(after: sent) {
      link.asked(after: sent, began: began)
      questionCount += 1
      rest += LinkSpeed.question
    }
    if !rest.isEmpty { try terminal.write(rest) }
  }

  private typealias Target = (place: PlacedPicture, picture: EncodedPicture)

  private static let start = ContinuousClock.now
  /// The time as `LinkSpeed` counts it.
  static var now: Duration { start.duration(to: .now) }

  /// Sends pictures, several in one write where they are small.
  /// - Parameter head: what goes before them.
  /// - Returns: what is yet to be sent, and how many bytes the pictures took.
  private func draw(
    _ targets: [Target], after head: [UInt8], isInterrupted: () -> Bool
  ) throws(HostError) -> (rest: [UInt8], sent: Int) {
    var pending = head
    var sent = 0
    for (index, target) in targets.enumerated() {
      if target.place.isTransient { player.sent(target.place.version) }
      let bytes = onScreen.draw(target.place, target.picture, share: handover.hand)
      pending += bytes
      sent += bytes.count
      let isLast = index == targets.count - 1
      guard pending.count > Self.writeSize, !isLast else { continue }
      try terminal.write(pending)
      pending = []
      if isInterrupted() { break }
    }
    return (pending, sent)
  }

  /// Enough bytes for one write; between writes a waiting key is noticed.
  private static let writeSize = 32_768

  /// The pictures that there are for the slots of a frame, and where they go.
  private func targets(of frame: ScreenFrame) -> [Target] {
    var copies: [UInt64: Int] = [:]
    return frame.slots.compactMap { slot in
      guard var target = target(of: slot) else { return nil }
      target.place.copy = copies[target.place.version, default: 0]
      copies[target.place.version] = target.place.copy + 1
      return target
    }
  }

  /// The best picture for a slot and where it goes; nil when there is none to draw.
  private func target(of slot: PictureSlot) -> Target? {
    let moving = player.entry(for: slot.key).map { (version: $0.version, picture: $0.picture) }
    let still = pictures?.entry(for: slot.key).map { (version: $0.version, picture: $0.picture) }
    guard let entry = moving ?? still else { return nil }
    let size = entry.picture.size
    let column = slot.rect.column + max(0, (slot.rect.columns - size.columns) / 2)
    let row =
      slot.alignment == .top ? slot.rect.row : slot.rect.row + max(0, (slot.rect.rows - size.rows) / 2)
    return (
      PlacedPicture(
        version: entry.version, row: row, column: column, size: size, covered: entry.picture.covered,
        livesInCells: entry.picture.livesInCells, isTransient: moving != nil),
      entry.picture
    )
  }

  /// Erases what is on the screen; the next frame is drawn from nothing.
  func reset() throws(HostError) {
    let bytes = onScreen.clear(terminal.windowSize.cells)
    if !bytes.isEmpty { try terminal.write(bytes) }
    screen.forget()
  }
}
