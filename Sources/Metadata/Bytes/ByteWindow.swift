/// A sliding window over a file for parsers, which loads bytes on demand.
///
/// Offsets are from the start of the file. Every access is checked: bytes that the file does not have are
/// nil, and nothing crashes. For the parser, a failed read is the end of the file; the owner of the window,
/// which provides the function that reads, records the error.
///
/// Of a partially downloaded file, only the available parts are read: the window does not read ahead beyond
/// them. It records the first required range that is missing: those bytes are nil for the parser, but don't
/// count as the end of the file.
struct ByteWindow {
  /// Reads from an offset into memory, and returns the number of bytes.
  typealias Load = (Int, UnsafeMutableRawBufferPointer) -> Int
  /// Returns how many of a number of bytes from an offset are available.
  typealias Available = (Int, Int) -> Int

  /// The size of a read: a page, which contains all metadata of most photos.
  static let step = 4096
  /// The maximum size of the window; an APP segment with its neighbors fits.
  private static let capacity = 1 << 17
  /// The maximum gap for which continuing to read is cheaper than a separate read.
  private static let gap = 1 << 16

  /// The maximum length of a file; the part of a sparse file beyond it is ignored.
  ///
  /// The sum of an offset and a length can't overflow, and no disk is as large.
  private static let longest = 1 << 56

  /// The first metadata block of each kind, for callers that need the raw blocks.
  struct Blocks {
    var exif: Range<Int>?
    var xmp: [UInt8] = []
    var extendedXMP: [UInt8] = []
    /// Whether an XMP packet was too long to read, or incomplete.
    var isXMPCut = false
    var iptc: [UInt8] = []
  }

  /// The raw blocks; nil if they are not needed.
  var blocks: Blocks?
  /// The end of the file.
  private(set) var end: Int
  /// Whether bytes beyond the end were requested.
  private(set) var wasCut = false
  /// The first required range that must still be downloaded; optional ranges don't count.
  private(set) var missing: Range<Int>?
  /// A buffer whose first `count` bytes are the file's bytes from `start`; the rest is spare room.
  private(set) var bytes: [UInt8]
  private var start = 0
  private var count = 0
  private let load: Load?
  private let available: Available
  /// The number of bytes that may still be copied: a file may have a thousand blocks of megabytes each.
  private var copiesLeft = Self.mostCopied

  /// The maximum number of bytes copied from one file: three XMP packets of maximum length.
  private static let mostCopied = 48 << 20

  /// Creates a window over a file.
  /// - Parameters:
  ///   - room: a buffer to reuse; its contents are ignored.
  ///   - available: the available parts of the file; by default all of it.
  init(
    byteCount: Int, room: consuming [UInt8] = [], available: @escaping Available = { $1 },
    load: @escaping Load
  ) {
    end = min(max(0, byteCount), Self.longest)
    bytes = room
    self.available = available
    self.load = load
  }

  /// Creates a window over bytes that are completely in memory.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
    count = bytes.count
    available = { $1 }
    load = nil
  }

  /// Returns the buffer for reuse by the next window.
  consuming func room() -> [UInt8] { bytes }

  /// Returns the index in `bytes` of the `length` bytes from `offset`; nil if the file ends before.
  @inline(__always)
  mutating func index(of offset: Int, _ length: Int) -> Int? {
    let index = offset &- start
    if index >= 0, index <= count &- length { return index }
    return load(offset, length)
  }

  /// Whether the bytes are loaded.
  func holds(_ offset: Int, _ length: Int) -> Bool {
    offset >= start && offset + length <= start + count
  }

  /// Moves the window to `offset` unless the `length` bytes there are loaded: the bytes in between are
  /// skipped.
  mutating func seek(_ offset: Int, _ length: Int) {
    guard load != nil, !holds(offset, length), offset >= 0, offset < end else { return }
    start = offset
    count = 0
  }

  /// Reads bytes without requesting their download, because a file's metadata is complete without them.
  ///
  /// In the closure, `missing` tells whether bytes were missing.
  mutating func optional<Result>(_ read: (inout ByteWindow) -> Result) -> Result {
    let before = missing
    missing = nil
    defer { missing = before }
    return read(&self)
  }

  /// Whether the bytes of `range` are available; records the range if they are not.
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

  /// Copies `range`, clamped to the end of the file; empty if too many bytes were copied already.
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

  /// Copies a small range without moving the window.
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
    // The bytes in a small gap are read as well, unless they would have to be downloaded.
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
