/// The part of a file that a parser looks at, loaded as far as it asks.
///
/// Offsets count from the file's first byte. Every access is checked: what the file does not have is nil,
/// never a crash. A read that fails counts as the file's end; who made the window knows of the failure.
///
/// Of a file of which only parts are there the window reads these alone. It reads ahead no further than they go, and notes the
/// first range that somebody really asked for in vain: that is nil for the parser, and not the file's end.
struct ByteWindow {
  /// Reads from an offset into memory, and tells how many bytes there were.
  typealias Load = (Int, UnsafeMutableRawBufferPointer) -> Int
  /// Tells how many bytes from an offset on are there, of so many.
  typealias Available = (Int, Int) -> Int

  /// How much is read at once: a page, which holds all that most photographs say of themselves.
  static let step = 4096
  /// How far the window grows before it moves on; an APP segment with its neighbours fits.
  private static let capacity = 1 << 17
  /// A gap up to which reading on costs less than reading again.
  private static let gap = 1 << 16

  /// What lies behind in a sparse file that says to be longer is not there: sums of a place and a length don't
  /// overflow, and no disk holds as much.
  private static let longest = 1 << 56

  /// The first block of metadata of each kind that was come across, where they are wanted as they are.
  struct Blocks {
    var exif: Range<Int>?
    var xmp: [UInt8] = []
    var extendedXMP: [UInt8] = []
    /// Whether an XMP packet was too long to be read, or lacked a part.
    var isXMPCut = false
    var iptc: [UInt8] = []
  }

  /// nil where nobody wants them.
  var blocks: Blocks?
  /// Where the file ends.
  private(set) var end: Int
  /// Whether anything was asked for that lies behind the end.
  private(set) var wasCut = false
  /// The first range that was asked for and is yet to be fetched; what was optional does not count.
  private(set) var missing: Range<Int>?
  /// The file's bytes from `start`, `count` of them; what lies behind is room.
  private(set) var bytes: [UInt8]
  private var start = 0
  private var count = 0
  private let load: Load?
  private let available: Available
  /// Bytes that may still be copied out: a file may have a thousand blocks of megabytes each.
  private var copiesLeft = Self.mostCopied

  /// Bytes that are copied out of one file at most: three packets of XMP as long as they may be.
  private static let mostCopied = 48 << 20

  /// A window onto a file.
  /// - Parameters:
  ///   - room: memory to use again; its contents don't matter.
  ///   - available: what of the file is there; all of it by itself.
  init(
    byteCount: Int, room: consuming [UInt8] = [], available: @escaping Available = { $1 },
    load: @escaping Load
  ) {
    end = min(max(0, byteCount), Self.longest)
    bytes = room
    self.available = available
    self.load = load
  }

