import Pixels

/// Another encoder's pictures, none of them larger than a size.
struct CappedEncoder: PictureEncoder {
  private let base: any PictureEncoder
  private let largest: PixelSize

  init(_ base: any PictureEncoder, largest: PixelSize) {
    self.base = base
    self.largest = largest
  }

  var geometry: PictureGeometry {
    var geometry = base.geometry
    let own = geometry.largest ?? largest
    geometry.largest = PixelSize(
      width: min(own.width, largest.width), height: min(own.height, largest.height))
    return geometry
  }

  func encode(_ picture: PixelBuffer) -> EncodedPicture { base.encode(picture) }
}
