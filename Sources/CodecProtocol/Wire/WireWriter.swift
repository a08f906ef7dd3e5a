/// Values one after the other, as they travel between tpick and its helper: integers little-endian, texts and
/// byte strings behind their 32-bit lengths, what may be missing behind a byte that is 0 or 1.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }

  mutating func put(_ value: Double) {
    put(value.bitPattern)
  }

  mutating func put(_ value: Bool) {
    put(UInt8(value ? 1 : 0))
  }

  mutating func put(_ value: [UInt8]) {
    put(UInt32(value.count))
    bytes += value
  }

  mutating func put(_ value: String) {
    put(Array(value.utf8))
  }

  /// Bytes of a reason or a note: nobody reads more.
  static let mostWords = 1000

  /// Words for the user, the beginning of those that are too many.
  mutating func put(words: String) {
    put(Array(words.utf8.prefix(Self.mostWords)))
  }

  mutating func put<Value>(_ value: Value?, _ write: (inout WireWriter, Value) -> Void) {
    put(value != nil)
    if let value { write(&self, value) }
  }
}
