package import AssetLibrary
package import Pixels

/// Makes files that are delivered in place of library files: images in other formats, widely supported
/// videos, files without metadata.
package protocol RepresentationMaker: Sendable {
  /// Writes the representation of a plan into a new file.
  /// - Parameters:
  ///   - plan: a plan that requires a conversion; not `file` and not `unavailable`.
  ///   - options: the format options.
  ///   - descriptor: an empty file, open for reading and writing, which the caller owns.
  ///   - cancellation: stops the conversion, from any thread.
  ///   - progress: receives the completed fraction of a long operation.
  /// - Throws: `AssetError` with the file and the cause; `.cancelled`.
  func make(
    _ plan: RepresentationPlan, _ options: RepresentationOptions, into descriptor: Int32,
    cancellation: Cancellation, progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation
}

/// Makes the files of Live Photos in the forms in which they are exchanged.
package protocol LivePhotoMaker: RepresentationMaker {
  /// Writes the still image as a JPEG that names its clip; its pixels are not encoded again if it is a JPEG.
  /// - Parameters:
  ///   - still: the still image, in any format.
  ///   - keyPhoto: the frame that takes its place, with its metadata; nil = its own pixels.
  ///   - link: how the image names its clip.
  ///   - descriptor: an empty file, open for reading and writing, which the caller owns.
  ///   - cancellation: stops the conversion, from any thread.
  /// - Throws: `AssetError` with the file and the cause; `.cancelled`.
  func makeStill(
    _ still: AssetResource, _ keyPhoto: KeyPhoto?, _ link: LivePhotoLink, into descriptor: Int32,
    cancellation: Cancellation
  ) throws(AssetError) -> MadeRepresentation.Facts

  /// Writes the clip as a QuickTime movie with an identifier, without encoding it again.
  /// - Parameters:
  ///   - clip: the clip, which may be a part of a file.
  ///   - identifier: the identifier that the still image has too.
  ///   - descriptor: an empty file, open for reading and writing, which the caller owns.
  ///   - cancellation: stops the conversion, from any thread.
  ///   - progress: receives the completed fraction.
  /// - Throws: `AssetError` with the file and the cause; `.cancelled`.
  func makeClip(
    _ clip: AssetResource, identifier: String, into descriptor: Int32, cancellation: Cancellation,
    progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation.Facts

  /// Writes a video as an animated GIF, which repeats forever.
  /// - Parameters:
  ///   - video: the video, which may be a part of a file.
  ///   - part: the part to write, from the first picture of the video; nil = all of it.
  ///   - longestSide: the maximum length of the longer side in pixels.
  ///   - descriptor: an empty file, open for reading and writing, which the caller owns.
  ///   - cancellation: stops the conversion, from any thread.
  ///   - progress: receives the completed fraction.
  /// - Throws: `AssetError` with the file and the cause; `.cancelled`.
  func makeGIF(
    _ video: AssetResource, part: Range<Duration>?, longestSide: Int, into descriptor: Int32,
    cancellation: Cancellation, progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation.Facts
}

/// A frame of a clip that takes the place of the still image of a Live Photo.
package struct KeyPhoto: Hashable, Sendable {
  package var clip: AssetResource
  /// From the start of the clip.
  package var time: Duration

  package init(of clip: AssetResource, at time: Duration) { (self.clip, self.time) = (clip, time) }
}

/// How the still image of a Live Photo names its clip.
package enum LivePhotoLink: Hashable, Sendable {
  /// By an identifier that both files have (Apple's Live Photo).
  case identifier(String)
  /// By the length of the MP4 that follows it in the same file (Google's Motion Photo).
  case appendedVideo(byteCount: Int)
}

/// The outcome of making a representation.
package enum MadeRepresentation: Hashable, Sendable {
  /// The file contains the representation.
  case file(Facts)
  /// Nothing was written: deliver the resource itself. `reason` is nil if it is not worth reporting.
  case resource(reason: String?)

  /// The properties of the file that was made.
  package struct Facts: Hashable, Sendable {
    package var uniformTypeIdentifier: String
    /// The file extension without its dot; nil = the resource's.
    package var suffix: String?
    /// The upright size in pixels; zero if it is that of the resource.
    package var size: PixelSize
    /// A message about the file, as text to follow its name and a colon.
    package var remark: String?
    /// How the file was made, for detailed output.
    package var method: String?

    package init(
      uniformTypeIdentifier: String, suffix: String?, size: PixelSize = .zero, remark: String? = nil,
      method: String? = nil
    ) {
      self.uniformTypeIdentifier = uniformTypeIdentifier
      self.suffix = suffix
      self.size = size
      self.remark = remark
      self.method = method
    }
  }
}
