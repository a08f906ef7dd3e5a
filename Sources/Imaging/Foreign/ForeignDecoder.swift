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
