/// What was read of some files of a batch, in their order: byte strings that the modules at both ends understand.
struct ReportsAnswer: Hashable {
  /// The byte strings, each behind its length of 32 bits.
  private(set) var bytes: [UInt8] = []
  private(set) var count: UInt32 = 0

  init() {}

  var isEmpty: Bool { count == 0 }

  /// Adds what `write` appends.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 4))
    write(&bytes)
    let length = UInt32(clamping: bytes.count - start - 4)
    for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> UInt32(8 * place)) }
    count += 1
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  func write(to wire: inout WireWriter) {
    wire.put(count)
    wire.put(bytes)
  }

  init(from wire: inout WireReader) throws(WireError) {
    count = try wire.integer()
    bytes = try wire.byteString()
    guard count > 0, bytes.count / 4 >= Int(count) else { throw WireError() }
  }

  /// Where in `bytes` the byte strings stand; nil where they are not as they were announced.
  var ranges: [Range<Int>]? {
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(Int(count))
    var at = 0
    for _ in 0..<count {
      guard bytes.count - at >= 4 else { return nil }
      let length = (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
      at += 4
      guard length <= bytes.count - at else { return nil }
      ranges.append(at..<at + length)
      at += length
    }
    return at == bytes.count ? ranges : nil
  }
}
