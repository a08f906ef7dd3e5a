package import AssetLibrary
package import Pixels

/// Decodes formats that the light libraries don't support: HEIC, AVIF, TIFF, JPEG XL, raw files, stills of
/// videos.
///
/// It is called on worker threads, possibly several at a time.
package protocol ForeignDecoder: Sendable {
  /// Decodes an image.
  /// - Parameters:
  ///   - reader: the bytes of the file.
  ///   - request: the format and the size.
  ///   - isCancelled: to be called often; if it returns true, the image is no longer needed.
  /// - Returns: nil if it was cancelled.
  /// - Throws: `AssetError` with the file and the cause.
  func picture(
    of reader: any ResourceReader, request: ForeignRequest, isCancelled: () -> Bool
  ) throws(AssetError) -> ForeignPicture?

  /// Opens a video or an animation for playback.
  /// - Parameters:
  ///   - reader: the bytes of the file.
  ///   - range: the byte range of the clip in the file.
  ///   - name: the name of the file in messages.
  ///   - targetSize: the box that frames must fit into, in pixels.
  ///   - cancellation: stops all work of the reader.
  /// - Throws: `AssetError` if it can't be played.
  func frames(
    of reader: any ResourceReader, range: Range<Int>, name: String, targetSize: PixelSize,
    cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader
}

/// A request to a foreign decoder.
package struct ForeignRequest: Hashable, Sendable {
  /// The name of the file in messages.
  package var name: String
  /// The format, recognized by the file's content, as "public.heic".
  package var uniformTypeIdentifier: String
  /// The box in which the upright image is shown, in pixels; empty for the native size.
  package var targetSize: PixelSize
  package var contentMode: ContentMode
  /// The maximum number of pixels of the result, and the maximum length of a side of the image.
  var pixelLimit: Int
  var sideLimit: Int
  /// Whether to develop the sensor data of a raw file instead of using its preview.
  package var develops = false

  package init(
    name: String, uniformTypeIdentifier: String, targetSize: PixelSize, contentMode: ContentMode,
    pixelLimit: Int, sideLimit: Int
  ) {
    self.name = name
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.targetSize = targetSize
    self.contentMode = contentMode
    self.pixelLimit = pixelLimit
    self.sideLimit = sideLimit
  }
}

/// The result of a foreign decoder: an upright image in sRGB.
///
/// The orientation of the resource must not be applied again.
package struct ForeignPicture: Sendable {
  /// The pixels, at least as large as they will be shown, unless the whole image is smaller.
  package var pixels: PixelBuffer
  /// The upright size of the whole image, which determines the size at which it is shown.
  package var sourceSize: PixelSize
  /// A description of what is missing from the image; nil if it is complete.
  package var note: String?

  package init(pixels: PixelBuffer, sourceSize: PixelSize, note: String? = nil) {
    self.pixels = pixels
    self.sourceSize = sourceSize
    self.note = note
  }
}

/// Frames whose memory counts toward the pixel budget for as long as the reader exists.
final class ReservedFrames: FrameReader {
  private let frames: any FrameReader
  private let release: () -> Void

  /// - Parameter release: called when the last reference to the reader is released.
  init(_ frames: any FrameReader, release: @escaping () -> Void) {
    (self.frames, self.release) = (frames, release)
  }

  deinit {
    release()
  }

  var playCount: Int? { frames.playCount }

  func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame? { try frames.next(skip) }
  var length: Duration? { frames.length }
  func seek(to time: Duration) throws(AssetError) { try frames.seek(to: time) }
}
