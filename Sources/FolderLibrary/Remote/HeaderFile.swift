import AssetLibrary
import CPlatform
import CodecProtocol
import Synchronization
import SystemPackage
import System

/// The header of a remote file as an in-memory file that has the full length, with holes where nothing was
/// read.
///
/// Helpers can only read open files.
///
/// A file of unknown length has the maximum length until its end is found. Use from one thread at a time; the
/// last reference closes it.
final class HeaderFile: ResourceReader {
  /// The number of bytes read first of every file.
  static let step = 1 << 16

  /// The maximum size in bytes of an embedded thumbnail that is read.
  static let longestThumbnail = 256 << 10
  /// The maximum number of bytes read of any file, whatever its header refers to: the limit of `RangeLoader`,
  /// and a thumbnail.
  private static let mostBytes = RangeLoader.mostBytes + longestThumbnail

  let file: RemoteFile
  private let length: Mutex<Int>
  private let memory: Int32
  private let source: any RemoteSource
  private let ranges = Mutex(PresentRanges())

  init(_ file: RemoteFile, of source: any RemoteSource) throws(AssetError) {
    self.file = file
    self.source = source
    length = Mutex(file.knowsSize ? Int(file.size) : RangeLoader.mostBytes)
    memory = memory_file_create()
    guard memory >= 0 else {
      throw AssetError(source.name, Errno(rawValue: errno).description, isTransient: true)
    }
    guard ftruncate(memory, count) == 0 else {
      let failure = Errno(rawValue: errno)
      close(memory)
      throw AssetError(source.name, failure.description)
    }
  }

  deinit { close(memory) }

  var count: Int { length.withLock { $0 } }

  var descriptor: Int32? { memory }

  /// The ranges read so far.
  var present: PresentRanges { ranges.withLock { $0 } }

  /// Reads the missing parts of a range.
  func load(_ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool) throws(AssetError) {
    while let part = present.missing(in: range.clamped(to: 0..<count)) {
      guard part.count <= Self.mostBytes - present.byteCount else {
        throw AssetError(source.name, "too many bytes of a file would have to be read")
      }
      var offset = part.lowerBound
      var failure: Errno?
      try source.read(file, part, isCancelled: isCancelled) { bytes in
        let wanted = min(bytes.count, part.upperBound - offset)
        var written = 0
        while written < wanted {
          let count = pwrite(
            memory, bytes.baseAddress?.advanced(by: written), wanted - written, offset + written)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else {
            failure = Errno(rawValue: errno)
            return false
          }
          written += count
        }
        offset += wanted
        return true
      }
      if let failure { throw AssetError(source.name, failure.description, isTransient: true) }
      guard offset == part.upperBound || !file.knowsSize else {
        throw AssetError(source.name, "the server sent too few bytes", isTransient: true)
      }
      ranges.withLock { $0.insert(part.lowerBound..<offset) }
      if offset < part.upperBound { return end(at: offset) }
    }
  }

  /// Sets the end of a file of unknown length, not before the ranges already read.
  private func end(at offset: Int) {
    let end = max(offset, present.ranges.last?.upperBound ?? 0)
    length.withLock { $0 = end }
    // If truncation fails, the bytes after the end read as zeros; readers are given the shorter length.
    _ = ftruncate(memory, end)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    try DescriptorSource(descriptor: memory).read(at: offset, into: buffer)
  }
}
