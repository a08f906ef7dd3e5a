import PickerUI
import Pixels
import TerminalGraphics

/// Brings frames to the terminal: the text and the pictures beside it, in one go.
///
/// Over a slow link drafts of all pictures go first, and what they stand for follows when nothing else is to be sent.
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
  /// The picture that is taking its draft's place, and how many of its strips are there.
  private var refining: (place: PlacedPicture, strips: Int)?

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

  /// Which pictures are on the screen.
  var shownVersions: Set<UInt64> { onScreen.shownVersions }

  /// Brings a frame to the screen.
  /// - Parameter isInterrupted: asked between pictures; true leaves the rest to the next frame, because
  ///   something has happened that may make them stale.
  func write(_ frame: ScreenFrame, isInterrupted: () -> Bool) throws(TerminalError) {
    let targets = PictureTarget.targets(of: frame, isLinkSlow: link.isSlow, isShown: onScreen.contains) {
      pictures.picture(for: $0)
    }
    let places = targets.map(\.place)
    let isTextShown = shown?.size == frame.size && shown?.cells == frame.cells
    // While others are still to come, drafts are good enough.
    let drafts = pictures.awaitsMoreInSight ? [] : targets.filter { $0.final != nil }
    // Most messages change nothing that is in sight: then not a byte is sent.
    guard !isTextShown || marks != frame.marks || !onScreen.shows(places) || !drafts.isEmpty else { return }
    let unmarking = unmark(frame, places)
    let (clearing, draw) = onScreen.begin(places)
    let erasing = unmarking + clearing
    // Pictures that would only queue behind older ones wait; most are stale by then and never sent.
    let room = link.room
    let isHeld = room == 0
    let newMarks = frame.marks.filter { !marks.contains($0) }
    if isHeld || draw.isEmpty && drafts.isEmpty, erasing.isEmpty, isTextShown, newMarks.isEmpty { return }
    var part = FramePart()
    part.isFirst = true
    part.erasing = erasing
    part.marks = newMarks
    marks = frame.marks
    if !isTextShown { part.text = FramePart.Text(before: shown, after: frame) }
    shown = frame
    let new = Set(draw)
    var sending = Sending(
      part: part, began: clock.now, room: room, writeSize: min(Self.writeSize, max(4096, room / 2)))
    if !isHeld {
      try send(targets.filter { new.contains($0.place) }, &sending, isInterrupted)
      if !sending.isMore { try refine(drafts, &sending, isInterrupted) }
    }
    try finish(&sending)
  }

  /// The terminal is another one, or known better; what is on the screen was erased before.
  func adopt(_ traits: TerminalTraits) {
    onScreen = PictureScreen(
      kitty: pictures.kitty, firstNumber: .random(in: 0...UInt64(UInt32.max)), ground: traits.ground)
  }

  // MARK: Pictures

  /// A frame on its way.
  private struct Sending {
    /// What goes with the next write.
    var part: FramePart
    let began: Duration
    /// How many bytes may go before the terminal has drawn some.
    let room: Int
    let writeSize: Int
    var sent = 0
    /// Whether pictures were left for lack of room, or because something has happened.
    var isMore = false

    var isFull: Bool { sent + part.pictures.count >= room }
  }

  /// Sends pictures, several in one write where they are small.
  private func send(
    _ targets: [PictureTarget], _ sending: inout Sending, _ isInterrupted: () -> Bool
  ) throws(TerminalError) {
    for (index, target) in targets.enumerated() {
      if target.place.isTransient { pictures.markSent(target.place.version) }
      if target.final?.place == refining?.place { refining = nil }
      sending.part.pictures += onScreen.draw(target.place, target.picture) { terminal.hand($0) }
      remark(target.place.rect, &sending)
      guard index < targets.count - 1 else { break }
      if try pause(&sending, isInterrupted) { return }
    }
  }

  /// Sends what drafts stand for, the largest first, large ones in strips.
  private func refine(
    _ targets: [PictureTarget], _ sending: inout Sending, _ isInterrupted: () -> Bool
  ) throws(TerminalError) {
    for target in targets.sorted(by: {
      $0.place.size.columns * $0.place.size.rows > $1.place.size.columns * $1.place.size.rows
    }) {
      guard let final = target.final, onScreen.contains(target.place) else { continue }
      sending.isMore = true
      if sending.isFull { return }
      guard final.place.rect == target.place.rect, final.picture.strips.count > 1 else {
        sending.part.pictures += onScreen.refine(target.place, to: final.place, final.picture) {
          terminal.hand($0)
        }
        remark(target.place.rect, &sending)
        remark(final.place.rect, &sending)
        if try pause(&sending, isInterrupted) { return }
        continue
      }
      var next = refining?.place == final.place ? refining?.strips ?? 0 : 0
      while next < final.picture.strips.count {
        sending.part.pictures += onScreen.strip(next, of: final.picture, at: final.place)
        remark(final.place.rect, &sending)
        next += 1
        refining = (final.place, next)
        if next < final.picture.strips.count, try pause(&sending, isInterrupted) { return }
      }
      onScreen.completeRefinement(of: target.place, to: final.place)
      refining = nil
      if try pause(&sending, isInterrupted) { return }
    }
    sending.isMore = false
  }

  /// A picture that is drawn covers what stood over its place.
  private func remark(_ rect: CellRect, _ sending: inout Sending) {
    sending.part.marks += marks.filter { $0.rect.intersects(rect) && !sending.part.marks.contains($0) }
  }

  /// Between two pictures: writes what has gathered where that is enough.
  /// - Returns: whether the rest is left to the next frame.
  private func pause(
    _ sending: inout Sending, _ isInterrupted: () -> Bool
  ) throws(TerminalError) -> Bool {
    if sending.isFull {
      sending.isMore = true
      return true
    }
    guard sending.part.pictures.count > sending.writeSize else { return false }
    sending.sent += try terminal.write(sending.part)
    sending.part = FramePart()
    sending.isMore = isInterrupted()
    return sending.isMore
  }

  /// Ends the frame, with a question behind it where its answer tells something.
  private func finish(_ sending: inout Sending) throws(TerminalError) {
    sending.part.isLast = true
    sending.part.asksWhenDrawn = link.shouldAsk(
      after: sending.sent + sending.part.pictures.count + sending.part.textEstimate, isMore: sending.isMore)
    sending.sent += try terminal.write(sending.part)
    link.sent(sending.sent, began: sending.began)
    if sending.part.asksWhenDrawn { link.asked() }
  }

  // MARK: Marks

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
    if !part.erasing.isEmpty { _ = try terminal.write(part) }
  }
}
