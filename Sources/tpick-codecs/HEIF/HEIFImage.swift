import CHEIF
import CodecProtocol

/// A picture that libheif decoded and turned.
final class HEIFImage {
  /// Samples of one channel, or of all of them side by side.
  struct Plane {
    var bytes: UnsafePointer<UInt8>
    var width: Int
    var height: Int
    /// Bytes from one row to the next.
    var stride: Int
    var bits: Int
  }

  private let image: OpaquePointer

  init(
    _ handle: OpaquePointer, _ layout: heif_chroma
  ) throws(CodecError) {
    guard let options = heif_decoding_options_alloc() else { throw .unreadable("out of memory") }
    defer { heif_decoding_options_free(options) }
    options.pointee.convert_hdr_to_8bit = 1
    var image: OpaquePointer?
    try HEIFFile.check(heif_decode_image(handle, &image, heif_colorspace_RGB, layout, options))
    guard let image else { throw .unreadable("a damaged picture") }
    self.image = image
  }

  deinit {
    heif_image_release(image)
  }

  func plane(_ channel: heif_channel) -> Plane? {
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
