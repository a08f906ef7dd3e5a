/// A picture in the shape asked for, and the thumbnail that was asked for with it.
package struct RenderedPicture: Sendable {
  package let picture: DecodedPicture
  package let thumbnail: DecodedPicture?
  /// How many pixels the decoder gave.
  package let decodedPixels: Int
}
