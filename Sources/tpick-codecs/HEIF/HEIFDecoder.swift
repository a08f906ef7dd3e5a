import CCodecs
import CHEIF
import CodecProtocol

/// Decodes the picture of a HEIC or AVIF file with libheif, and applies the file's rotation, mirroring and
/// cropping.
enum HEIFDecoder {
  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    guard HEIFReferences(file).isFinite else { throw .unreadable("a picture that contains itself") }
    let primary = try HEIFFile(file).primary()
    let source = (width: primary.width, height: primary.height)
    try Limits.check(source.width, source.height, request)
    let thumbnails = primary.thumbnails
    // The smallest thumbnail that covers the requested size.
    let covering = thumbnails.first {
      request.targetWidth + request.targetHeight > 0
        && request.reduction(ofWidth: $0.width, height: $0.height) >= 1
    }
    // Of a partly fetched file, only thumbnails can be decoded.
    if request.source == .embedded || file.isPartial {
      guard let chosen = covering ?? thumbnails.last else { throw .nothingEmbedded }
      return try decode(chosen, source, request)
    }
    if let covering, let picture = try? decode(covering, source, request) { return picture }
    return try decode(primary, source, request)
  }

  private static func decode(
    _ picture: HEIFPicture, _ source: (width: Int, height: Int), _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    picture.hasAlpha
      ? try decodeWithAlpha(picture, source, request) : try decodeOpaque(picture, source, request)
  }

  private static func decodeWithAlpha(
    _ picture: HEIFPicture, _ source: (width: Int, height: Int), _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    chevc_begin(chevc_order(is_rgb: false, matrix: -1, is_full: false))
    let image = try picture.decode(heif_chroma_interleaved_RGBA)
    return try image.withPlanes([heif_channel_interleaved]) { planes throws(CodecError) in
      guard let plane = planes.first, plane.stride >= plane.width * 4 else {
        throw .unreadable("a damaged picture")
      }
      let part = placement(of: picture, in: plane)
      var format = canvas_format(part)
      format.extras = 1
      format.has_alpha = true
      format.is_premultiplied = picture.isPremultiplied
      let canvas = try Canvas(format, source: source, for: request)
      picture.setColors(of: canvas)
      canvas.put(plane.bytes + part.y * plane.stride + part.x * 4, count: part.height, stride: plane.stride)
      return canvas.finish(note: damage)
    }
  }

  /// Decodes to planes, which is libheif's internal form: other layouts cost a conversion.
  private static func decodeOpaque(
    _ picture: HEIFPicture, _ source: (width: Int, height: Int), _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    let coding = picture.coding
    chevc_begin(
      chevc_order(is_rgb: true, matrix: coding?.matrix ?? -1, is_full: coding?.isFullRange ?? false))
    let image = try picture.decode(heif_chroma_444)
    return try image.withPlanes([heif_channel_R, heif_channel_G, heif_channel_B]) {
      planes throws(CodecError) in
      guard planes.count == 3,
        planes.allSatisfy({
          $0.width == planes[0].width && $0.height == planes[0].height && $0.bits == planes[0].bits
            && $0.stride >= $0.width * ($0.bits > 8 ? 2 : 1)
        })
      else { throw .unreadable("a damaged picture") }
      let part = placement(of: picture, in: planes[0])
      let canvas = try Canvas(canvas_format(part), source: source, for: request)
      picture.setColors(of: canvas)
      let sample = planes[0].bits > 8 ? 2 : 1
      for y in part.y..<part.y + part.height {
        let row = planes.map { $0.bytes + y * $0.stride + part.x * sample }
        canvas.put(row[0], row[1], row[2], bits: planes[0].bits)
      }
      return canvas.finish(note: damage)
    }
  }

  /// Returns the part of a decoded picture to show, and its remaining orientation.
  private static func placement(
    of picture: HEIFPicture, in plane: HEIFImage.Plane
  ) -> HEIFTransformations.Placement {
    picture.transformations?.placement(inWidth: plane.width, height: plane.height)
      ?? HEIFTransformations.Placement(width: plane.width, height: plane.height)
  }

  /// The note about concealed damage.
  private static var damage: String? {
    chevc_was_mended() ? "parts of the picture are damaged or missing" : nil
  }
}

extension canvas_format {
  fileprivate init(_ part: HEIFTransformations.Placement) {
    self.init(width: part.width, height: part.height, colours: 3)
    orientation = part.orientation
  }
}
