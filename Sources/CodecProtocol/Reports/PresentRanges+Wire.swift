// The parts of a file, as tpick tells them to its helpers.
extension PresentRanges {
  /// Writes ranges, sorted, of which no two overlap.
  static func write(_ ranges: [Range<Int>], to wire: inout WireWriter) {
    wire.put(UInt32(ranges.count))
    for range in ranges { write(range, to: &wire) }
  }

  static func write(_ range: Range<Int>, to wire: inout WireWriter) {
    wire.put(UInt64(clamping: range.lowerBound))
    wire.put(UInt64(clamping: range.upperBound))
  }

  /// Reads what `write` wrote.
  /// - Parameter byteCount: the file's length.
  static func ranges(upTo byteCount: Int, from wire: inout WireReader) throws(WireError) -> [Range<Int>] {
    let count = try wire.count(ofElements: 16)
    guard count <= most else { throw WireError() }
    var ranges: [Range<Int>] = []
    for _ in 0..<count {
      let range = try self.range(from: &wire)
      guard range.lowerBound >= ranges.last?.upperBound ?? 0, range.upperBound <= byteCount else {
        throw WireError()
      }
      ranges.append(range)
    }
    return ranges
  }

  /// Reads a range that is not empty.
  static func range(from wire: inout WireReader) throws(WireError) -> Range<Int> {
    let (lower, upper) = (try wire.integer(UInt64.self), try wire.integer(UInt64.self))
    guard let lower = Int(exactly: lower), let upper = Int(exactly: upper), lower < upper else {
      throw WireError()
    }
    return lower..<upper
  }
}
