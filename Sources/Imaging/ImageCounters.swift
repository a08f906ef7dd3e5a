/// What an image manager has done since it began; for tests and for measuring.
public struct ImageCounters: Hashable, Codable, Sendable {
  /// Requests for pictures and data.
  public var requests = 0
  /// Final pictures that were in memory.
  public var hits = 0
  /// Final pictures that were not.
  public var misses = 0
  /// Requests that joined work which others had asked for.
  public var coalesced = 0
  /// Requests that were cancelled.
  public var cancelled = 0
  /// Coarse pictures that were looked for in files.
  public var thumbnails = 0
  /// Pictures that came from thumbnails on disk.
  public var storedThumbnails = 0
  /// Thumbnails that were put on disk.
  public var keptThumbnails = 0
  /// Pictures that were decoded.
  public var decodes = 0
  /// The pixels that decoders gave for them, before they were resized.
  public var decodedPixels = 0
  /// Originals that were brought from elsewhere.
  public var downloads = 0
  /// Files that were read as data.
  public var dataReads = 0

  public init() {}
}
