/// Values one after the other, as they travel between tpick and its helpers: the one form of all messages.
///
/// Integers are little-endian and as wide as their type, numbers the eight bytes of an IEEE 754 double. Texts and byte
/// strings stand behind their length of 32 bits, what may be missing behind a byte that is 0 or 1. `CodecAnswer.version`
/// names the form and the messages that are made of it.
package struct WireWriter: Hashable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Goes on behind what was put already.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func put(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }

  package mutating func put(_ value: UInt8) { bytes.append(value) }

  package mutating func put(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func put(_ value: Int) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func put(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }

  package mutating func put(_ value: [UInt8]) {
    put(UInt32(value.count))
    bytes.append(contentsOf: value)
  }

  /// Puts a text, or the beginning of one that is too long.
  /// - Parameter most: the bytes that it may have; none of its characters is cut.
  package mutating func put(_ text: String, upTo most: Int = .max) {
    var text = text
    text.withUTF8 { letters in
      var count = min(letters.count, most)
      while count < letters.count, count > 0, letters[count] & 0xC0 == 0x80 { count -= 1 }
      put(UInt32(count))
      bytes.append(contentsOf: letters[..<count])
    }
  }

  package mutating func put(_ value: Int?) {
    put(value != nil)
    if let value { put(value) }
  }

  package mutating func put(_ value: Double?) {
    put(value != nil)
    if let value { put(value) }
  }

  /// Other modules call it unspecialized: twenty of them for a file took a sixth of the reader's time in a first index.
  package mutating func put<Value>(_ value: Value?, _ write: (inout WireWriter, Value) -> Void) {
    put(value != nil)
    if let value { write(&self, value) }
  }

  /// Puts what `write` puts as a byte string.
  package mutating func put(nested write: (inout WireWriter) -> Void) {
    let start = bytes.count
    put(UInt32(0))
    write(&self)
    let length = UInt32(clamping: bytes.count - start - 4)
    withUnsafeBytes(of: length.littleEndian) { for place in 0..<4 { bytes[start + place] = $0[place] } }
  }

  /// Forgets everything, and keeps the memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Bytes of a reason or a note for the user: longer ones are not read.
  static let mostWords = 1000

  /// Frames what `write` puts.
  static func frame(_ write: (inout WireWriter) -> Void) -> [UInt8] {
    var frame = WireWriter()
    frame.put(nested: write)
    return frame.bytes
  }
}

/// Takes apart what a `WireWriter` put together; nothing that arrives is trusted.
///
/// Bytes that no writer makes give an error, never a trap, and no length is believed that the bytes don't have.
package struct WireReader {
  private let bytes: [UInt8]
  private var at: Int
  private let end: Int

  /// - Parameter range: where the message stands; what lies outside of `bytes` is not there. Nil = all of them.
  package init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    let range = (range ?? bytes.indices).clamped(to: bytes.indices)
    self.bytes = bytes
    (at, end) = (range.lowerBound, range.upperBound)
  }

  package var isAtEnd: Bool { at == end }

  /// Takes the next bytes.
  /// - Returns: where they stand.
  private mutating func take(_ count: Int) throws(WireError) -> Range<Int> {
    guard count >= 0, count <= end &- at else { throw WireError() }
    defer { at &+= count }
    return at..<at &+ count
  }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(WireError) -> Value
  {
    var value: Value = 0
    for byte in bytes[try take(Value.bitWidth / 8)].reversed() { value = value << 8 | Value(byte) }
    return value
  }

  package mutating func fourBytes() throws(WireError) -> UInt32 {
    let place = try take(4).lowerBound
    return (0..<4).reduce(0) { $0 | UInt32(bytes[place &+ $1]) << UInt32(8 &* $1) }
  }

  package mutating func byte() throws(WireError) -> UInt8 {
    guard at < end else { throw WireError() }
    defer { at &+= 1 }
    return bytes[at]
  }

  /// Reads an integer of 64 bits.
  /// - Parameter possible: the numbers that a writer puts.
  package mutating func number(in possible: ClosedRange<Int> = .min ... .max) throws(WireError) -> Int {
    let value = Int(truncatingIfNeeded: try eightBytes())
    guard possible.contains(value) else { throw WireError() }
    return value
  }

  package mutating func double() throws(WireError) -> Double { Double(bitPattern: try eightBytes()) }

  private mutating func eightBytes() throws(WireError) -> UInt64 {
    let place = try take(8).lowerBound
    return (0..<8).reduce(0) { $0 | UInt64(bytes[place &+ $1]) << UInt64(8 &* $1) }
  }

  package mutating func bool() throws(WireError) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw WireError()
    }
  }

  /// Reads a byte string.
  /// - Parameter most: the bytes that a writer puts.
  package mutating func byteString(upTo most: Int = .max) throws(WireError) -> [UInt8] {
    Array(bytes[try nested(upTo: most)])
  }

  /// Reads a text, which is UTF-8.
  /// - Parameter most: the bytes that a writer puts.
  package mutating func string(upTo most: Int = .max) throws(WireError) -> String {
    guard let text = String(validating: bytes[try nested(upTo: most)], as: UTF8.self) else {
      throw WireError()
    }
    return text
  }

  /// Passes over a byte string.
  /// - Returns: where in the message's bytes it stands.
  mutating func nested(upTo most: Int = .max) throws(WireError) -> Range<Int> {
    let count = Int(try fourBytes())
    guard count <= most else { throw WireError() }
    return try take(count)
  }

  package mutating func optional<Value>(
    _ read: (inout WireReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try bool() ? try read(&self) : nil
  }

  /// Reads the number of elements of a list, each of which takes at least `size` bytes.
  package mutating func count(ofElements size: Int) throws(WireError) -> Int {
    let count = Int(try fourBytes())
    guard count <= (end &- at) / size else { throw WireError() }
    return count
  }
}

/// A message that does not keep to the protocol.
package struct WireError: Error, Hashable {
  package init() {}
}

/// Bytes as they arrive, cut into frames.
struct FrameBuffer {
  /// More than any honest frame has: the metadata blocks of a copy.
  private static let largestFrame = 24 << 20

  private var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  mutating func append(_ arrived: some Sequence<UInt8>) {
    bytes += arrived
  }

  /// The next whole frame; nil while it is still under way.
  mutating func next() throws(WireError) -> [UInt8]? {
    guard bytes.count >= 4 else { return nil }
    var wire = WireReader(bytes)
    let count = Int(try wire.integer(UInt32.self))
    guard count <= Self.largestFrame else { throw WireError() }
    guard bytes.count >= 4 + count else { return nil }
    defer { bytes.removeFirst(4 + count) }
    return Array(bytes[4..<4 + count])
  }
}
