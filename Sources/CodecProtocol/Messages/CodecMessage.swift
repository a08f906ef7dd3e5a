/// What travels on the socket: frames of a 32-bit length and as many bytes, the first of which is the kind.
///
/// The helper greets once. Every request brings `descriptorCount` descriptors, which are taken in the order
/// in which they arrive, and a number that its answer repeats. A helper answers in the order of the requests,
/// each before it looks at the next: the first request without an answer is the one it works on. `stop` has none.
enum CodecRequest: Hashable {
  case facts(number: UInt32)
  /// A picture, and the seconds after which nobody waits for it any more.
  case picture(DecodeRequest, seconds: UInt32, number: UInt32)
  /// The first frame of what moves.
  case frames(FramesRequest, FrameTimes, seconds: UInt32, number: UInt32)
  /// A further one of the same file.
  case nextFrame(FrameTimes, seconds: UInt32, number: UInt32)
  /// Nobody wants a further one; the file is closed. The one request without an answer.
  case stop

  private enum Kind: UInt8 {
    case facts = 1
    case picture = 2
    case frames = 3
    case nextFrame = 4
    case stop = 5
  }

  /// How many descriptors come with the request.
  var descriptorCount: Int {
    switch self {
    case .facts, .picture, .frames: 1
    case .nextFrame, .stop: 0
    }
  }

  func write(to wire: inout WireWriter) {
    switch self {
    case .facts(let number):
      wire.put(Kind.facts.rawValue)
      wire.put(number)
    case .picture(let request, let seconds, let number):
      wire.put(Kind.picture.rawValue)
      wire.put(number)
      wire.put(seconds)
      request.write(to: &wire)
    case .frames(let request, let times, let seconds, let number):
      wire.put(Kind.frames.rawValue)
      wire.put(number)
      wire.put(seconds)
      request.write(to: &wire)
      times.write(to: &wire)
    case .nextFrame(let times, let seconds, let number):
      wire.put(Kind.nextFrame.rawValue)
      wire.put(number)
      wire.put(seconds)
      times.write(to: &wire)
    case .stop:
      wire.put(Kind.stop.rawValue)
      wire.put(UInt32(0))
    }
  }

  init(_ frame: [UInt8]) throws(WireError) {
    var wire = WireReader(frame)
    guard let kind = Kind(rawValue: try wire.integer()) else { throw WireError() }
    let number: UInt32 = try wire.integer()
    switch kind {
    case .facts: self = .facts(number: number)
    case .picture:
      let seconds: UInt32 = try wire.integer()
      self = .picture(try DecodeRequest(from: &wire), seconds: seconds, number: number)
    case .frames:
      let seconds: UInt32 = try wire.integer()
      let request = try FramesRequest(from: &wire)
      self = .frames(request, try FrameTimes(from: &wire), seconds: seconds, number: number)
    case .nextFrame:
      let seconds: UInt32 = try wire.integer()
      self = .nextFrame(try FrameTimes(from: &wire), seconds: seconds, number: number)
    case .stop: self = .stop
    }
    guard wire.isAtEnd else { throw WireError() }
  }
}

/// What the helper says.
enum CodecAnswer: Hashable {
  /// The first message of all: this is a helper, and of this version.
  case ready(version: UInt32)
  case facts(CodecFacts, number: UInt32)
  /// A picture's pixels come along as a descriptor.
  case picture(PictureFacts, number: UInt32)
  /// So do a frame's; its times in microseconds, and how often all is shown (0 = again and again).
  case frame(PictureFacts, start: Int64, duration: Int64, playCount: UInt32, number: UInt32)
  case endOfFrames(number: UInt32)
  /// There is none; only a file's own faults travel, not those of the conversation.
  case failure(CodecError, number: UInt32)

  /// Raised with every change of the messages: tpick and a helper of another installation don't mix.
  static let version: UInt32 = 4

  private enum Kind: UInt8 {
    case facts = 1
    case unreadable = 2
    case picture = 3
    case tooLarge = 4
    case nothingEmbedded = 5
    case frame = 6
    case endOfFrames = 7
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
    case .picture(let facts, let number):
      wire.put(Kind.picture.rawValue)
      wire.put(number)
      facts.write(to: &wire)
    case .frame(let facts, let start, let duration, let playCount, let number):
      wire.put(Kind.frame.rawValue)
      wire.put(number)
      facts.write(to: &wire)
      wire.put(start)
      wire.put(duration)
      wire.put(playCount)
    case .endOfFrames(let number):
      wire.put(Kind.endOfFrames.rawValue)
      wire.put(number)
    case .failure(let error, let number): Self.write(error, number, to: &wire)
    }
  }

  private static func write(_ error: CodecError, _ number: UInt32, to wire: inout WireWriter) {
    let (kind, reason): (Kind, String?) =
      switch error {
      case .unreadable(let reason): (.unreadable, reason)
      case .tooLarge(let reason): (.tooLarge, reason)
      case .nothingEmbedded: (.nothingEmbedded, nil)
      case .missing, .died: (.unreadable, "no answer")
      }
    wire.put(kind.rawValue)
    wire.put(number)
    if let reason { wire.put(reason) }
  }

  init(_ frame: [UInt8]) throws(WireError) {
    var wire = WireReader(frame)
    guard let kind = Kind(rawValue: try wire.integer()) else { throw WireError() }
    let number: UInt32 = try wire.integer()
    switch kind {
    case .ready: self = .ready(version: number)
    case .facts: self = .facts(try CodecFacts(from: &wire), number: number)
    case .picture: self = .picture(try PictureFacts(from: &wire), number: number)
    case .frame:
      let facts = try PictureFacts(from: &wire)
      let start: Int64 = try wire.integer()
      let duration: Int64 = try wire.integer()
      let playCount: UInt32 = try wire.integer()
      // No time that adding two of them would overflow, and none before the beginning.
      guard (0..<1 << 53).contains(start), (0..<1 << 40).contains(duration) else { throw WireError() }
      self = .frame(facts, start: start, duration: duration, playCount: playCount, number: number)
    case .endOfFrames: self = .endOfFrames(number: number)
    case .unreadable: self = .failure(.unreadable(try wire.string()), number: number)
    case .tooLarge: self = .failure(.tooLarge(try wire.string()), number: number)
    case .nothingEmbedded: self = .failure(.nothingEmbedded, number: number)
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
