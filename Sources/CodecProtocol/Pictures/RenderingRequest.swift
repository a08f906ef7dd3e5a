package import Pixels

/// Which picture to render from a file, in which shape and size.
///
/// The values have a meaning only for the modules at both ends; this module does not interpret them.
package struct RenderingRequest: Hashable, Sendable {
  /// What to decode.
  package enum Source: UInt8, Hashable, Sendable {
    case picture = 0
    /// An embedded smaller version, which may be letterboxed.
    case embeddedThumbnail = 1
  }

  /// How the requested size is met: not at all (native size), at least, or exactly.
  package enum Resizing: UInt8, Hashable, Sendable {
    case none = 0
    case fast = 1
    case exact = 2
  }

  package var source = Source.picture
  /// Byte range of the picture in the file.
  package var range = 0..<Int.max
  /// Size of the upright result in pixels.
  package var targetWidth = 0
  package var targetHeight = 0
  /// Whether the picture must cover the box rather than fit inside it.
  package var fills = false
  package var resizing = Resizing.exact
  /// The part of the upright picture to render: left, top, width and height from 0 to 1.
  package var crop: SIMD4<Double> = [0, 0, 1, 1]
  /// EXIF orientation of the stored picture, 1 to 8.
  package var orientation: UInt8 = 1
  /// Size of the stored picture in pixels, for thumbnails with a different aspect ratio.
  package var storedWidth = 0
  package var storedHeight = 0
  /// Longest side of an additional thumbnail of the whole picture, in pixels; 0 makes none.
  package var keptSide = 0
  /// Upper bound of the decoded pixels; larger pictures are refused.
  package var maxDecodedPixels = 64_000_000
  /// Upper bound of additional working memory in bytes; pictures that need more are refused.
  package var maxWorkingBytes = 256 << 20

  package init() {}
}

extension RenderingRequest {
  /// Upper bound of the pixels in the answer: the picture is never enlarged.
  var mostPixels: Int {
    guard resizing == .exact else { return max(0, maxDecodedPixels) }
    let (area, overflow) = targetWidth.multipliedReportingOverflow(by: targetHeight)
    return max(0, overflow ? maxDecodedPixels : min(area, maxDecodedPixels))
  }

  /// Returns whether an answer fits this request: no larger than requested.
  func allows(_ facts: RenderingFacts) -> Bool {
    let picture = facts.picture
    if resizing == .exact, picture.width > targetWidth || picture.height > targetHeight { return false }
    guard let thumbnail = facts.thumbnail else { return true }
    return max(thumbnail.width, thumbnail.height) <= keptSide
  }

  func write(to wire: inout WireWriter) {
    wire.put(source.rawValue)
    for number in [range.lowerBound, range.upperBound, targetWidth, targetHeight] {
      wire.put(max(0, number))
    }
    wire.put(fills)
    wire.put(resizing.rawValue)
    for index in crop.indices { wire.put(crop[index]) }
    wire.put(orientation)
    for number in [storedWidth, storedHeight, keptSide, maxDecodedPixels, maxWorkingBytes] {
      wire.put(max(0, number))
    }
  }

  init(from wire: inout WireReader) throws(WireError) {
    guard let source = Source(rawValue: try wire.integer()) else { throw WireError() }
    self.source = source
    let (start, end) = (try wire.number(in: 0 ... .max), try wire.number(in: 0 ... .max))
    guard start <= end else { throw WireError() }
    range = start..<end
    targetWidth = try wire.number(in: 0 ... .max)
    targetHeight = try wire.number(in: 0 ... .max)
    fills = try wire.bool()
    guard let resizing = Resizing(rawValue: try wire.integer()) else { throw WireError() }
    self.resizing = resizing
    for index in crop.indices { crop[index] = try wire.double() }
    orientation = try wire.integer()
    storedWidth = try wire.number(in: 0 ... .max)
    storedHeight = try wire.number(in: 0 ... .max)
    keptSide = try wire.number(in: 0 ... .max)
    maxDecodedPixels = try wire.number(in: 0 ... .max)
    maxWorkingBytes = try wire.number(in: 0 ... .max)
    guard (1...8).contains(orientation), crop.indices.allSatisfy({ (0...1).contains(crop[$0]) }) else {
      throw WireError()
    }
  }
}

/// A rendered picture with its thumbnail, as the helper makes it and tpick receives it.
package struct Rendering: Sendable {
  /// Upright, in sRGB.
  package var pixels: PixelBuffer
  /// The whole picture in the size to cache.
  package var thumbnail: PixelBuffer?
  /// Number of pixels that the decoder produced.
  package var decodedPixels: Int
  /// What is missing from the picture; nil if it is complete.
  package var note: String?

  package init(pixels: PixelBuffer, thumbnail: PixelBuffer? = nil, decodedPixels: Int, note: String? = nil) {
    self.pixels = pixels
    self.thumbnail = thumbnail
    self.decodedPixels = decodedPixels
    self.note = note
  }
}
