import PickerUI
import Pixels
import TerminalGraphics

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
  private var urgency: Int

  /// Returns the ready pictures for a frame's slots.
  ///
  /// If a frame has more slots than the terminal keeps pictures, the most numerous ones are drawn as text: first the
  /// pictures in a single line, then the grid.
  /// - Parameters:
  ///   - mostPictures: the most pictures that the terminal keeps; nil means any number.
  ///   - isLinkSlow: whether to send drafts first, the most urgent pictures before all others.
  ///   - isShown: returns whether a picture is on the screen already.
  static func targets(
    of frame: ScreenFrame, mostPictures: Int? = nil, isLinkSlow: Bool = false,
    isShown: (PlacedPicture) -> Bool = { _ in false },
    picture: (PictureKey) -> ScreenPicture?
  ) -> [PictureTarget] {
    var copies: [UInt64: Int] = [:]
    let leastUrgent = mostPictures.map { most in
      (0...2).last { urgency in frame.slots.count(where: { $0.keepingUrgency <= urgency }) <= most } ?? -1
    }
    let targets = frame.slots.compactMap { slot -> PictureTarget? in
      guard var picture = picture(slot.key) else { return nil }
      if let leastUrgent {
        // Where few pictures are kept, text over one removes it.
        let isMarked = frame.marks.contains { $0.rect.intersects(slot.rect) }
        if isMarked || slot.keepingUrgency > leastUrgent { picture = picture.asText }
      }
      let copy = copies[picture.version, default: 0]
      copies[picture.version] = copy + 1
      let marks = frame.marks.map(\.rect).filter { $0.intersects(slot.rect) }
      return PictureTarget(
        picture, in: slot, copy: copy, marks: marks, isLinkSlow: isLinkSlow, isShown: isShown)
    }
    guard isLinkSlow else { return targets }
    return (0...2).flatMap { urgency in targets.filter { $0.urgency == urgency } }
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
