public import Pixels

/// Another encoder's pictures, none of them larger than a size.
public struct CappedEncoder: PictureEncoder {
  private let base: any PictureEncoder
  private let largest: PixelSize

  public init(_ base: any PictureEncoder, largest: PixelSize) {
    self.base = base
    self.largest = largest
  }

  public var grain: PictureGrain {
    var grain = base.grain
    let own = grain.largest ?? largest
    grain.largest = PixelSize(
      width: min(own.width, largest.width), height: min(own.height, largest.height))
    return grain
  }

  public func encode(_ picture: PixelBuffer) -> EncodedPicture { base.encode(picture) }
}
