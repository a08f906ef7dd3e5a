import Pixels
import TerminalGraphics

/// How pictures are encoded for the screen, and what goes before them over a slow link.
struct PictureEncoders: Sendable {
  var encoder: any PictureEncoder
  /// Makes what stands there until the picture has come; nil = the link is fast enough.
  var draftEncoder: (any PictureEncoder)?

  /// The bytes of a picture, not numbered yet.
  /// - Parameters:
  ///   - isDegraded: whether a better one follows: over a slow link it is a draft, and the draft of that one.
  ///   - known: what there is of the picture so far.
  func encode(
    _ pixels: PixelBuffer, isDegraded: Bool, over backdrop: Backdrop, known: ScreenPicture?
  ) -> ScreenPicture {
    guard let draftEncoder else {
      return ScreenPicture(version: 0, encoded: encoder.encode(pixels, over: backdrop))
    }
    if isDegraded { return ScreenPicture(version: 0, encoded: draftEncoder.encode(pixels, over: backdrop)) }
    let picture = encoder.encode(pixels, over: backdrop)
    // Nothing is won by a draft where the picture itself is short.
    if picture.cost < Self.worthDraft { return ScreenPicture(version: 0, encoded: picture) }
    let draft =
      known.map { ScreenPicture.Draft(version: $0.version, encoded: $0.encoded) }
      ?? ScreenPicture.Draft(version: 0, encoded: draftEncoder.encode(pixels, over: backdrop))
    return ScreenPicture(version: 0, encoded: picture, draft: draft)
  }

  private static let worthDraft = 4096
}

extension ScreenPicture {
  /// The picture with numbers for what has none yet.
  /// - Parameter last: the last number that was given, and then the one that is given.
  func numbered(after last: inout UInt64) -> ScreenPicture {
    var picture = self
    if picture.draft?.version == 0 {
      last += 1
      picture.draft?.version = last
    }
    last += 1
    picture.version = last
    return picture
  }
}
