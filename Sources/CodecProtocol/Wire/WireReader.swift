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
