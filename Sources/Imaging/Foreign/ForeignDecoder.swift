package import AssetLibrary
package import Pixels

/// Decodes what the light libraries here do not know: HEIC, AVIF, TIFF, JPEG XL, raw files, stills of videos.
///
/// Called on the worker that draws the picture, several at a time.
package protocol ForeignDecoder: Sendable {
  /// The picture of a file.
  /// - Parameter isCancelled: to be asked often; once it answers true, nobody wants the picture any more.
  /// - Returns: nil when it was cancelled.
  /// - Throws: `AssetError` that names the file and the cause.
  func picture(
    of reader: any ResourceReader, request: ForeignRequest, isCancelled: () -> Bool
  ) throws(AssetError) -> ForeignPicture?

  /// The frames of something that moves.
  /// - Parameter range: where it lies in the reader's file, in bytes.
  /// - Throws: `AssetError` when it can't be played.
  func frames(
    of reader: any ResourceReader, range: Range<Int>, name: String, targetSize: PixelSize,
    cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader
}

/// What a foreign decoder is asked for.
package struct ForeignRequest: Hashable, Sendable {
  /// What error messages call the file.
  package var name: String
  /// The format by the file's content, as "public.heic".
  package var uniformTypeIdentifier: String
  /// The box that the upright picture is shown in, in pixels; empty for the native size.
  package var targetSize: PixelSize
  package var contentMode: ContentMode
  /// The most pixels that the answer may have, and that a side of the picture may.
  var pixelLimit: Int
  var sideLimit: Int
  /// Whether the sensor's data of a raw file are to be developed, in place of its preview.
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

/// What a foreign decoder answers: a picture that stands upright, in sRGB.
///
/// The orientation that the library knows of the resource is not applied to it again.
package struct ForeignPicture: Sendable {
  /// At least as large as it will be shown, unless the whole picture is smaller.
  package var pixels: PixelBuffer
  /// The upright size of the whole picture, which decides the size it is shown at.
  package var sourceSize: PixelSize
  /// What is missing from it, in words; nil where nothing is.
  package var note: String?

  package init(pixels: PixelBuffer, sourceSize: PixelSize, note: String? = nil) {
    self.pixels = pixels
    self.sourceSize = sourceSize
    self.note = note
  }
}

/// Pictures that move whose memory is counted among that of the pictures being made, for as long as they are there.
final class ReservedFrames: FrameReader {
  private let frames: any FrameReader
  private let release: () -> Void

  /// - Parameter release: called when the last reference goes.
  init(_ frames: any FrameReader, release: @escaping () -> Void) {
    (self.frames, self.release) = (frames, release)
  }

  deinit {
    release()
  }

  var playCount: Int? { frames.playCount }

  func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame? { try frames.next(skip) }
  func rewind() throws(AssetError) { try frames.rewind() }
}
