import CConfinement
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

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

  /// What lies around the last small read: libraries and box walkers ask for a few bytes at a time.
  private var window: [UInt8] = []
  private var windowStart = 0
  private static let windowSize = 8 << 10
  private static let smallRead = 512

  /// - Parameter range: the part of the file that counts, in bytes.
  init(_ descriptor: Int32, range: Range<Int> = 0..<Int.max) {
    self.descriptor = descriptor
    let part = range.clamped(to: 0..<max(0, Int(confined_file_size(descriptor))))
    base = part.lowerBound
    byteCount = part.count
  }

  /// Reads from `offset`.
  /// - Returns: the number of bytes, fewer than there is room for only at the end; -1 after a failure.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard offset >= 0, buffer.count <= budget else { return -1 }
    budget -= buffer.count
    if buffer.count <= Self.smallRead { return readSmall(at: offset, into: buffer) }
    return readLarge(at: offset, into: buffer)
  }

  private func readSmall(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if offset < windowStart || offset + buffer.count > windowStart + window.count {
      var count = 0
      window = [UInt8](unsafeUninitializedCapacity: Self.windowSize) { room, filled in
        count = readLarge(at: offset, into: UnsafeMutableRawBufferPointer(room))
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

  /// Lends the whole file's bytes.
  /// - Throws: what the body throws, or that the file is too large or can't be mapped.
  func withMapping<Result>(
    upTo largest: Int, _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try map(upTo: largest).withUnsafeBytes(body)
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

extension InputFile {
  /// The file that a library hands back to a callback.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> InputFile? {
    pointer.map { Unmanaged<InputFile>.fromOpaque($0).takeUnretainedValue() }
  }
}
