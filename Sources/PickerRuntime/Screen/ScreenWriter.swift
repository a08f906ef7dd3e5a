import PickerUI
import Pixels
import TerminalGraphics

/// Writes frames to the terminal: text and pictures in one go.
///
/// Over a slow link, drafts of all pictures go first, and the pictures follow when nothing else has to be
/// sent. The only writer to the terminal while the picker runs; used only by the thread of the run loop.
final class ScreenWriter {
  private let terminal: any PickerTerminal
  private let pictures: PictureStore
  private let link: LinkWatcher
  private let clock: any RuntimeClock
  private var onScreen: PictureScreen
  /// The frame whose text is on the screen; nil if the screen's content is unknown.
  private var shown: ScreenFrame?
  /// Marks written over pictures on the screen; others are part of their pictures.
  private var marks: [PictureMark] = []
  /// Thumbnails that are sent as one picture.
  private var runs = PictureRuns()
  /// The picture that is replacing its draft, and the number of its strips sent.
  private var refining: (place: PlacedPicture, strips: Int)?

  init(terminal: any PickerTerminal, pictures: PictureStore, link: LinkWatcher, clock: any RuntimeClock) {
    self.terminal = terminal
    self.pictures = pictures
    self.link = link
    self.clock = clock
    onScreen = PictureScreen(pictures, on: terminal.traits)
  }

  /// Upper bound of one write; between writes a waiting key is noticed.
  private static let writeSize = 32_768

  /// Versions of the pictures on the screen.
  var shownVersions: Set<UInt64> { onScreen.shownVersions }

  /// Writes a frame to the terminal.
  /// - Parameters:
  ///   - isInterrupted: called between pictures. If it returns true, the remaining pictures are left to the next
  ///     frame, because the event that has arrived may make them stale.
  ///   - hasTerminalInput: called instead of `isInterrupted` while text is sent together with its pictures; returns
  ///     whether a key or another event of the terminal has arrived. Events of the library and the picture store
  ///     must not separate text from its pictures. Nil means `isInterrupted`.
  func write(
    _ frame: ScreenFrame, isInterrupted: () -> Bool, hasTerminalInput: (() -> Bool)? = nil
  ) throws(TerminalError) {
    let targets = targets(of: frame)
    let places = targets.map(\.place)
    let written = frame.marks.filter { mark in !targets.contains { $0.contains(mark) } }
    forgetTouched(targets, by: frame)
    let isTextShown = shown?.size == frame.size && shown?.cells == frame.cells
    // While other visible pictures are pending, drafts are good enough.
    let drafts = pictures.hasPendingVisiblePictures ? [] : targets.filter { $0.final != nil }
    // Most messages change nothing visible: then not a byte is sent.
    guard !isTextShown || marks != written || !onScreen.shows(places) || !drafts.isEmpty else { return }
    let uncovered = removeMarks(except: written, places)
    let changes = onScreen.begin(places)
    let erase = uncovered + changes.erase
    // While sent bytes are still on their way, pictures are held back. Most become stale and are never sent.
    let room = link.room
    let isHeld = room == 0
    let newMarks = written.filter { !marks.contains($0) }
    let isChanged = !isTextShown || !erase.isEmpty || !changes.removal.isEmpty || !newMarks.isEmpty
    if isHeld || changes.draw.isEmpty && drafts.isEmpty, !isChanged { return }
    marks = written
    let new = Set(changes.draw)
    let drawn = isHeld ? [] : targets.filter { new.contains($0.place) }
    var sending = Sending(
      part: FramePart(), began: clock.now, room: room, writeSize: min(Self.writeSize, max(4096, room / 2)))
    sending.part.isFirst = true
    sending.part.erasing = changes.removal
    let bands = isTextShown ? [Band(of: frame, drawn)] : bands(of: frame, with: drawn)
    func isCutShort() -> Bool {
      if bands.count > 1, let hasTerminalInput { hasTerminalInput() } else { isInterrupted() }
    }
    for (index, band) in bands.enumerated() {
      show(band.rows, of: frame, erase, newMarks, &sending)
      try send(band.targets, &sending, isCutShort)
      let later = bands[(index + 1)...]
      if later.isEmpty { break }
      if !sending.isMore { _ = try pause(&sending, isCutShort, isDue: true) }
      if sending.isMore {
        // The remaining pictures are left to the next frame, but not the text: `shown` must be what is on the
        // screen, and without another key there may be no next frame soon.
        show(later.flatMap(\.rows), of: frame, erase, newMarks, &sending)
        break
      }
    }
    shown = frame
    if !isHeld, !sending.isMore { try refine(drafts, &sending, isCutShort) }
    try finish(&sending)
  }

