/// What travels on the socket: frames of a 32-bit length and as many bytes, the first of which is the kind.
///
/// The helper greets once. Every request brings `descriptorCount` descriptors, which are taken in the order
/// in which they arrive, and a number that its answer repeats. A helper answers in the order of the requests,
/// each before it looks at the next: the first request without an answer is the one it works on. A further
/// kind of request, as one for pixels that brings a file and a piece of shared memory, is a further case here.
enum CodecRequest: Hashable {
  case facts(number: UInt32)

  private enum Kind: UInt8 {
    case facts = 1
  }

  /// How many descriptors come with the request.
  var descriptorCount: Int {
    switch self {
    case .facts: 1
    }
  }

  func write(to wire: inout WireWriter) {
    switch self {
    case .facts(let number):
      wire.put(Kind.facts.rawValue)
      wire.put(number)
    }
  }

  init(_ frame: [UInt8]) throws(WireError) {
    var wire = WireReader(frame)
    guard let kind = Kind(rawValue: try wire.integer()) else { throw WireError() }
    switch kind {
    case .facts: self = .facts(number: try wire.integer())
    }
    guard wire.isAtEnd else { throw WireError() }
  }
}

/// What the helper says.
enum CodecAnswer: Hashable {
  /// The first message of all: this is a helper, and of this version.
  case ready(version: UInt32)
  case facts(CodecFacts, number: UInt32)
  case unreadable(String, number: UInt32)

  /// Raised with every change of the messages: tpick and a helper of another installation don't mix.
  static let version: UInt32 = 1

  private enum Kind: UInt8 {
    case facts = 1
    case unreadable = 2
    case ready = 0x74
  }

  func write(to wire: inout WireWriter) {
    switch self {
    case .ready(let version):
      wire.put(Kind.ready.rawValue)
      wire.put(version)
    case .facts(let facts, let number):
      wire.put(Kind.facts.rawValue)
      wire.put(number)
      facts.write(to: &wire)
    case .unreadable(let reason, let number):
      wire.put(Kind.unreadable.rawValue)
      wire.put(number)
      wire.put(reason)
    }
  }

  init(_ frame: [UInt8]) throws(WireError) {
    var wire = WireReader(frame)
    guard let kind = Kind(rawValue: try wire.integer()) else { throw WireError() }
    let number: UInt32 = try wire.integer()
    switch kind {
    case .ready: self = .ready(version: number)
    case .facts: self = .facts(try CodecFacts(from: &wire), number: number)
    case .unreadable: self = .unreadable(try wire.string(), number: number)
    }
    guard wire.isAtEnd else { throw WireError() }
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

/// Bytes as they arrive, cut into frames.
struct FrameBuffer {
  /// More than any honest frame has: two metadata blocks and the tags.
  static let largestFrame = 8 << 20

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
