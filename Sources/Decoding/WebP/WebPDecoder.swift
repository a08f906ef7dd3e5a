import AssetLibrary
import Pixels

/// Decodes a WebP, or the first picture of an animated one, with libwebp, which shrinks it on the way.
///
/// The file is held in memory: libwebp needs its bytes until the end.
enum WebPDecoder {
  static func decode(
    _ job: DecodeJob, needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    let bytes = try job.bytes()
    if bytes.count < job.reader.count { throw .noEnd }
    // Array storage stays in place for the closure; nothing of libwebp outlives it.
    let result: Result<DecodedImage, DecodeStop> = bytes.withUnsafeBytes { bytes in
      do throws(DecodeStop) {
        return .success(try WebPContainer(bytes, allowsPartial: true).decode(job, needed: needed))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
