/// What an image manager has done since it began; for tests and for measuring.
package struct ImageCounters: Hashable, Codable, Sendable {
  /// Requests for pictures and data.
  package var requests = 0
  /// Final pictures that were in memory.
  var hits = 0
  /// Final pictures that were not.
  package var misses = 0
  /// Requests that joined work which others had asked for.
  var coalesced = 0
  /// Requests that were cancelled.
  package var cancelled = 0
  /// Coarse pictures that were looked for in files.
  package var thumbnails = 0
  /// Pictures that came from thumbnails on disk.
  var storedThumbnails = 0
  /// Thumbnails that were put on disk.
  var keptThumbnails = 0
  /// Thumbnails that could not be put there.
  var lostThumbnails = 0
  /// Pictures that were decoded.
  package var decodes = 0
  /// The pixels that decoders gave for them, before they were resized.
  var decodedPixels = 0
  /// Originals that were brought from elsewhere.
  var downloads = 0
  /// Files that were read as data.
  var dataReads = 0

  package init() {}
}
