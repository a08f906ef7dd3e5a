import PickerUI
import Pixels
import TerminalGraphics

/// Brings frames to the terminal: the text and the pictures beside it, in one go.
///
/// The one writer of the terminal while the picker runs; used by the thread of the run loop only.
final class ScreenWriter {
  private let terminal: any PickerTerminal
  private let pictures: ScreenPictures
  private let link: LinkWatcher
  private let clock: any RuntimeClock
  private var onScreen: PictureScreen
  /// The frame whose text is on the screen; nil = nothing there counts.
  private var shown: ScreenFrame?
  /// What stands over the pictures on the screen.
  private var marks: [PictureMark] = []

  init(terminal: any PickerTerminal, pictures: ScreenPictures, link: LinkWatcher, clock: any RuntimeClock) {
    self.terminal = terminal
    self.pictures = pictures
    self.link = link
    self.clock = clock
    onScreen = PictureScreen(
      kitty: pictures.kitty, firstNumber: .random(in: 0...UInt64(UInt32.max)), ground: terminal.traits.ground)
  }

  /// Enough bytes for one write; between writes a waiting key is noticed.
  static let writeSize = 32_768

  /// Brings a frame to the screen.
  /// - Parameter isInterrupted: asked between pictures; true leaves the rest to the next frame, because
  ///   something has happened that may make them stale.
  func write(_ frame: ScreenFrame, isInterrupted: () -> Bool) throws(TerminalError) {
    let targets = PictureTarget.targets(of: frame) { pictures.picture(for: $0) }
    let places = targets.map(\.place)
    let isTextShown = shown?.size == frame.size && shown?.cells == frame.cells
    // Most messages change nothing that is in sight: then not a byte is sent.
    guard !isTextShown || marks != frame.marks || !onScreen.shows(places) else { return }
    let unmarking = unmark(frame, places)
    let (clearing, draw) = onScreen.begin(places)
    let erasing = unmarking + clearing
    // Pictures that would only queue behind older ones wait; most are stale by then and never sent.
    let isHeld = link.isBusy
    let newMarks = frame.marks.filter { !marks.contains($0) }
    if isHeld, erasing.isEmpty, isTextShown, newMarks.isEmpty { return }
    var part = FramePart()
    part.isFirst = true
    part.erasing = erasing
    part.marks = newMarks
    marks = frame.marks
    if !isTextShown { part.text = FramePart.Text(before: shown, after: frame) }
    shown = frame
    let new = isHeld ? [] : Set(draw)
    try send(targets.filter { new.contains($0.place) }, in: part, isInterrupted: isInterrupted)
  }

  /// Sends the rest of a frame, several pictures in one write where they are small.
  /// - Parameter part: what goes before them.
  private func send(
    _ targets: [PictureTarget], in part: FramePart, isInterrupted: () -> Bool
  ) throws(TerminalError) {
    let began = clock.now
    var part = part
    var sent = 0
    for (index, target) in targets.enumerated() {
      if target.place.isTransient { pictures.markSent(target.place.version) }
      let bytes = onScreen.draw(target.place, target.picture) { terminal.hand($0) }
      part.pictures += bytes
      // A picture that is drawn covers what stood over its place.
      part.marks += marks.filter { $0.rect.intersects(target.place.rect) && !part.marks.contains($0) }
      sent += bytes.count
      guard part.pictures.count > Self.writeSize, index < targets.count - 1 else { continue }
      try terminal.write(part)
      part = FramePart()
      if isInterrupted() { break }
    }
    part.isLast = true
    part.asksWhenDrawn = link.shouldAsk(after: sent)
    try terminal.write(part)
    if part.asksWhenDrawn { link.asked(after: sent, began: began) }
  }

  /// Takes marks away that the next frame has not.
  ///
  /// Where a picture stands in the cells, it is drawn anew; elsewhere blanks do.
  /// - Returns: the blanks.
  private func unmark(_ frame: ScreenFrame, _ places: [PlacedPicture]) -> [UInt8] {
    let kept = frame.marks.map(\.rect)
    let bare = marks.filter { !frame.marks.contains($0) }.flatMap { $0.rect.parts(outside: kept) }
    return bare.flatMap { cells -> [UInt8] in
      let below = places.first { $0.livesInCells && $0.rect.intersects(cells) }
      if let below { onScreen.forget(below) }
      return onScreen.blanks(cells)
    }
  }

  /// Erases what is on the screen; the next frame is drawn from nothing.
  func reset() throws(TerminalError) {
    shown = nil
    marks = []
    var part = FramePart()
    part.erasing = onScreen.clear(terminal.window.cells)
    if !part.erasing.isEmpty { try terminal.write(part) }
  }
}
