/// Encodes values into the wire form that all messages between tpick and its helpers share.
///
/// Integers are little-endian and as wide as their type; numbers are the eight bytes of an IEEE 754 double. Texts
/// and byte strings follow their 32-bit length; optional values follow a byte that is 0 or 1. `CodecAnswer.version`
/// is the version of this form and of the messages.
package struct WireWriter: Hashable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends to bytes that were written before.
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

  /// Writes a text, truncated if it is too long.
  /// - Parameter most: upper bound in bytes; characters are not split.
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

  /// Writes an optional value.
  ///
  /// Common types have overloads above: other modules call this generic function unspecialized, and twenty such
  /// calls per file took a sixth of the reader's time in a first index.
  package mutating func put<Value>(_ value: Value?, _ write: (inout WireWriter, Value) -> Void) {
    put(value != nil)
    if let value { write(&self, value) }
  }

  /// Writes the output of `write` as a byte string.
  package mutating func put(nested write: (inout WireWriter) -> Void) {
    let start = bytes.count
    put(UInt32(0))
    write(&self)
    let length = UInt32(clamping: bytes.count - start - 4)
    withUnsafeBytes(of: length.littleEndian) { for place in 0..<4 { bytes[start + place] = $0[place] } }
  }

  /// Removes all bytes and keeps the capacity.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Upper bound of the bytes of a reason or note for the user; longer ones are not read.
  static let mostWords = 1000

  /// Returns the output of `write` as a frame.
  static func frame(_ write: (inout WireWriter) -> Void) -> [UInt8] {
    var frame = WireWriter()
    frame.put(nested: write)
    return frame.bytes
  }
}

/// Decodes what a `WireWriter` encoded; the input is not trusted.
///
/// Bytes that no writer produces throw an error and never trap, and lengths are checked against the bytes present.
package struct WireReader {
  private let bytes: [UInt8]
  private var at: Int
  private let end: Int

  /// - Parameter range: position of the message, clamped to `bytes`; nil means all of them.
  package init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    let range = (range ?? bytes.indices).clamped(to: bytes.indices)
    self.bytes = bytes
    (at, end) = (range.lowerBound, range.upperBound)
  }

  package var isAtEnd: Bool { at == end }

  /// Consumes the next bytes.
  /// - Returns: their range.
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

  /// Reads a 64-bit integer.
  /// - Parameter possible: the range of valid values.
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
  /// - Parameter most: upper bound of its length in bytes.
  package mutating func byteString(upTo most: Int = .max) throws(WireError) -> [UInt8] {
    Array(bytes[try nested(upTo: most)])
  }

  /// Reads a UTF-8 text.
  /// - Parameter most: upper bound of its length in bytes.
  package mutating func string(upTo most: Int = .max) throws(WireError) -> String {
    guard let text = String(validating: bytes[try nested(upTo: most)], as: UTF8.self) else {
      throw WireError()
    }
    return text
  }

  /// Skips a byte string.
  /// - Returns: its range in the message's bytes.
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

  /// Reads the number of elements of a list whose elements take at least `size` bytes each.
  package mutating func count(ofElements size: Int) throws(WireError) -> Int {
    let count = Int(try fourBytes())
    guard count <= (end &- at) / size else { throw WireError() }
    return count
  }
}

/// The error for a message that breaks the protocol.
package struct WireError: Error, Hashable {
  package init() {}
}

/// Received bytes, split into frames.
struct FrameBuffer {
  /// Larger than any valid frame, which is the one with the metadata blocks of a copy.
  private static let largestFrame = 24 << 20

  private var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  mutating func append(_ arrived: some Sequence<UInt8>) {
    bytes += arrived
  }

  /// Returns the next complete frame; nil if it is still incomplete.
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
