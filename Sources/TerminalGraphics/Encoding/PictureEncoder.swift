package import Pixels

/// Turns pixels into bytes for the terminal.
///
/// One shape for every protocol.
package protocol PictureEncoder: Sendable {
  /// The pixels to ask for, so that a picture fills a box of cells.
  var geometry: PictureGeometry { get }

  /// The bytes of a picture. Pure; safe from several threads.
  func encode(_ picture: PixelBuffer) -> EncodedPicture
}

extension PictureEncoder {
  /// The bytes of a picture that may let something through, over what it lets through.
  package func encode(_ picture: PixelBuffer, over backdrop: Backdrop) -> EncodedPicture {
    encode(picture.composited(over: backdrop, cell: geometry.cell))
  }
}
