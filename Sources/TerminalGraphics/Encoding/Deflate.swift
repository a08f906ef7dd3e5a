import CZlib

/// Compression by zlib (RFC 1950), at its fastest level: pictures are on their way to a screen.
enum Deflate {
  /// The compressed bytes; nil when zlib refuses (no memory).
  static func compress(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    let bytes = Array(bytes)
    var isWhole = false
    let room = Int(compressBound(uLong(bytes.count)))
    let result = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      var length = uLongf(room)
      isWhole =
        compress2(output.baseAddress, &length, bytes, uLong(bytes.count), Z_BEST_SPEED) == Z_OK
      count = isWhole ? Int(length) : 0
    }
    return isWhole ? result : nil
  }

  /// Whether a sample from the middle gets smaller than this share of itself.
  static func shrinks(_ bytes: [UInt8], below share: Double) -> Bool {
    let length = min(bytes.count, sampleLength)
    let start = (bytes.count - length) / 2
    guard let packed = compress(bytes[start..<start + length]) else { return false }
    return Double(packed.count) < Double(length) * share
  }

  private static let sampleLength = 16_384
}
