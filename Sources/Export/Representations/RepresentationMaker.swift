package import AssetLibrary
package import Pixels

/// Makes what is handed over in place of a file of the library: pictures in other formats, videos that play
/// everywhere, files without metadata.
package protocol RepresentationMaker: Sendable {
  /// Writes what a plan says into a new file.
  /// - Parameters:
  ///   - plan: one that asks for something to be made; not `file` and not `unavailable`.
  ///   - descriptor: an empty file, open for reading and writing; stays the caller's.
  ///   - progress: hears what fraction is done, where that takes long.
  /// - Throws: `AssetError` that names the file and the cause; `.cancelled`.
  func make(
    _ plan: RepresentationPlan, _ options: RepresentationOptions, into descriptor: Int32,
    cancellation: Cancellation, progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation
}

/// What came of making a representation.
package enum MadeRepresentation: Hashable, Sendable {
  /// The file holds it.
  case file(Facts)
  /// Nothing was written: the resource itself is to be handed over, for this reason if it is worth telling.
  case resource(reason: String?)

  /// What is to be known of a file that was made.
  package struct Facts: Hashable, Sendable {
    package var uniformTypeIdentifier: String
    /// The end of its name without a dot; nil = as the resource's.
    package var suffix: String?
    /// Upright pixels; zero where they are those of the resource.
    package var size: PixelSize
    /// What is to be said of it, as words after the file's name and a colon.
    package var remark: String?
    /// How it came about, for those who want to know.
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
