import PickerUI
import Pixels
import TerminalGraphics

/// The limits of a terminal that keeps few pictures, and the runs of thumbnails known so far.
struct PictureLimit {
  /// The most pictures that it keeps.
  var count: Int
  /// Size of a character cell in pixels.
  var cell: PixelSize
  /// Size of the largest picture that it draws; nil means any size.
  var largest: PixelSize?
  /// Returns whether a thumbnail is pending.
  var isPending: (PictureKey) -> Bool
  /// Returns the version of a run.
  var version: (PictureRun) -> UInt64
  /// Returns whether a run is encoded.
  var isEncoded: (PictureRun) -> Bool
}

/// A ready picture for a slot of a frame, and its place on the screen.
struct PictureTarget {
  /// The picture that replaces a draft as soon as nothing else has to be sent.
  struct Final {
    var place: PlacedPicture
    var picture: EncodedPicture
  }

  var place: PlacedPicture
  var picture: EncodedPicture
  /// Nil if no draft is shown, or none any more.
  var final: Final?
  /// The thumbnails that it combines, which are encoded only when it is sent; nil for any other picture.
  var run: PictureRun?
  /// Whether it is drawn as text because the terminal would not keep it as a picture.
  var isText = false
  private var urgency: Int

  /// Returns the ready pictures for a frame's slots.
  /// - Parameters:
  ///   - keeping: the limits of a terminal that keeps few pictures; nil means any number.
  ///   - isLinkSlow: whether to send drafts first, the most urgent pictures before all others.
  ///   - isShown: returns whether a picture is on the screen already.
  static func targets(
    of frame: ScreenFrame, keeping: PictureLimit? = nil, isLinkSlow: Bool = false,
    isShown: (PlacedPicture) -> Bool = { _ in false },
    picture: (PictureKey) -> ScreenPicture?
  ) -> [PictureTarget] {
    var copies: [UInt64: Int] = [:]
    func copy(of version: UInt64) -> Int {
      copies[version, default: -1] += 1
      return copies[version, default: 0]
    }
    func target(
      _ picture: ScreenPicture, in slot: PictureSlot, isLinkSlow: Bool = isLinkSlow
    ) -> PictureTarget {
      let marks = frame.marks.map(\.rect).filter { $0.intersects(slot.rect) }
      return PictureTarget(
        picture, in: slot, copy: copy(of: picture.version), marks: marks, isLinkSlow: isLinkSlow,
        isShown: isShown)
    }
    let ready = frame.slots.compactMap { slot in picture(slot.key).map { (slot, $0) } }
    let targets =
      if let keeping {
        few(ready, of: frame, keeping, isShown: isShown) { target($0, in: $1, isLinkSlow: false) }
      } else {
        ready.map { slot, picture in target(picture, in: slot) }
      }
    guard isLinkSlow else { return targets }
    return (0...2).flatMap { urgency in targets.filter { $0.urgency == urgency } }
  }

