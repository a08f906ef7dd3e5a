import Pixels

/// A thumbnail on its way to the disk.
struct PendingThumbnail: Sendable {
  var entry: ThumbnailCache.Entry
  var picture: PixelBuffer

  /// Puts it on disk.
  /// - Returns: whether it is there now.
  func write() -> Bool { entry.write(picture) }
}
