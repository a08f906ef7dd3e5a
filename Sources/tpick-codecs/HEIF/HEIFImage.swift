import CHEIF
import CodecProtocol

/// A picture that libheif decoded and turned; owns its pixels.
final class HEIFImage {
  /// Samples of one channel, or of all of them side by side; lent by the image.
  struct Plane {
    var bytes: UnsafePointer<UInt8>
    var width: Int
    var height: Int
    /// Bytes from one row to the next.
    var stride: Int
    var bits: Int
  }

  private let image: OpaquePointer

  /// - Parameter image: the object's own from now on.
  init(owning image: OpaquePointer) {
    self.image = image
  }

  deinit {
    heif_image_release(image)
  }

  /// Lends the planes of channels, those that are there.
  func withPlanes<Result>(
    _ channels: [heif_channel], _ body: ([Plane]) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try withExtendedLifetime(self) { () throws(CodecError) in try body(channels.compactMap { plane($0) }) }
  }

  private func plane(_ channel: heif_channel) -> Plane? {
    var stride: Int32 = 0
    let width = Int(heif_image_get_width(image, channel))
    let height = Int(heif_image_get_height(image, channel))
    guard width > 0, height > 0, let bytes = heif_image_get_plane_readonly(image, channel, &stride),
      Int(stride) >= width
    else { return nil }
    let bits = Int(heif_image_get_bits_per_pixel_range(image, channel))
    return Plane(bytes: bytes, width: width, height: height, stride: Int(stride), bits: bits)
  }
}
