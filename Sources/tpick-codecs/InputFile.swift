import CConfinement
import CodecProtocol
import Metadata
import System

/// An open file that belongs to someone else; read at places, so that its position stays as it was.
final class InputFile {
  private let descriptor: Int32
  let byteCount: Int
  /// Where in the file the part begins that counts.
  private let base: Int
  /// Where a library that reads in sequence has got to.
  var position = 0
  /// Whether coded pictures are of use, and not only what is told of them.
  var wantsPictures = false
  /// Bytes that may still be read: bounds the search in a large file.
  var budget = Int.max
  /// The first range that was needed and is yet to be fetched.
  private(set) var missing: Range<Int>?
  /// A place from which nothing has to be read: where it is yet to be fetched, the file ends there for whoever reads.
  var optionalPlace: Int?
  /// Where coded pictures begin, of which nothing is read where parts of the file are yet to be fetched.
  var codedPlaces: Set<Int> = []

  /// What of the file is there; nil = all of it.
  private let present: PresentRanges?

  /// What lies around the last small read: libraries and box walkers ask for a few bytes at a time.
  private var window: [UInt8] = []
  private var windowStart = 0
  private static let windowSize = 8 << 10
  private static let smallRead = 512

  /// - Parameters:
  ///   - range: the part of the file that counts, in bytes.
  ///   - present: what of a whole file is there; a read of anything else fails.
  init(_ descriptor: Int32, range: Range<Int> = 0..<Int.max, present: PresentRanges? = nil) {
    self.descriptor = descriptor
    self.present = present
    let length = min(max(0, Int(confined_file_size(descriptor))), ReportRequest.longestFile)
    let part = range.clamped(to: 0..<length)
    base = part.lowerBound
    byteCount = part.count
  }

  /// Reads from `offset`.
  /// - Parameter needed: how many bytes are of use at least where parts of the file are yet to be fetched; nil = all.
  /// - Returns: the number of bytes, fewer than there is room for only at the end, or where no more are there than are
  ///   needed; -1 after a failure.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer, needing needed: Int? = nil) -> Int {
    guard offset >= 0, buffer.count <= budget else { return -1 }
    budget -= buffer.count
    // Boxes may name any place of 63 bits.
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
      // No further than the file is there.
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
  /// - Throws: that the file is too large or can't be mapped.
  func map(upTo largest: Int) throws(CodecError) -> FileMapping {
    guard byteCount > 0 else { throw .unreadable("the file is empty") }
    guard byteCount <= largest else { throw .tooLarge("too large a file for this format") }
    guard base == 0, let mapping = FileMapping(descriptor: descriptor, byteCount: byteCount) else {
      throw .unreadable("read error")
    }
    return mapping
  }

  /// Up to `count` bytes from `offset`.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, offset < byteCount else { return [] }
    let count = max(0, min(count, byteCount - offset))
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, read(at: offset, into: UnsafeMutableRawBufferPointer(buffer)))
    }
  }
}

// Files of which only parts are there.
extension InputFile {
  var isPartial: Bool { present != nil }

  /// Whether `count` bytes from `offset` on are there, as far as the file goes.
  func isThere(_ offset: Int, _ count: Int) -> Bool {
    guard let present else { return true }
    let (end, overflow) = offset.addingReportingOverflow(max(0, count))
    return offset < 0 || present.contains(offset..<max(offset, min(byteCount, overflow ? byteCount : end)))
  }

  /// Notes that bytes are needed where they are not there.
  /// - Returns: whether they are.
  func requires(_ offset: Int, _ count: Int) -> Bool {
    guard !isThere(offset, count) else { return true }
    missing = missing ?? present?.missing(in: offset..<min(byteCount, offset + min(byteCount, count)))
    return false
  }

  /// Notes nothing of what `read` misses.
  func optional<Result>(_ read: () -> Result) -> Result {
    let before = missing
    defer { missing = before }
    return read()
  }
}

// Files of boxes of which only parts are there: what a library would ask for piece by piece is asked for at once.
extension InputFile {
  /// Has the box be there that tells all of a video; does nothing where the file is all there.
  /// - Throws: `CodecError` where it is not; the file knows what is missing.
  func requireMovie() throws(CodecError) {
    guard let boxes = try require("moov") else { return }
    // The times of a video in fragments are in all of them.
    if !boxes.contains(where: { $0.type == "moof" }) { endBehindData(boxes) }
  }

  /// Has the boxes be there that tell all of a HEIC or AVIF file.
  /// - Returns: the file's `meta` box; nil where it has none.
  /// - Throws: `CodecError` where they are not; the file knows what is missing.
  func requirePicture() throws(CodecError) -> Box? {
    guard let boxes = try require("meta") else { return nil }
    let brands = boxes.first { $0.type == "ftyp" }.map { BoxReader(self).bytes(of: $0, count: 256) } ?? []
    // Behind the data of a sequence there may be its tracks (ISO/IEC 23008-12, 10.3; AV1 Image File Format 1.1, 6.2).
    let isSequence = stride(from: 0, to: brands.count - 3, by: 4).contains { place in
      ["msf1", "hevc", "hevx", "avis"].contains(String(decoding: brands[place..<place + 4], as: UTF8.self))
    }
    if !isSequence { endBehindData(boxes) }
    return boxes.first { $0.type == "meta" }
  }

  /// Has all boxes of a type be there, and one at least.
  /// - Returns: the file's boxes as far as their headers are there; nil where the file is all there.
  private func require(_ type: String) throws(CodecError) -> [Box]? {
    guard isPartial else { return nil }
    let boxes = optional { BoxReader(self).topLevel }
    let found = boxes.filter { $0.type == type }
    for box in found where !requires(box.content.lowerBound, box.content.count) { throw .notThere }
    // Where the first one begins shows with the next header.
    if found.isEmpty, !requires(boxes.last?.content.upperBound ?? 0, 16) { throw .notThere }
    return boxes
  }

  /// Lets what stands behind the media data be: makers put trailers there, videos and thumbnails, none of which is a fact.
  private func endBehindData(_ boxes: [Box]) {
    if let last = boxes.last, last.type == "mdat" { optionalPlace = last.content.upperBound }
  }
}

extension BoxReader {
  /// Makes a reader of the boxes of an open file.
  init(_ file: InputFile) {
    self.init(byteCount: file.byteCount) { file.bytes(at: $0, count: $1) }
  }
}

extension CodecError {
  /// Of a file that knows what of it is missing.
  static let notThere = CodecError.unreadable("parts of the file are missing")
}

extension InputFile {
  /// The file that a library hands back to a callback.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> InputFile? {
    pointer.map { Unmanaged<InputFile>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// A whole file in memory, of which only those bytes are read that are looked at; unmapped with the last reference.
///
/// A file that shrinks meanwhile costs the helper its life, and is then one broken asset.
final class FileMapping {
  private let bytes: UnsafeRawBufferPointer

  /// - Parameter descriptor: not needed any more afterwards.
  /// - Returns: nil where the file can't be mapped.
  init?(descriptor: Int32, byteCount: Int) {
    guard let start = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      return nil
    }
    bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  /// Lends the bytes, which stay in their place as long as the mapping.
  func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try withExtendedLifetime(self) { () throws(CodecError) in try body(bytes) }
  }
}
