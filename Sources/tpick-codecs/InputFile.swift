import CConfinement
import CodecProtocol
import Metadata
import System

/// An open file that another object owns; reads with offsets, so that its file offset stays unchanged.
final class InputFile {
  private let descriptor: Int32
  let byteCount: Int
  /// Offset of the part that this object exposes.
  private let base: Int
  /// Current offset of a library that reads sequentially.
  var position = 0
  /// Whether the caller decodes pictures rather than only reading metadata.
  var wantsPictures = false
  /// Bytes that may still be read; bounds the search in a large file.
  var budget = Int.max
  /// The first needed range that is not fetched yet.
  private(set) var missing: Range<Int>?
  /// An offset after which nothing is needed: if it is not fetched yet, readers see the end of the file there.
  var optionalPlace: Int?
  /// Offsets of coded pictures, which are not read from a partly fetched file.
  var codedPlaces: Set<Int> = []

  /// The available parts of the file; nil means all of it.
  private let present: PresentRanges?

  /// Bytes around the last small read: libraries and box readers read a few bytes at a time.
  private var window: [UInt8] = []
  private var windowStart = 0
  private static let windowSize = 8 << 10
  private static let smallRead = 512

  /// - Parameters:
  ///   - range: the part of the file to expose, in bytes.
  ///   - present: the available parts of a whole file; reading anything else fails.
  init(_ descriptor: Int32, range: Range<Int> = 0..<Int.max, present: PresentRanges? = nil) {
    self.descriptor = descriptor
    self.present = present
    let length = min(max(0, Int(confined_file_size(descriptor))), ReportRequest.longestFile)
    let part = range.clamped(to: 0..<length)
    base = part.lowerBound
    byteCount = part.count
  }

  /// Reads from `offset`.
  /// - Parameter needed: the fewest bytes that are of use in a partly fetched file; nil means all.
  /// - Returns: the number of bytes, which is smaller than the buffer only at the end, or if no more are available
  ///   than needed; -1 after a failure.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer, needing needed: Int? = nil) -> Int {
    guard offset >= 0, buffer.count <= budget else { return -1 }
    budget -= buffer.count
    // Boxes may refer to any 63-bit offset.
    if offset >= byteCount { return 0 }
    var buffer = buffer
    if let present {
      let there = present.count(from: offset)
      if there == 0, offset == optionalPlace { return 0 }
      if there < min(buffer.count, needed ?? buffer.count) {
        guard requires(offset, buffer.count) else { return -1 }
      } else {
        buffer = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(there))
      }
    }
    if buffer.count <= Self.smallRead { return readSmall(at: offset, into: buffer) }
    return readLarge(at: offset, into: buffer)
  }

  private func readSmall(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if offset < windowStart || offset + buffer.count > windowStart + window.count {
      var count = 0
      // Limited to the available bytes.
      let size = present.map { min(Self.windowSize, $0.count(from: offset)) } ?? Self.windowSize
      window = [UInt8](unsafeUninitializedCapacity: size) { room, filled in
        count = readLarge(
          at: offset,
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[..<size]))
        filled = max(0, count)
      }
      windowStart = offset
      guard count >= 0 else { return -1 }
    }
    let slice = window.dropFirst(offset - windowStart).prefix(buffer.count)
    buffer.copyBytes(from: slice)
    return slice.count
  }

  private func readLarge(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    let limit = min(buffer.count, max(0, byteCount - offset))
    while done < limit {
      let n = pread(descriptor, buffer.baseAddress?.advanced(by: done), limit - done, base + offset + done)
      if n < 0, errno == EINTR { continue }
      if n < 0 { return -1 }
      if n == 0 { break }
      done += n
    }
    return done
  }

  /// Maps the whole file.
  /// - Throws: `CodecError` if the file is too large or cannot be mapped.
  func map(upTo largest: Int) throws(CodecError) -> FileMapping {
    guard byteCount > 0 else { throw .unreadable("the file is empty") }
    guard byteCount <= largest else { throw .tooLarge("too large a file for this format") }
    guard base == 0, let mapping = FileMapping(descriptor: descriptor, byteCount: byteCount) else {
      throw .unreadable("read error")
    }
    return mapping
  }

  /// Returns up to `count` bytes from `offset`.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, offset < byteCount else { return [] }
    let count = max(0, min(count, byteCount - offset))
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, read(at: offset, into: UnsafeMutableRawBufferPointer(buffer)))
    }
  }
}

