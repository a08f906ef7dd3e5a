import AssetLibrary
package import Pixels
import Rendering

/// The thumbnails on disk as the pipeline uses them: which pictures can be made from them, and which are worth keeping.
package struct ThumbnailCache: Sendable {
  private let directory: ThumbnailDirectory
  private let keepsThumbnails: Bool

  /// - Parameter keepsThumbnails: whether what had to be decoded is put there for the next time; false =
  ///   only what is there is used.
  package init(_ directory: ThumbnailDirectory, keepsThumbnails: Bool) {
    self.directory = directory
    self.keepsThumbnails = keepsThumbnails
  }

  /// The entry for a picture's thumbnail; nil where no thumbnail is large enough, or whole.
  ///
  /// To be asked before the file is read: what changes meanwhile makes the thumbnail stale.
  /// - Parameter source: the size of the upright picture.
  func entry(for resource: AssetResource, in shape: PictureShape, of source: PixelSize) -> Entry? {
    // A thumbnail is that of a whole file and shows all of it.
    guard resource.byteRange == nil, shape.crop == .whole, shape.resizeMode != .none, !source.isEmpty else {
      return nil
    }
    let needed = shape.needed(of: source)
    guard needed != source, let size = ThumbnailSize(covering: needed),
      let subject = ThumbnailSubject(
        fileAt: resource.path, uniformTypeIdentifier: resource.uniformTypeIdentifier),
      // Of a file that changed since the library looked at it size and orientation may not be what the library knows.
      resource.fileVersion == nil || resource.fileVersion == subject.version
    else { return nil }
    return Entry(
      directory: directory, subject: subject, sourceSize: source, needed: needed,
      keptSize: keepsThumbnails ? Self.kept(for: size, of: source) : nil, keepsFailures: keepsThumbnails)
  }

  /// The size that is kept: the one that file managers use most where it is enough, and no previews, which
  /// take as long to read as to decode.
  private static func kept(for size: ThumbnailSize, of source: PixelSize) -> ThumbnailSize? {
    guard size.side <= ThumbnailSize.xLarge.side else { return nil }
    let kept = max(size.side, ThumbnailSize.large.side)
    return max(source.width, source.height) > kept ? ThumbnailSize(rawValue: kept) : nil
  }

  /// The thumbnail of one picture, which may not exist yet.
  struct Entry: Sendable {
    fileprivate let directory: ThumbnailDirectory
    fileprivate let subject: ThumbnailSubject
    fileprivate let sourceSize: PixelSize
    fileprivate let needed: PixelSize
    fileprivate let keptSize: ThumbnailSize?
    fileprivate let keepsFailures: Bool

    /// The longest side of the thumbnail that should be kept, in pixels; nil where none is.
    var side: Int? { keptSize?.side }

    /// The thumbnail, where there is one that shows enough.
    func read() -> ReducedPicture? {
      directory.thumbnail(of: subject, atLeast: needed, sourceSize: sourceSize).map {
        ReducedPicture($0.picture, of: sourceSize)
      }
    }

    /// Why no picture could be made of the file as it is now; nil where that is not known.
    func failure() -> String? { directory.failure(of: subject) }

    /// Remembers why no picture can be made of the file, unless it may be the half of one that is being written.
    func write(_ failure: AssetError) {
      guard keepsFailures, !failure.isTransient, subject.isSettled else { return }
      try? directory.recordFailure(of: subject, reason: failure.reason)
    }

    /// Remembers that the file stalled in this run: after several runs it is taken for one that can't be shown.
    func writeStall(_ failure: AssetError) {
      guard keepsFailures else { return }
      try? directory.recordStall(of: subject, reason: failure.reason)
    }

    /// Keeps a thumbnail.
    /// - Returns: whether it is there now: the disk may be full.
    func write(_ picture: PixelBuffer) -> Bool {
      guard let keptSize, subject.isUnchanged,
        (try? directory.keep(picture, of: subject, sourceSize: sourceSize, as: keptSize)) != nil
      else { return false }
      directory.cleanUpIfDue()
      return true
    }
  }
}

/// A picture out of the user's thumbnails.
package struct Thumbnail: Sendable {
  /// Upright, in sRGB.
  package var picture: PixelBuffer
  package var size: ThumbnailSize
  /// The upright size of the original in pixels, where the thumbnail tells it.
  package var sourceSize: PixelSize?
}