  /// Returns the pictures for a terminal that keeps few.
  ///
  /// Previews come first, then thumbnails, many as one picture, then pictures in a single line; others are text.
  private static func few(
    _ ready: [(slot: PictureSlot, picture: ScreenPicture)], of frame: ScreenFrame, _ limit: PictureLimit,
    isShown: (PlacedPicture) -> Bool, target: (ScreenPicture, PictureSlot) -> PictureTarget
  ) -> [PictureTarget] {
    // Text over a picture removes it.
    let marks = ready.map { ready in frame.marks.filter { $0.rect.intersects(ready.slot.rect) } }
    func indices(_ urgency: Int) -> [Int] {
      ready.indices.filter { ready[$0].slot.keepingUrgency == urgency && (urgency == 1 || marks[$0].isEmpty) }
    }
    var (room, drawn) = (limit.count, Set<Int>())
    func take(_ places: [Int]) {
      guard places.count <= room else { return }
      drawn.formUnion(places)
      room -= places.count
    }
    take(indices(0))
    let tiles = indices(1).compactMap { index -> (index: Int, tile: PictureRun.Tile)? in
      let (slot, picture) = ready[index]
      let place = PlacedPicture(
        picture.encoded, version: picture.version, copy: 0, in: slot, marks: [], isTransient: false)
      guard let pixels = picture.pixels, marks[index].allSatisfy({ $0.canBeDrawn(in: place.rect) }) else {
        return nil
      }
      return (
        index, PictureRun.Tile(version: picture.version, place: place, pixels: pixels, marks: marks[index])
      )
    }
    let indexOfPlace = Dictionary(tiles.map { ($0.tile.place.rect, $0.index) }) { first, _ in first }
    // While the thumbnails of a row arrive one by one, each would change its run.
    let pending = frame.slots.filter { $0.keepingUrgency == 1 && limit.isPending($0.key) }.map(\.rect)
    func isComplete(_ run: PictureRun) -> Bool {
      let rect = run.tiles[0].place.rect
      return !pending.contains { $0.row < rect.endRow && rect.row < $0.endRow }
    }
    var combined: [PictureTarget] = []
    // The longest runs first: what does not fit is the least.
    let runs = PictureRun.runs(
      of: tiles.map(\.tile), cell: limit.cell, largest: limit.largest, isBlank: frame.isBlank)
    let order = runs.indices.sorted { (runs[$1].size.area, $0) < (runs[$0].size.area, $1) }
    for run in order.map({ runs[$0] }) where room > 0 {
      let members = run.tiles.compactMap { indexOfPlace[$0.place.rect] }
      if run.tiles.count == 1, run.tiles[0].marks.isEmpty, let only = members.first {
        guard isComplete(run) || isShown(run.tiles[0].place) else { continue }
        drawn.insert(only)
      } else {
        let place = run.place(version: limit.version(run), copy: 0)
        guard isComplete(run) || limit.isEncoded(run) || isShown(place) else { continue }
        combined.append(PictureTarget(run, at: place))
        drawn.formUnion(members)
      }
      room -= 1
    }
    let members = Set(combined.flatMap { $0.run?.tiles.compactMap { indexOfPlace[$0.place.rect] } ?? [] })
    take(indices(2))
    return ready.indices.filter { !members.contains($0) }.map { index in
      let (slot, picture) = ready[index]
      if drawn.contains(index) || picture.blocks == nil { return target(picture, slot) }
      var text = target(picture.asText, slot)
      text.isText = true
      return text
    } + combined
  }

  /// Returns whether the picture contains a mark, which must not be written over it.
  func contains(_ mark: PictureMark) -> Bool { run?.tiles.contains { $0.marks.contains(mark) } ?? false }

  private init(_ run: PictureRun, at place: PlacedPicture) {
    self.run = run
    self.place = place
    picture = EncodedPicture(size: place.size, covered: place.covered, strips: [])
    urgency = 0
  }

  private init(
    _ picture: ScreenPicture, in slot: PictureSlot, copy: Int, marks: [CellRect], isLinkSlow: Bool,
    isShown: (PlacedPicture) -> Bool
  ) {
    place = PlacedPicture(
      picture.encoded, version: picture.version, copy: copy, in: slot, marks: marks,
      isTransient: picture.isTransient)
    self.picture = picture.encoded
    // The grid, then the preview, then pictures in a single line.
    urgency = slot.rect.rows == 1 ? 2 : slot.key.mode == .aspectFit ? 1 : 0
    guard isLinkSlow, let draft = picture.draft, !isShown(place) else { return }
    final = Final(place: place, picture: picture.encoded)
    place = PlacedPicture(
      draft.encoded, version: draft.version, copy: copy, in: slot, marks: marks,
      isTransient: picture.isTransient)
    self.picture = draft.encoded
  }
}

extension PictureMark {
  /// Returns whether it can be drawn into the pixels of a picture.
  fileprivate func canBeDrawn(in cells: CellRect) -> Bool {
    rect.parts(outside: [cells]).isEmpty && MarkLettering.canDraw(text, columns: columns)
  }
}

extension PictureSlot {
  /// The order in which a terminal that keeps few pictures gets them: the preview, the grid, single lines.
  fileprivate var keepingUrgency: Int { rect.rows == 1 ? 2 : key.mode == .aspectFit ? 0 : 1 }
}

extension PlacedPicture {
  fileprivate init(
    _ encoded: EncodedPicture, version: UInt64, copy: Int, in slot: PictureSlot, marks: [CellRect],
    isTransient: Bool
  ) {
    let size = encoded.size
    let rows = slot.alignment == .top ? 0 : max(0, (slot.rect.rows - size.rows) / 2)
    self.init(
      version: version, copy: copy, row: slot.rect.row + rows,
      column: slot.rect.column + max(0, (slot.rect.columns - size.columns) / 2), size: size,
      covered: encoded.covered, livesInCells: encoded.livesInCells,
      holes: encoded.livesInCells ? [] : marks, isTransient: isTransient)
  }
}
