/// Takes apart what a `WireWriter` put together; nothing that arrives is trusted.
struct WireReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  private mutating func read(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw WireError() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(WireError) -> Value
  {
    var value: Value = 0
    for byte in try read(Value.bitWidth / 8).reversed() { value = value << 8 | Value(byte) }
    return value
  }

  mutating func double() throws(WireError) -> Double {
    Double(bitPattern: try integer())
  }

  mutating func bool() throws(WireError) -> Bool {
    switch try integer(UInt8.self) {
    case 0: false
    case 1: true
    default: throw WireError()
    }
  }

  mutating func byteString() throws(WireError) -> [UInt8] {
    Array(try read(Int(try integer(UInt32.self))))
  }

  mutating func string() throws(WireError) -> String {
    String(decoding: try byteString(), as: UTF8.self)
  }

  /// Words for the user, of no more bytes than `WireWriter.mostWords`.
  mutating func words() throws(WireError) -> String {
    let bytes = try byteString()
    guard bytes.count <= WireWriter.mostWords else { throw WireError() }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func optional<Value>(
    _ read: (inout WireReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try bool() ? try read(&self) : nil
  }

  /// The number of elements of a list; every element is announced to take at least `size` bytes.
  mutating func count(ofElements size: Int) throws(WireError) -> Int {
    let count = Int(try integer(UInt32.self))
    guard count <= rest.count / size else { throw WireError() }
    return count
  }
}

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
    var wire = WireReader(Array(bytes[..<4]))
    let count = Int(try wire.integer(UInt32.self))
    guard count <= Self.largestFrame else { throw WireError() }
    guard bytes.count >= 4 + count else { return nil }
    defer { bytes.removeFirst(4 + count) }
    return Array(bytes[4..<4 + count])
  }
}

extension WireWriter {
  /// Frames what `write` puts.
  static func frame(_ write: (inout WireWriter) -> Void) -> [UInt8] {
    var content = WireWriter()
    write(&content)
    var frame = WireWriter()
    frame.put(content.bytes)
    return frame.bytes
  }
}

/// A message that does not keep to the protocol.
struct WireError: Error, Hashable {}
