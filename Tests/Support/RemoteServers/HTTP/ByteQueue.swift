/// Bytes that are taken from the front and appended at the end.
struct ByteQueue {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }

  var isEmpty: Bool { count == 0 }

  /// The contents, oldest first.
  var content: ArraySlice<UInt8> { bytes[start...] }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// Removes up to `limit` bytes.
  mutating func take(_ limit: Int) -> [UInt8] {
    let taken = Array(content.prefix(limit))
    drop(taken.count)
    return taken
  }

  /// Drops bytes from the front, at most all.
  mutating func drop(_ count: Int) {
    start += count
    guard start == bytes.count || start > 1 << 18 else { return }
    bytes.removeFirst(start)
    start = 0
  }

  mutating func removeAll() {
    bytes = []
    start = 0
  }
}
