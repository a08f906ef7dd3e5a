/// Bytes that are taken at the front and added at the end.
struct ByteQueue {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }

  var isEmpty: Bool { count == 0 }

  /// What is in it, the oldest first.
  var content: ArraySlice<UInt8> { bytes[start...] }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// Takes up to so many bytes away.
  mutating func take(_ limit: Int) -> [UInt8] {
    let taken = Array(content.prefix(limit))
    drop(taken.count)
    return taken
  }

  /// Drops bytes from the front, no more than there are.
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