  private func targets(of frame: ScreenFrame) -> [PictureTarget] {
    runs.beginFrame()
    let limit = pictures.limit(
      version: { [unowned self] in runs.version(of: $0) },
      isEncoded: { [unowned self] in runs.isEncoded($0) })
    return PictureTarget.targets(
      of: frame, keeping: limit, isLinkSlow: link.isSlow, isShown: onScreen.contains
    ) {
      pictures.picture(for: $0)
    }
  }

  /// Makes pictures in whose rows text changes be drawn again, where the terminal keeps few.
  ///
  /// tmux removes a picture when a cell of it is written or anything in its rows is erased (EL and ECH, which ncurses
  /// chooses by their cost).
  private func forgetTouched(_ targets: [PictureTarget], by frame: ScreenFrame) {
    guard pictures.mostPictures != nil, !pictures.hasBlocksForLink, let shown, shown.size == frame.size
    else { return }
    let changed = (0..<frame.size.rows).filter { shown.row($0) != frame.row($0) }
    for target in targets where !target.isText && onScreen.contains(target.place) {
      let rect = target.place.rect
      if changed.contains(where: (rect.row..<rect.endRow).contains) { onScreen.forget(target.place) }
    }
  }

  /// Adopts another terminal, or new knowledge of it; the screen was erased before.
  func setTraits(_ traits: TerminalTraits) {
    onScreen = PictureScreen(pictures, on: traits)
  }

  // MARK: Text

  /// Rows whose text is sent together with the pictures that end in them.
  private struct Band {
    var rows: [Range<Int>]
    var targets: [PictureTarget]

    init(rows: [Range<Int>], _ targets: [PictureTarget]) {
      self.rows = rows
      self.targets = targets
    }

    /// Creates a band with a whole frame.
    init(of frame: ScreenFrame, _ targets: [PictureTarget]) {
      self.init(rows: [0..<frame.size.rows], targets)
    }
  }

  /// With fewer pictures, the delay between text and pictures is not visible.
  private static let minimumPicturesForBands = 8

  /// Returns the bands in which a frame is sent: a terminal without synchronized output would show new text
  /// above old pictures while the grid scrolls.
  ///
  /// A band ends where a drawn picture ends; a picture that spans several bands is sent with the last of
  /// them. So the text of all its rows is written before it, and none over it.
  private func bands(of frame: ScreenFrame, with drawn: [PictureTarget]) -> [Band] {
    let whole = Band(of: frame, drawn)
    // Text of a later band might remove a picture where the terminal keeps few.
    guard pictures.mostPictures == nil, drawn.count >= Self.minimumPicturesForBands,
      !terminal.traits.capabilities.hasSynchronizedOutput,
      !link.isSlow, shown?.size == frame.size
    else { return [whole] }
    let ending = Dictionary(grouping: drawn) { min($0.place.rect.endRow, frame.size.rows) }
    var bands: [Band] = []
    var (start, bottom) = (0, ending.keys.max() ?? 0)
    var targets: [PictureTarget] = []
    for end in ending.keys.sorted() {
      targets += ending[end] ?? []
      // A few small ones, such as album posters, do not make a band.
      guard targets.reduce(0, { $0 + $1.picture.cost }) >= Self.writeSize || end == bottom else { continue }
      bands.append(Band(rows: [start..<end], targets))
      (start, targets) = (end, [])
    }
    guard bands.count > 1 else { return [whole] }
    // Rows below all pictures, such as the status line, go first, as feedback to the key.
    bands[0].rows.append(bottom..<frame.size.rows)
    return bands
  }

