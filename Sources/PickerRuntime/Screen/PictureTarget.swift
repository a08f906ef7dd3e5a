import PickerUI
import Pixels
import TerminalGraphics

/// A picture that there is for a slot of a frame, and where it goes.
struct PictureTarget {
  var place: PlacedPicture
  var picture: EncodedPicture

  /// The pictures of a frame, as far as there are some for its slots.
  static func targets(
    of frame: ScreenFrame, picture: (PictureKey) -> ScreenPicture?
  ) -> [PictureTarget] {
    var copies: [UInt64: Int] = [:]
    return frame.slots.compactMap { slot in
      guard let picture = picture(slot.key) else { return nil }
      let copy = copies[picture.version, default: 0]
      copies[picture.version] = copy + 1
      return PictureTarget(picture, in: slot, copy: copy)
    }
  }

  private init(_ picture: ScreenPicture, in slot: PictureSlot, copy: Int) {
    let encoded = picture.encoded
    let size = encoded.size
    let rows = slot.alignment == .top ? 0 : max(0, (slot.rect.rows - size.rows) / 2)
    place = PlacedPicture(
      version: picture.version, copy: copy, row: slot.rect.row + rows,
      column: slot.rect.column + max(0, (slot.rect.columns - size.columns) / 2), size: size,
      covered: encoded.covered, livesInCells: encoded.livesInCells, isTransient: picture.isTransient)
    self.picture = encoded
  }
}
