import CCanvas
import CRAW
import CodecProtocol

/// The picture of a raw file, by LibRaw: its preview, or its sensor's data developed.
enum RAWDecoder {
  /// Whether LibRaw takes a file for a raw one.
  static func knows(_ file: InputFile) -> Bool { (try? RAWFile(file)) != nil }

  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    let raw = try RAWFile(file)
    let measured = raw.measured
    try Limits.check(Int(measured.width), Int(measured.height), request)
    if request.source != .developed {
      do throws(CodecError) {
        if let preview = try preview(of: raw, measured, request) { return preview }
      } catch {
        // A preview that can't be decoded counts as missing if the sensor's data can be developed.
        guard request.source == .picture else { throw error }
      }
      guard request.source == .picture else { throw .nothingEmbedded }
    }
    guard !file.isPartial else { throw .nothingEmbedded }
    guard measured.sensor_pixels <= UInt64(clamping: request.maxPixels) else {
      throw .tooLarge("more pixels on its sensor than are decoded")
    }
    return try developed(raw, measured, request)
  }

  /// The preview in the file, turned as the picture is; nil where there is none.
  private static func preview(
    of raw: RAWFile, _ measured: craw_picture, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory? {
    let source = (width: Int(measured.width), height: Int(measured.height))
    return try raw.withPreview { preview throws(CodecError) in
      let bytes = UnsafeRawBufferPointer(start: preview.bytes, count: preview.length)
      if preview.is_jpeg {
        return try JPEGPreview.picture(of: bytes, measured.orientation, source, request)
      }
      var format = canvas_format(
        width: Int(preview.width), height: Int(preview.height), colours: preview.colours)
      format.orientation = JPEGPreview.orientation(
        measured.orientation, ofWidth: Int(preview.width), height: Int(preview.height), source)
      let canvas = try Canvas(format, source: source, for: request)
      canvas.put(
        bytes.baseAddress, count: Int(preview.height), stride: Int(preview.width) * Int(preview.colours))
      return canvas.finish()
    }
  }

  private static func developed(
    _ raw: RAWFile, _ measured: craw_picture, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    let source = (width: Int(measured.width), height: Int(measured.height))
    let isHalfEnough = request.reduction(ofWidth: source.width / 2, height: source.height / 2) >= 1
    let isNative = request.targetWidth + request.targetHeight == 0
    return try raw.withDeveloped(half: isHalfEnough && !isNative) { pixels throws(CodecError) in
      let format = canvas_format(
        width: Int(pixels.width), height: Int(pixels.height), colours: pixels.colours)
      let canvas = try Canvas(format, source: source, for: request)
      canvas.put(pixels.bytes, count: Int(pixels.height), stride: Int(pixels.width) * Int(pixels.colours))
      return canvas.finish()
    }
  }
}
