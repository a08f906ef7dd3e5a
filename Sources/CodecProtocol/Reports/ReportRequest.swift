/// What to read of an open file.
package struct ReportRequest: Hashable, Sendable {
  /// How to interpret the file.
  package enum Kind: UInt8, Hashable, Sendable {
    /// A picture or a video, recognized by its first bytes.
    case medium = 0
    /// An XMP packet in a sidecar file.
    case sidecar = 1
    /// A picture or a video of a format that needs heavy libraries.
    case foreign = 2
    /// A picture whose metadata is copied to another one.
    case metadata = 3
    /// A picture or a video whose captions are removed.
    case captions = 4
  }

  package var kind: Kind
  /// The file's length in bytes, limited to `longestFile`, so that adding to an offset cannot overflow.
  package let byteCount: Int
  /// The available parts of the file, sorted, without overlap, at most `PresentRanges.most`; nil means all of it.
  ///
  /// The rest of the file reads as zeros and must not be interpreted. If a missing part is needed, the answer names
  /// the range.
  package var present: [Range<Int>]?
  /// Further options, encoded by the modules at both ends.
  package var detail: [UInt8] = []

  /// Upper bound of a file's length: no disk holds as much, and the sum of an offset and a length cannot overflow.
  package static let longestFile = 1 << 56

  /// Upper bound of the bytes of `detail`.
  private static let longestDetail = 256

  package init(_ kind: Kind, byteCount: Int, present: [Range<Int>]? = nil, detail: [UInt8] = []) {
    self.kind = kind
    self.detail = detail
    self.byteCount = min(max(0, byteCount), Self.longestFile)
    self.present = present
  }

  /// The available parts as `PresentRanges`; nil means all of the file.
  package var presentRanges: PresentRanges? { present.map { PresentRanges($0) } }

  /// Minimum bytes of an encoded request.
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

/// Reports on some files of a batch, in order; the modules at both ends define their content.
struct ReportsAnswer: Hashable {
  /// The reports, each as a byte string.
  private var messages = WireWriter()
  private(set) var count: UInt32 = 0

  init() {}

  var isEmpty: Bool { count == 0 }

  var bytes: [UInt8] { messages.bytes }

  /// Appends the report that `write` writes.
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

  /// Ranges of the reports in `bytes`; nil if they do not match `count`.
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

/// An open file and what to read of it.
package struct ReportedFile: Sendable {
  /// Open for reading; stays its owner's, its offset unchanged.
  package var descriptor: Int32
  package var request: ReportRequest

  package init(_ descriptor: Int32, _ request: ReportRequest) {
    (self.descriptor, self.request) = (descriptor, request)
  }
}
