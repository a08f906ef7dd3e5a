import PickerUI
import Pixels
import TerminalGraphics

/// Brings frames to the terminal: the text and the pictures beside it, in one go.
///
/// Over a slow link drafts of all pictures go first, and what they stand for follows when nothing else is to be sent.
/// The one writer of the terminal while the picker runs; used by the thread of the run loop only.
final class ScreenWriter {
  private let terminal: any PickerTerminal
  private let pictures: PictureStore
  private let link: LinkWatcher
  private let clock: any RuntimeClock
  private var onScreen: PictureScreen
  /// The frame whose text is on the screen; nil = nothing there counts.
  private var shown: ScreenFrame?
  /// What stands over the pictures on the screen.
  private var marks: [PictureMark] = []
  /// The picture that is taking its draft's place, and how many of its strips are there.
  private var refining: (place: PlacedPicture, strips: Int)?

  init(terminal: any PickerTerminal, pictures: PictureStore, link: LinkWatcher, clock: any RuntimeClock) {
    self.terminal = terminal
    self.pictures = pictures
    self.link = link
    self.clock = clock
    onScreen = PictureScreen(
      kitty: pictures.kitty, firstNumber: .random(in: 0...UInt64(UInt32.max)), ground: terminal.traits.ground)
  }

  /// Enough bytes for one write; between writes a waiting key is noticed.
  private static let writeSize = 32_768

  /// Which pictures are on the screen.
  var shownVersions: Set<UInt64> { onScreen.shownVersions }

  /// Brings a frame to the screen.
  /// - Parameters:
  ///   - isInterrupted: asked between pictures; true leaves the rest to the next frame, because something has happened
  ///     that may make them stale.
  ///   - isOvertaken: asked in its place where text comes with its pictures: whether a key or the like has come. What comes
  ///     from elsewhere, as pictures for the next key and facts of the photo under the cursor, must not part them. nil = as
  ///     `isInterrupted`.
  func write(
    _ frame: ScreenFrame, isInterrupted: () -> Bool, isOvertaken: (() -> Bool)? = nil
  ) throws(TerminalError) {
    let targets = PictureTarget.targets(of: frame, isLinkSlow: link.isSlow, isShown: onScreen.contains) {
      pictures.picture(for: $0)
    }
    let places = targets.map(\.place)
    let isTextShown = shown?.size == frame.size && shown?.cells == frame.cells
    // While others are still to come, drafts are good enough.
    let drafts = pictures.awaitsMoreInSight ? [] : targets.filter { $0.final != nil }
    // Most messages change nothing that is in sight: then not a byte is sent.
    guard !isTextShown || marks != frame.marks || !onScreen.shows(places) || !drafts.isEmpty else { return }
    let bare = unmark(frame, places)
    let changes = onScreen.begin(places)
    let erase = bare + changes.erase
    // Pictures that would only queue behind older ones wait; most are stale by then and never sent.
    let room = link.room
    let isHeld = room == 0
    let newMarks = frame.marks.filter { !marks.contains($0) }
    let isChanged = !isTextShown || !erase.isEmpty || !changes.removal.isEmpty || !newMarks.isEmpty
    if isHeld || changes.draw.isEmpty && drafts.isEmpty, !isChanged { return }
    marks = frame.marks
    let new = Set(changes.draw)
    let drawn = isHeld ? [] : targets.filter { new.contains($0.place) }
    var sending = Sending(
      part: FramePart(), began: clock.now, room: room, writeSize: min(Self.writeSize, max(4096, room / 2)))
    sending.part.isFirst = true
    sending.part.erasing = changes.removal
    let bands = isTextShown ? [Band(of: frame, drawn)] : bands(of: frame, with: drawn)
    func isCutShort() -> Bool {
      if bands.count > 1, let isOvertaken { isOvertaken() } else { isInterrupted() }
    }
    for (index, band) in bands.enumerated() {
      show(band.rows, of: frame, erase, newMarks, &sending)
      try send(band.targets, &sending, isCutShort)
      let later = bands[(index + 1)...]
      if later.isEmpty { break }
      if !sending.isMore { _ = try pause(&sending, isCutShort, isDue: true) }
      if sending.isMore {
        // Pictures may be left to the next frame, words are not: it would be the next key that brings them.
        show(later.flatMap(\.rows), of: frame, erase, newMarks, &sending)
        break
      }
    }
    shown = frame
    if !isHeld, !sending.isMore { try refine(drafts, &sending, isCutShort) }
    try finish(&sending)
  }

