/// Which picture of a file to decode, and how large.
package struct DecodeRequest: Hashable, Sendable {
  /// Where the pixels may come from.
  package enum Source: UInt8, Hashable, Sendable {
    /// The picture itself; of a raw file its preview, if it has one.
    case picture = 0
    /// Only an embedded picture: a thumbnail, a preview or a smaller version.
    case embedded = 1
    /// Like `picture`, but with a raw file's sensor data developed.
    case developed = 2
  }

  /// Requested size of the upright picture in pixels.
  ///
  /// A side of 0 follows from the other one; two zeros request the native size.
  package var targetWidth: Int
  package var targetHeight: Int
  /// Whether the picture must cover the box rather than fit inside it.
  package var fills: Bool
  package var source: Source
  /// Upper bound of the file's pixels; larger pictures are refused, whatever the header says.
  package var maxPixels: Int
  /// Upper bound of the longer side in pixels; larger pictures are refused.
  package var maxSide: Int
  /// Upper bound of the decoded pixels after reduction; larger pictures are refused.
  package var maxDecodedPixels: Int
  /// The parts of the file that are available; nil means all of it.
  ///
  /// The rest reads as zeros and must not be interpreted. If a missing part is needed, the answer is
  /// `CodecError.incomplete`.
  package var present: PresentRanges?

  package init(
    targetWidth: Int = 0, targetHeight: Int = 0, fills: Bool = false, source: Source = .picture,
    maxPixels: Int = 400_000_000, maxSide: Int = 1 << 20, maxDecodedPixels: Int = .max
  ) {
    self.targetWidth = targetWidth
    self.targetHeight = targetHeight
    self.fills = fills
    self.source = source
    self.maxPixels = maxPixels
    self.maxSide = maxSide
    self.maxDecodedPixels = maxDecodedPixels
  }
}

extension DecodeRequest {
  /// Upper bound of the pixels in the answer.
  var mostPixels: Int { min(maxPixels, maxDecodedPixels) }

  /// Returns the largest integer factor by which a picture of this upright size can be reduced and still meet the
  /// requested size; 0 if it is already smaller.
  package func reduction(ofWidth width: Int, height: Int) -> Int {
    let across = targetWidth > 0 ? width / targetWidth : nil
    let down = targetHeight > 0 ? height / targetHeight : nil
    return switch (across, down) {
    case (let across?, let down?): fills ? min(across, down) : max(across, down)
    case (let one?, nil), (nil, let one?): one
    case (nil, nil): 1
    }
  }

  func write(to wire: inout WireWriter) {
    wire.put(UInt32(clamping: targetWidth))
    wire.put(UInt32(clamping: targetHeight))
    wire.put(fills)
    wire.put(source.rawValue)
    for limit in [maxPixels, maxSide, maxDecodedPixels] { wire.put(UInt64(clamping: limit)) }
    wire.put(present) { PresentRanges.write($1.ranges, to: &$0) }
  }

  init(from wire: inout WireReader) throws(WireError) {
    targetWidth = Int(try wire.integer(UInt32.self))
    targetHeight = Int(try wire.integer(UInt32.self))
    fills = try wire.bool()
    guard let source = Source(rawValue: try wire.integer()) else { throw WireError() }
    self.source = source
    maxPixels = Int(clamping: try wire.integer(UInt64.self))
    maxSide = Int(clamping: try wire.integer(UInt64.self))
    maxDecodedPixels = Int(clamping: try wire.integer(UInt64.self))
    present = try wire.optional { wire throws(WireError) in
      PresentRanges(try PresentRanges.ranges(upTo: .max, from: &wire))
    }
  }
}
