package import Pixels

/// Which picture is made of a file, in which shape and colours it is shown.
///
/// Numbers that mean something to the modules on both sides only: this one knows no pictures.
package struct RenderingRequest: Hashable, Sendable {
  /// What is decoded.
  package enum Source: UInt8, Hashable, Sendable {
    case picture = 0
    /// A small version of it in the same file, which may have bars beside it.
    case embeddedThumbnail = 1
  }

  /// How the size asked for is met: as the picture is, at least, or exactly.
  package enum Resizing: UInt8, Hashable, Sendable {
    case none = 0
    case fast = 1
    case exact = 2
  }

  package var source = Source.picture
  /// The part of the file that counts, in bytes.
  package var range = 0..<Int.max
  /// Pixels of the upright answer.
  package var targetWidth = 0
  package var targetHeight = 0
  /// Whether the picture is to cover the box, rather than to fit into it.
  package var fills = false
  package var resizing = Resizing.exact
  /// The part of the upright picture that is wanted: left, top, width and height from 0 to 1.
  package var crop: SIMD4<Double> = [0, 0, 1, 1]
  /// EXIF's number for how the stored picture has to be turned, 1 to 8.
  package var orientation: UInt8 = 1
  /// Pixels of the stored picture, for a thumbnail that may have another shape.
  package var storedWidth = 0
  package var storedHeight = 0
  /// The longest side of a thumbnail of the whole picture that is made as well; 0 = none is.
  package var keptSide = 0
  /// A picture of which more pixels are decoded is refused.
  package var maxDecodedPixels = 64_000_000
  /// So is one that takes more bytes besides.
  package var maxWorkingBytes = 256 << 20

  package init() {}
}

extension RenderingRequest {
  /// Pixels of the largest answer: the picture is never enlarged.
  var mostPixels: Int {
    guard resizing == .exact else { return max(0, maxDecodedPixels) }
    let (area, overflow) = targetWidth.multipliedReportingOverflow(by: targetHeight)
    return max(0, overflow ? maxDecodedPixels : min(area, maxDecodedPixels))
  }

  /// Whether an answer is one to this request: no larger than what was asked for.
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

/// A picture as it was asked for and, where something is missing from it, what: as the helper makes it, and as tpick
/// gets it.
package struct Rendering: Sendable {
  /// Upright, in sRGB.
  package var pixels: PixelBuffer
  /// The whole picture in the size that is to be kept.
  package var thumbnail: PixelBuffer?
  /// How many pixels the decoder gave.
  package var decodedPixels: Int
  /// What is missing, in words; nil where nothing is.
  package var note: String?

  package init(pixels: PixelBuffer, thumbnail: PixelBuffer? = nil, decodedPixels: Int, note: String? = nil) {
    self.pixels = pixels
    self.thumbnail = thumbnail
    self.decodedPixels = decodedPixels
    self.note = note
  }
}
