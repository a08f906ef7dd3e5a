/// Bytes as they arrive, cut into frames.
struct FrameBuffer {
  /// More than any honest frame has: the metadata blocks of a copy.
  static let largestFrame = 24 << 20

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