  /// The terminal is another one, or known better; what is on the screen was erased before.
  func adopt(_ traits: TerminalTraits) {
    onScreen = PictureScreen(
      kitty: pictures.kitty, firstNumber: .random(in: 0...UInt64(UInt32.max)), ground: traits.ground)
  }

  // MARK: Text

  /// Rows whose text comes together with the pictures that end in them.
  private struct Band {
    var rows: [Range<Int>]
    var targets: [PictureTarget]

    init(rows: [Range<Int>], _ targets: [PictureTarget]) {
      self.rows = rows
      self.targets = targets
    }

    /// All of a frame.
    init(of frame: ScreenFrame, _ targets: [PictureTarget]) {
      self.init(rows: [0..<frame.size.rows], targets)
    }
  }

  /// Fewer pictures are drawn before the eye sees that text has come without them.
  private static let leastForBands = 8

  /// What a frame comes in, one after the other: where the terminal shows what has come so far, new text above old
  /// pictures is seen while the grid scrolls.
  ///
  /// A band ends where a picture does that is drawn, and one that reaches into several comes with the last of them: so the
  /// text of all its rows is there before it, and none is written over it.
  private func bands(of frame: ScreenFrame, with drawn: [PictureTarget]) -> [Band] {
    let whole = Band(of: frame, drawn)
    guard drawn.count >= Self.leastForBands, !terminal.traits.capabilities.hasSynchronizedOutput,
      !link.isSlow, shown?.size == frame.size
    else { return [whole] }
    let ending = Dictionary(grouping: drawn) { min($0.place.rect.endRow, frame.size.rows) }
    var bands: [Band] = []
    var (start, bottom) = (0, ending.keys.max() ?? 0)
    var targets: [PictureTarget] = []
    for end in ending.keys.sorted() {
      targets += ending[end] ?? []
      // A few small ones, as the posters of albums, are no band of their own.
      guard targets.reduce(0, { $0 + $1.picture.cost }) >= Self.writeSize || end == bottom else { continue }
      bands.append(Band(rows: [start..<end], targets))
      (start, targets) = (end, [])
    }
    guard bands.count > 1 else { return [whole] }
    // What is below all pictures, as the last line, answers the key.
    bands[0].rows.append(bottom..<frame.size.rows)
    return bands
  }

  /// Has the next write bring the text of some rows, with the blanks before it and the marks over it.
  private func show(
    _ rows: [Range<Int>], of frame: ScreenFrame, _ erase: [CellRect], _ marks: [PictureMark],
    _ sending: inout Sending
  ) {
    sending.part.erasing += onScreen.blanks(erase.flatMap { cells in rows.compactMap(cells.part) })
    sending.part.marks += marks.filter { mark in
      rows.contains { $0.contains(mark.row) } && !sending.part.marks.contains(mark)
    }
    if let shown, shown.size == frame.size,
      !rows.contains(where: { $0.contains { shown.row($0) != frame.row($0) } })
    {
      return
    }
    let known = sending.part.text?.rows ?? []
    let isAll = rows == [0..<frame.size.rows]
    sending.part.text = FramePart.Text(before: shown, after: frame, rows: isAll ? nil : known + rows)
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
  /// - Parameter isDue: whether it is written in any case.
  /// - Returns: whether the rest is left to the next frame.
  private func pause(
    _ sending: inout Sending, _ isInterrupted: () -> Bool, isDue: Bool = false
  ) throws(TerminalError) -> Bool {
    if sending.isFull {
      sending.isMore = true
      return true
    }
    guard isDue || sending.part.pictures.count > sending.writeSize else { return false }
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
  /// - Returns: the cells to be blanked.
  private func unmark(_ frame: ScreenFrame, _ places: [PlacedPicture]) -> [CellRect] {
    let kept = frame.marks.map(\.rect)
    let bare = marks.filter { !frame.marks.contains($0) }.flatMap { $0.rect.parts(outside: kept) }
    for cells in bare {
      let below = places.first { $0.livesInCells && $0.rect.intersects(cells) }
      if let below { onScreen.forget(below) }
    }
    return bare
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