// Partly fetched files.
extension InputFile {
  var isPartial: Bool { present != nil }

  /// Whether `count` bytes from `offset`, limited to the file's length, are available.
  func isThere(_ offset: Int, _ count: Int) -> Bool {
    guard let present else { return true }
    let (end, overflow) = offset.addingReportingOverflow(max(0, count))
    return offset < 0 || present.contains(offset..<max(offset, min(byteCount, overflow ? byteCount : end)))
  }

  /// Records the range as missing unless it is available.
  /// - Returns: whether it is available.
  func requires(_ offset: Int, _ count: Int) -> Bool {
    guard !isThere(offset, count) else { return true }
    missing = missing ?? present?.missing(in: offset..<min(byteCount, offset + min(byteCount, count)))
    return false
  }

  /// Runs `read` without recording what it misses.
  func optional<Result>(_ read: () -> Result) -> Result {
    let before = missing
    defer { missing = before }
    return read()
  }
}

// Partly fetched files that consist of boxes: whole boxes are requested at once, because a library would read
// them piece by piece.
extension InputFile {
  /// Requires the box with a video's metadata; does nothing if the file is complete.
  /// - Throws: `CodecError` if it is not available; the file records what is missing.
  func requireMovie() throws(CodecError) {
    guard let boxes = try require("moov") else { return }
    // The times of a fragmented video are in all of its fragments.
    if !boxes.contains(where: { $0.type == "moof" }) { ignoreTrailers(boxes) }
  }

  /// Requires the boxes with the metadata of a HEIC or AVIF file.
  /// - Returns: the file's `meta` box; nil if the file is complete or has none.
  /// - Throws: `CodecError` if they are not available; the file records what is missing.
  func requirePicture() throws(CodecError) -> Box? {
    guard let boxes = try require("meta") else { return nil }
    let brands = boxes.first { $0.type == "ftyp" }.map { BoxReader(self).bytes(of: $0, count: 256) } ?? []
    // The tracks of a sequence may come after its data (ISO/IEC 23008-12, 10.3; AV1 Image File Format 1.1, 6.2).
    let isSequence = stride(from: 0, to: brands.count - 3, by: 4).contains { place in
      ["msf1", "hevc", "hevx", "avis"].contains(String(decoding: brands[place..<place + 4], as: UTF8.self))
    }
    if !isSequence { ignoreTrailers(boxes) }
    return boxes.first { $0.type == "meta" }
  }

  /// Requires all boxes of a type, and at least one.
  /// - Returns: the file's top-level boxes, as far as their headers are available; nil if the file is complete.
  private func require(_ type: String) throws(CodecError) -> [Box]? {
    guard isPartial else { return nil }
    let boxes = optional { BoxReader(self).topLevel }
    let found = boxes.filter { $0.type == type }
    for box in found where !requires(box.content.lowerBound, box.content.count) { throw .partsMissing }
    // No such box found yet: the next header, which is not available, may be the first one's.
    if found.isEmpty, !requires(boxes.last?.content.upperBound ?? 0, 16) { throw .partsMissing }
    return boxes
  }

  /// Skips what follows the media data: makers append trailers, videos and thumbnails there, which are not needed
  /// for metadata.
  private func ignoreTrailers(_ boxes: [Box]) {
    if let last = boxes.last, last.type == "mdat" { optionalPlace = last.content.upperBound }
  }
}

extension BoxReader {
  /// Creates a reader of the boxes of an open file.
  init(_ file: InputFile) {
    self.init(byteCount: file.byteCount) { file.bytes(at: $0, count: $1) }
  }
}

extension CodecError {
  /// The error for a file that records what is missing.
  static let partsMissing = CodecError.unreadable("parts of the file are missing")
}

extension InputFile {
  /// Returns the file behind a callback's context pointer.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> InputFile? {
    pointer.map { Unmanaged<InputFile>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// A whole file mapped into memory, of which only accessed pages are read; unmapped with the last reference.
///
/// If the file is truncated meanwhile, the helper dies, which counts as one broken asset.
final class FileMapping {
  private let bytes: UnsafeRawBufferPointer

  /// - Parameter descriptor: not needed after this call.
  /// - Returns: nil if the file cannot be mapped.
  init?(descriptor: Int32, byteCount: Int) {
    guard let start = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      return nil
    }
    bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  /// Calls `body` with the bytes, which do not move as long as the mapping exists.
  func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try withExtendedLifetime(self) { () throws(CodecError) in try body(bytes) }
  }
}
