import AssetLibrary
package import Pixels
import Rendering
import System

/// The pipeline's access to thumbnails on disk: which images can be made from them, and which ones to store.
package struct ThumbnailCache: Sendable {
  private let directory: ThumbnailDirectory
  private let keepsThumbnails: Bool
  private let now: @Sendable () -> Int

  /// - Parameters:
  ///   - directory: where the thumbnails are.
  ///   - keepsThumbnails: whether to store thumbnails of newly decoded images; false = only existing thumbnails are
  ///     used.
  ///   - now: returns the time in seconds since 1970, by which files that may still be being written are recognized.
  package init(
    _ directory: ThumbnailDirectory, keepsThumbnails: Bool, now: @escaping @Sendable () -> Int = { time(nil) }
  ) {
    self.directory = directory
    self.keepsThumbnails = keepsThumbnails
    self.now = now
  }

  /// Returns the entry for an image's thumbnail; nil if no thumbnail would be large enough, or if the image
  /// is a crop.
  ///
  /// Call it before reading the file, so that a concurrent change of the file makes the thumbnail stale.
  /// - Parameter source: the size of the upright image.
  func entry(for resource: AssetResource, in shape: PictureShape, of source: PixelSize) -> Entry? {
    // A thumbnail represents a whole file and a whole image.
    guard resource.byteRange == nil, shape.crop == .whole, shape.resizeMode != .none, !source.isEmpty else {
      return nil
    }
    let needed = shape.needed(of: source)
    guard needed != source, let size = ThumbnailSize(covering: needed),
      let subject = ThumbnailSubject(
        fileAt: resource.path, uniformTypeIdentifier: resource.uniformTypeIdentifier),
      // If the file changed since the library read it, its size and orientation may be outdated.
      resource.fileVersion == nil || resource.fileVersion == subject.version
    else { return nil }
    return Entry(
      directory: directory, subject: subject, sourceSize: source, needed: needed,
      keptSize: keepsThumbnails ? Self.kept(for: size, of: source) : nil, keepsFailures: keepsThumbnails,
      now: now)
  }

  /// Returns whether a thumbnail that is too small for an image may be on disk, without a look at the disk.
  func mayHaveSmaller(for resource: AssetResource, in shape: PictureShape, of source: PixelSize) -> Bool {
    guard resource.byteRange == nil, shape.crop == .whole, !source.isEmpty else { return false }
    let needed = shape.needed(of: source)
    return max(needed.width, needed.height) > ThumbnailSize.large.side
  }

  /// Returns the largest thumbnail on disk that is too small for an image; nil if there is none.
  func smaller(for resource: AssetResource, in shape: PictureShape, of source: PixelSize) -> PixelBuffer? {
    guard mayHaveSmaller(for: resource, in: shape, of: source),
      let subject = ThumbnailSubject(
        fileAt: resource.path, uniformTypeIdentifier: resource.uniformTypeIdentifier),
      resource.fileVersion == nil || resource.fileVersion == subject.version
    else { return nil }
    let needed = shape.needed(of: source)
    let sizes: [ThumbnailSize] = [.xxLarge, .xLarge, .large]
    for size in sizes where size.side < max(needed.width, needed.height) {
      let box = source.scaled(toward: PixelSize(width: size.side, height: size.side), .aspectFit)
      if let found = directory.thumbnail(of: subject, atLeast: box, sourceSize: source) {
        return found.picture
      }
    }
    return nil
  }

  /// Returns the size of thumbnail to store: at least the size that file managers use most.
  ///
  /// Thumbnails for previews are not stored, because reading them takes as long as decoding.
  private static func kept(for size: ThumbnailSize, of source: PixelSize) -> ThumbnailSize? {
    guard size.side <= ThumbnailSize.xLarge.side else { return nil }
    let kept = max(size.side, ThumbnailSize.large.side)
    return max(source.width, source.height) > kept ? ThumbnailSize(rawValue: kept) : nil
  }

  /// The thumbnail of one image, which may not exist yet.
  struct Entry: Sendable {
    fileprivate let directory: ThumbnailDirectory
    fileprivate let subject: ThumbnailSubject
    fileprivate let sourceSize: PixelSize
    fileprivate let needed: PixelSize
    fileprivate let keptSize: ThumbnailSize?
    fileprivate let keepsFailures: Bool
    fileprivate let now: @Sendable () -> Int

    /// The longest side of the thumbnail to store, in pixels; nil if none should be stored.
    var side: Int? { keptSize?.side }

    /// Reads the thumbnail; nil if there is none of sufficient size.
    func read() -> ReducedPicture? {
      directory.thumbnail(of: subject, atLeast: needed, sourceSize: sourceSize).map {
        ReducedPicture($0.picture, of: sourceSize)
      }
    }

    /// Returns the recorded reason why the current version of the file can't be decoded; nil if none is
    /// recorded.
    func failure() -> String? { directory.failure(of: subject) }

    /// Records that the file can't be decoded, unless it may be incomplete because it is still being written.
    func write(_ failure: AssetError) {
      guard keepsFailures, !failure.isTransient, subject.isSettled(at: now()) else { return }
      try? directory.recordFailure(of: subject, reason: failure.reason)
    }

    /// Records that the file stalled in this run.
    ///
    /// After several runs it counts as undecodable.
    func writeStall(_ failure: AssetError) {
      guard keepsFailures else { return }
      try? directory.recordStall(of: subject, reason: failure.reason)
    }

    /// Stores a thumbnail.
    /// - Returns: whether it is stored; the disk may be full, for example.
    func write(_ picture: PixelBuffer) -> Bool {
      guard let keptSize, subject.isUnchanged,
        (try? directory.keep(picture, of: subject, sourceSize: sourceSize, as: keptSize)) != nil
      else { return false }
      directory.cleanUpIfDue()
      return true
    }
  }
}

/// One of the user's thumbnails.
package struct Thumbnail: Sendable {
  /// The pixels, upright and in sRGB.
  package var picture: PixelBuffer
  package var size: ThumbnailSize
  /// The upright size of the original in pixels, if the thumbnail records it.
  package var sourceSize: PixelSize?
}