  /// Adds the text of some rows to the next write, with the erased cells before it and the marks over it.
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

  /// A frame being sent.
  private struct Sending {
    /// Content of the next write.
    var part: FramePart
    let began: Duration
    /// Number of bytes that may be sent before the terminal has drawn some.
    let room: Int
    let writeSize: Int
    var sent = 0
    /// Whether pictures were left out for lack of room, or because of an event.
    var isMore = false

    var isFull: Bool { sent + part.pictures.count >= room }
  }

  /// Sends pictures, several in one write if they are small.
  private func send(
    _ targets: [PictureTarget], _ sending: inout Sending, _ isInterrupted: () -> Bool
  ) throws(TerminalError) {
    for (index, target) in targets.enumerated() {
      if target.place.isTransient { pictures.markSent(target.place.version) }
      if target.final?.place == refining?.place { refining = nil }
      if let run = target.run, !runs.isEncoded(run), index > 0,
        try pause(&sending, isInterrupted, isDue: true)
      {
        return
      }
      guard let picture = picture(of: target) else { continue }
      sending.part.pictures += onScreen.draw(target.place, picture) { terminal.share($0) }
      remark(target.place.rect, &sending)
      guard index < targets.count - 1 else { break }
      if try pause(&sending, isInterrupted) { return }
    }
  }

  /// Returns the picture of a target; thumbnails that are sent as one picture are encoded now.
  private func picture(of target: PictureTarget) -> EncodedPicture? {
    guard let run = target.run else { return target.picture }
    return runs.picture(of: run) { pictures.encode($0) }
  }

  /// Replaces drafts with their pictures, the largest first, large ones in strips.
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
          terminal.share($0)
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

  /// Sends the marks again that a picture has covered.
  private func remark(_ rect: CellRect, _ sending: inout Sending) {
    sending.part.marks += marks.filter { $0.rect.intersects(rect) && !sending.part.marks.contains($0) }
  }

  /// Between two pictures: writes the collected content if it is large enough.
  /// - Parameter isDue: whether to write it in any case.
  /// - Returns: whether to leave the rest to the next frame.
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

  /// Ends the frame, and asks the terminal to confirm that it is drawn if that helps to measure the link.
  private func finish(_ sending: inout Sending) throws(TerminalError) {
    sending.part.isLast = true
    sending.part.asksWhenDrawn = link.shouldAsk(
      after: sending.sent + sending.part.pictures.count + sending.part.textEstimate, isMore: sending.isMore)
    sending.sent += try terminal.write(sending.part)
    link.sent(sending.sent, began: sending.began)
    if sending.part.asksWhenDrawn { link.asked() }
  }

  // MARK: Marks

  /// Removes marks that are not written in the next frame.
  ///
  /// If the terminal stores a picture in its cells (sixels, blocks), the mark has overwritten it, and the
  /// picture is drawn again. A kitty picture is separate from the cells: it reappears when the mark is
  /// blanked.
  /// - Returns: the cells to erase.
  private func removeMarks(except written: [PictureMark], _ places: [PlacedPicture]) -> [CellRect] {
    let kept = written.map(\.rect)
    let uncovered = marks.filter { !written.contains($0) }.flatMap { $0.rect.parts(outside: kept) }
    for cells in uncovered {
      let below = places.first { $0.livesInCells && $0.rect.intersects(cells) }
      if let below { onScreen.forget(below) }
    }
    return uncovered
  }

  /// Erases the screen; the next frame is drawn from scratch.
  func reset() throws(TerminalError) {
    shown = nil
    marks = []
    var part = FramePart()
    part.erasing = onScreen.clear(terminal.window.cells)
    if !part.erasing.isEmpty { _ = try terminal.write(part) }
  }
}

extension PictureScreen {
  fileprivate init(_ pictures: PictureStore, on traits: TerminalTraits) {
    self.init(
      kitty: pictures.kitty, firstNumber: .random(in: 0...UInt64(UInt32.max)), ground: traits.ground,
      savesCursor: traits.savesCursor, erasesFirst: pictures.mostPictures != nil)
  }
}
