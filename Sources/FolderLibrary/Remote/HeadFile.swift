import AssetLibrary
import CPlatform
import CodecProtocol
import Synchronization
import SystemPackage
import System

/// Bytes of a file on a server as a file in memory: as long as the whole, with holes where nothing was read.
///
/// A file of unknown length is as long as it may be, until its end was found.
///
/// Helpers read open files and nothing else. Used by one thread at a time; closed with the last reference.
final class HeadFile: ResourceReader {
  /// As much as is read of every file at first, in bytes.
  static let step = 1 << 16

  /// No embedded thumbnail is read that takes more bytes.
  static let longestThumbnail = 256 << 10
  /// Nor is more than this of any file, whatever it says of itself: what a `RangeLoader` asks for, and a thumbnail.
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

  /// What was read so far.
  var present: PresentRanges { ranges.withLock { $0 } }

  /// Reads what of a range is not there yet.
  func load(_ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool) throws(AssetError) {
    while let part = present.missing(in: range.clamped(to: 0..<count)) {
      guard part.count <= Self.mostBytes - present.byteCount else {
        throw AssetError(source.name, "too much of a file would have to be read")
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

  /// Notes where a file of unknown length ends: no later than what of it is there.
  private func end(at offset: Int) {
    let end = max(offset, present.ranges.last?.upperBound ?? 0)
    length.withLock { $0 = end }
    // Where it can't be made shorter, what lies behind reads as zeros, which no reader is told to believe.
    _ = ftruncate(memory, end)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    try DescriptorSource(descriptor: memory).read(at: offset, into: buffer)
  }
}
