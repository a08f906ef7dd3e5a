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