  /// A window onto bytes that are in memory as a whole.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
    count = bytes.count
    available = { $1 }
    load = nil
  }

  /// The memory, for the next window.
  consuming func room() -> [UInt8] { bytes }

  /// Where in `bytes` the `length` bytes from `offset` lie; nil where the file ends before.
  @inline(__always)
  mutating func index(of offset: Int, _ length: Int) -> Int? {
    let index = offset &- start
    if index >= 0, index <= count &- length { return index }
    return load(offset, length)
  }

  /// Whether the bytes are at hand without reading.
  func holds(_ offset: Int, _ length: Int) -> Bool {
    offset >= start && offset + length <= start + count
  }

  /// Moves to `offset` unless the `length` bytes there are at hand: what lies between is not wanted.
  mutating func seek(_ offset: Int, _ length: Int) {
    guard load != nil, !holds(offset, length), offset >= 0, offset < end else { return }
    start = offset
    count = 0
  }

  /// Reads what a file's facts are complete without: nothing is fetched for it.
  ///
  /// Whoever reads sees by `missing` whether something was not there.
  mutating func optional<Result>(_ read: (inout ByteWindow) -> Result) -> Result {
    let before = missing
    missing = nil
    defer { missing = before }
    return read(&self)
  }

  /// Whether the bytes of `range` are there; notes it where they are not.
  private mutating func isThere(_ range: Range<Int>) -> Bool {
    let there = available(range.lowerBound, range.count)
    if there < range.count { missing = missing ?? range.lowerBound + max(0, there)..<range.upperBound }
    return there >= range.count
  }

  mutating func byte(at offset: Int) -> UInt8? { index(of: offset, 1).map { bytes[$0] } }

  mutating func bigEndian16(at offset: Int) -> Int? {
    index(of: offset, 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
  }

  mutating func bigEndian32(at offset: Int) -> Int? {
    index(of: offset, 4).map { at in
      Int(bytes[at]) << 24 | Int(bytes[at + 1]) << 16 | Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
    }
  }

  mutating func littleEndian16(at offset: Int) -> Int? {
    index(of: offset, 2).map { Int(bytes[$0 + 1]) << 8 | Int(bytes[$0]) }
  }

  mutating func littleEndian24(at offset: Int) -> Int? {
    index(of: offset, 3).map { Int(bytes[$0 + 2]) << 16 | Int(bytes[$0 + 1]) << 8 | Int(bytes[$0]) }
  }

  mutating func littleEndian32(at offset: Int) -> Int? {
    index(of: offset, 4).map { at in
      Int(bytes[at + 3]) << 24 | Int(bytes[at + 2]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at])
    }
  }

  /// Whether the file has these ASCII letters at `offset`.
  mutating func has(_ letters: StaticString, at offset: Int) -> Bool {
    guard let at = index(of: offset, letters.utf8CodeUnitCount) else { return false }
    return letters.withUTF8Buffer { wanted in
      for next in 0..<wanted.count where bytes[at + next] != wanted[next] { return false }
      return true
    }
  }

  /// A copy of `range`, cut where the file ends; nothing where too much was copied already.
  mutating func copy(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<max(0, end))
    guard range.count <= copiesLeft else { return [] }
    copiesLeft -= range.count
    if holds(range.lowerBound, range.count) || range.count <= Self.step {
      guard let at = index(of: range.lowerBound, range.count) else { return [] }
      return Array(bytes[at..<at + range.count])
    }
    guard let load, isThere(range) else { return [] }
    return [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = load(range.lowerBound, UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// The few bytes of `range` where they lie outside the window, which stays where it is.
  mutating func peek(_ range: Range<Int>) -> [UInt8] {
    if holds(range.lowerBound, range.count) { return copy(range) }
    guard let load, range.lowerBound >= 0, range.upperBound <= end, isThere(range) else { return [] }
    return [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = load(range.lowerBound, UnsafeMutableRawBufferPointer(buffer))
    }
  }

  @inline(never)
  private mutating func load(_ offset: Int, _ length: Int) -> Int? {
    guard offset >= 0, length >= 0, offset <= end, length <= end - offset, let load else {
      wasCut = true
      return nil
    }
    guard length <= Self.capacity else { return nil }
    let behind = start + count
    if offset < start || offset > behind + Self.gap || offset + length - start > Self.capacity {
      start = offset
      count = 0
    }
    // What lies between is read on the way, but nothing is fetched for it.
    if available(start + count, offset + length - start - count) < offset + length - start - count {
      start = offset
      count = 0
    }
    guard isThere(start + count..<offset + length) else { return nil }
    let longest = min(end - start, max(offset + length - start, count + Self.step))
    let wanted = count + min(longest - count, available(start + count, longest - count))
    if bytes.count < wanted { bytes.append(contentsOf: repeatElement(0, count: wanted - bytes.count)) }
    let (from, old) = (start + count, count)
    let found = bytes.withUnsafeMutableBytes { room in
      load(from, UnsafeMutableRawBufferPointer(rebasing: room[old..<wanted]))
    }
    count += min(max(0, found), wanted - old)
    if count < wanted { end = min(end, start + count) }
    guard offset + length <= start + count else {
      wasCut = true
      return nil
    }
    return offset - start
  }
}
