import CCanvas
import CHEIF
import CHEVC
import CodecProtocol

/// The picture of a HEIC or AVIF file, by libheif, which turns, mirrors and crops it as the file says.
enum HEIFDecoder {
  /// Thumbnails that are looked at.
  private static let most = 16

  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    let opened = try HEIFFile(file)
    return try withExtendedLifetime(opened) { () throws(CodecError) in
      let source = (width: opened.width, height: opened.height)
      try Limits.check(source.width, source.height, request)
      let thumbnails = Thumbnails(of: opened)
      let covering = thumbnails.covering(request)
      if request.source == .embedded {
        guard let chosen = covering ?? thumbnails.largest else { throw .nothingEmbedded }
        return try decode(chosen, source, request)
      }
      if let covering, let picture = try? decode(covering, source, request) { return picture }
      return try decode(opened.primary, source, request)
    }
  }

  private static func decode(
    _ handle: OpaquePointer, _ source: (width: Int, height: Int), _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    heif_image_handle_has_alpha_channel(handle) != 0
      ? try decodeWithAlpha(handle, source, request) : try decodeOpaque(handle, source, request)
  }

  private static func decodeWithAlpha(
    _ handle: OpaquePointer, _ source: (width: Int, height: Int), _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    chevc_begin(chevc_order(is_rgb: false, matrix: -1, is_full: false))
    let image = try HEIFImage(handle, heif_chroma_interleaved_RGBA)
    return try withExtendedLifetime(image) { () throws(CodecError) in
      guard let plane = image.plane(heif_channel_interleaved), plane.stride >= plane.width * 4 else {
        throw .unreadable("a damaged picture")
      }
      var format = canvas_format(width: plane.width, height: plane.height, colours: 3)
      format.extras = 1
      format.has_alpha = true
      format.is_premultiplied = heif_image_handle_is_premultiplied_alpha(handle) != 0
      let canvas = try Canvas(format, source: source, for: request)
      setColours(of: canvas, from: handle)
      canvas.put(plane.bytes, count: plane.height, stride: plane.stride)
      return canvas.finish(note: damage)
    }
  }

  /// Asks for planes, as libheif has the picture within: everything else it makes of them.
  private static func decodeOpaque(
    _ handle: OpaquePointer, _ source: (width: Int, height: Int), _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    let coding = nclx(of: handle)
    chevc_begin(
      chevc_order(is_rgb: true, matrix: coding?.matrix ?? -1, is_full: coding?.isFullRange ?? false))
    let image = try HEIFImage(handle, heif_chroma_444)
    return try withExtendedLifetime(image) { () throws(CodecError) in
      let planes = [heif_channel_R, heif_channel_G, heif_channel_B].compactMap { image.plane($0) }
      guard planes.count == 3,
        planes.allSatisfy({
          $0.width == planes[0].width && $0.height == planes[0].height && $0.bits == planes[0].bits
            && $0.stride >= $0.width * ($0.bits > 8 ? 2 : 1)
        })
      else { throw .unreadable("a damaged picture") }
      let format = canvas_format(width: planes[0].width, height: planes[0].height, colours: 3)
      let canvas = try Canvas(format, source: source, for: request)
      setColours(of: canvas, from: handle)
      for y in 0..<planes[0].height {
        canvas.put(
          planes[0].bytes + y * planes[0].stride, planes[1].bytes + y * planes[1].stride,
          planes[2].bytes + y * planes[2].stride, bits: planes[0].bits)
      }
      return canvas.finish(note: damage)
    }
  }

  /// Words for what was mended.
  private static var damage: String? {
    chevc_was_mended() ? "parts of the picture are damaged or missing" : nil
  }

  /// What the container says of the coding (ISO/IEC 14496-12, 12.1.5), by the code points of ITU-T H.273.
  private static func nclx(
    of handle: OpaquePointer
  ) -> (primaries: Int32, transfer: Int32, matrix: Int32, isFullRange: Bool)? {
    var nclx: UnsafeMutablePointer<heif_color_profile_nclx>?
    guard heif_image_handle_get_nclx_color_profile(handle, &nclx).code == heif_error_Ok, let nclx else {
      return nil
    }
    defer { heif_nclx_color_profile_free(nclx) }
    return (
      Int32(nclx.pointee.color_primaries.rawValue), Int32(nclx.pointee.transfer_characteristics.rawValue),
      Int32(nclx.pointee.matrix_coefficients.rawValue), nclx.pointee.full_range_flag != 0
    )
  }

  /// The ICC profile, or the coding's own primaries and curve.
  private static func setColours(of canvas: Canvas, from handle: OpaquePointer) {
    let count = heif_image_handle_get_raw_color_profile_size(handle)
    if count > 0 {
      var profile = [UInt8](repeating: 0, count: count)
      guard heif_image_handle_get_raw_color_profile(handle, &profile).code == heif_error_Ok else { return }
      profile.withUnsafeBytes { canvas.setProfile($0) }
    } else if let coding = nclx(of: handle) {
      canvas.setCoding(primaries: coding.primaries, transfer: coding.transfer)
    }
  }

  /// The primary picture's thumbnails of its own shape.
  private final class Thumbnails {
    private var handles: [OpaquePointer] = []

    init(of file: HEIFFile) {
      let count = min(most, Int(heif_image_handle_get_number_of_thumbnails(file.primary)))
      var items = [heif_item_id](repeating: 0, count: max(0, count))
      let listed = heif_image_handle_get_list_of_thumbnail_IDs(file.primary, &items, Int32(items.count))
      for item in items.prefix(Int(max(0, listed))) {
        var handle: OpaquePointer?
        guard heif_image_handle_get_thumbnail(file.primary, item, &handle).code == heif_error_Ok, let handle
        else { continue }
        let (width, height) = Self.size(handle)
        if Shape.match(width, height, file.width, file.height) {
          handles.append(handle)
        } else {
          heif_image_handle_release(handle)
        }
      }
      handles.sort { Self.size($0).width < Self.size($1).width }
    }

    deinit {
      for handle in handles { heif_image_handle_release(handle) }
    }

    private static func size(_ handle: OpaquePointer) -> (width: Int, height: Int) {
      (Int(heif_image_handle_get_width(handle)), Int(heif_image_handle_get_height(handle)))
    }

    var largest: OpaquePointer? { handles.last }

    /// The smallest that is as large as the caller wants the picture.
    func covering(_ request: DecodeRequest) -> OpaquePointer? {
      guard request.targetWidth > 0 || request.targetHeight > 0 else { return nil }
      return handles.first {
        let (width, height) = Self.size($0)
        return request.reduction(ofWidth: width, height: height) >= 1
      }
    }
  }
}
