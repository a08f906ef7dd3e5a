import PickerUI
import Pixels
import TerminalGraphics

/// Brings frames to the terminal: the text by ncurses, the pictures beside it, in one go.
///
/// The one writer of the terminal while the picker runs; used by the thread of the run loop only.
final class FrameWriter {
  private let terminal: TerminalDevice
  private let screen: CursesScreen
  /// Where the bytes of pictures come from; nil = none are drawn.
  var pictures: PictureStore?
  private let isSynchronized: Bool
  private var onScreen: [PlacedPicture] = []

  init(
    terminal: TerminalDevice, screen: CursesScreen, pictures: PictureStore?, isSynchronized: Bool
  ) {
    self.terminal = terminal
    self.screen = screen
    self.pictures = pictures
    self.isSynchronized = isSynchronized
  }

  private enum Sequence {
    static let beginUpdate = Array("\u{1B}[?2026h".utf8)
    static let endUpdate = Array("\u{1B}[?2026l".utf8)
    // Save the cursor with its attributes, then plain text: what is printed must be blank.
    static let begin = Array("\u{1B}7\u{1B}[0m".utf8)
    static let end = Array("\u{1B}8".utf8)
  }

  /// Brings a frame to the screen.
  /// - Parameter isInterrupted: asked between pictures; true leaves the rest to the next frame, because
  ///   something has happened that may make them stale.
  func write(_ frame: Frame, isInterrupted: () -> Bool) throws(HostError) {
    let targets = frame.slots.compactMap(target)
    let plan = ScreenPlan(from: onScreen, to: targets.map(\.place))
    // Most messages change nothing that is in sight: then not a byte is sent.
    guard !plan.isEmpty || !screen.shows(frame) else { return }
    var head = isSynchronized ? Sequence.beginUpdate : []
    if !plan.erase.isEmpty {
      head += Sequence.begin + plan.erase.flatMap(Placement.erase) + Sequence.end
    }
    if !head.isEmpty { try terminal.write(head) }
    let new = Set(plan.draw)
    onScreen = targets.map(\.place).filter { !new.contains($0) }
    screen.draw(frame)
    screen.update()
    try draw(targets.filter { new.contains($0.place) }, isInterrupted: isInterrupted)
    if isSynchronized { try terminal.write(Sequence.endUpdate) }
  }

  private typealias Target = (place: PlacedPicture, picture: EncodedPicture)

  /// Sends pictures, several in one write where they are small.
  private func draw(_ targets: [Target], isInterrupted: () -> Bool) throws(HostError) {
    var pending: [UInt8] = []
    for (index, target) in targets.enumerated() {
      if pending.isEmpty { pending = Sequence.begin }
      pending += Placement.draw(target.picture, row: target.place.row, column: target.place.column)
      onScreen.append(target.place)
      let isLast = index == targets.count - 1
      guard pending.count > Self.writeSize || isLast else { continue }
      try terminal.write(pending + Sequence.end)
      pending = []
      if !isLast, isInterrupted() { return }
    }
  }

  /// Enough bytes for one write; between writes a waiting key is noticed.
  private static let writeSize = 32_768

  /// The best picture for a slot and where it goes; nil when there is none to draw.
  private func target(of slot: PictureSlot) -> Target? {
    guard let entry = pictures?.entry(for: slot.key) else { return nil }
    let size = entry.picture.size
    let column = slot.rect.column + max(0, (slot.rect.columns - size.columns) / 2)
    let row =
      slot.alignment == .top ? slot.rect.row : slot.rect.row + max(0, (slot.rect.rows - size.rows) / 2)
    return (
      PlacedPicture(
        version: entry.version, row: row, column: column, size: size, covered: entry.picture.covered),
      entry.picture
    )
  }

  /// Erases what is on the screen; the next frame is drawn from nothing.
  func reset() throws(HostError) {
    let size = terminal.windowSize.cells
    let everything = CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows)
    if !onScreen.isEmpty {
      try terminal.write(Sequence.begin + Placement.erase(everything) + Sequence.end)
    }
    onScreen = []
    screen.forget()
  }
}
