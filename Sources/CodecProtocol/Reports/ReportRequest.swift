/// What is to be read of an open file.
package struct ReportRequest: Hashable, Sendable {
  /// How the file is to be taken.
  package enum Kind: UInt8, Hashable, Sendable {
    /// As a picture or a video, whatever its first bytes say.
    case medium = 0
    /// As an XMP packet beside one.
    case sidecar = 1
    /// As a picture or a video of a format that only heavy libraries know.
    case foreign = 2
    /// As a picture whose metadata go along with another one.
    case metadata = 3
  }

  package var kind: Kind
  /// The file's length in bytes, as far as it is read: nobody adds to a place in a longer one.
  package let byteCount: Int
  /// The parts of the file that are there, sorted, of which no two overlap, `PresentRanges.most` at most; nil = all of it.
  ///
  /// The rest of the file reads as zeros, and nobody may believe them. Where some of it is needed, the answer says which range.
  package var present: [Range<Int>]?
  /// What is wanted besides, in the words of the modules at both ends.
  package var detail: [UInt8] = []

  /// What lies behind in a file that says to be longer is not read: no disk holds as much, and a sum of a place and a length
  /// can't overflow.
  package static let longestFile = 1 << 56

  /// Longer details are none.
  private static let longestDetail = 64

  package init(_ kind: Kind, byteCount: Int, present: [Range<Int>]? = nil, detail: [UInt8] = []) {
    self.kind = kind
    self.detail = detail
    self.byteCount = min(max(0, byteCount), Self.longestFile)
    self.present = present
  }

  /// The parts as a value that can be asked; nil = the file is all there.
  package var presentRanges: PresentRanges? { present.map { PresentRanges($0) } }

  /// Bytes that a request takes at least.
  static let leastBytes = 14

  func write(to wire: inout WireWriter) {
    wire.put(kind.rawValue)
    wire.put(UInt64(clamping: byteCount))
    wire.put(present) { PresentRanges.write($1, to: &$0) }
    wire.put(detail)
  }

  init(from wire: inout WireReader) throws(WireError) {
    guard let kind = Kind(rawValue: try wire.integer()),
      let count = Int(exactly: try wire.integer(UInt64.self))
    else { throw WireError() }
    let present = try wire.optional { wire throws(WireError) in
      try PresentRanges.ranges(upTo: min(count, Self.longestFile), from: &wire)
    }
    let detail = try wire.byteString(upTo: Self.longestDetail)
    self.init(kind, byteCount: count, present: present, detail: detail)
  }
}

/// What was read of some files of a batch, in their order: messages that the modules at both ends understand.
struct ReportsAnswer: Hashable {
  /// The messages, each as a byte string.
  private var messages = WireWriter()
  private(set) var count: UInt32 = 0

  init() {}

  var isEmpty: Bool { count == 0 }

  var bytes: [UInt8] { messages.bytes }

  /// Adds what `write` puts.
  mutating func append(_ write: (inout WireWriter) -> Void) {
    messages.put(nested: write)
    count += 1
  }

  mutating func removeAll() {
    messages.removeAll()
    count = 0
  }

  func write(to wire: inout WireWriter) {
    wire.put(count)
    wire.put(messages.bytes)
  }

  init(from wire: inout WireReader) throws(WireError) {
    count = try wire.integer()
    messages = WireWriter(try wire.byteString())
    guard count > 0, bytes.count / 4 >= Int(count) else { throw WireError() }
  }

  /// Where in `bytes` the messages stand; nil where they are not as they were announced.
  var ranges: [Range<Int>]? {
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(Int(count))
    var wire = WireReader(bytes)
    for _ in 0..<count {
      guard let range = try? wire.nested() else { return nil }
      ranges.append(range)
    }
    return wire.isAtEnd ? ranges : nil
  }
}

/// An open file, and what is to be read of it.
package struct ReportedFile: Sendable {
  /// Open for reading; stays its owner's, its position as it was.
  package var descriptor: Int32
  package var request: ReportRequest

  package init(_ descriptor: Int32, _ request: ReportRequest) {
    (self.descriptor, self.request) = (descriptor, request)
  }
}
