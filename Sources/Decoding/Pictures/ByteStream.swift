import AssetLibrary

/// Reads the bytes of a file in order, through a buffer; the source of the C libraries.
///
/// Used by one decode. A failed read ends the stream and is stored in `failure`. A stopped job ends it too, so that
/// no library keeps searching for the end of an endless header.
final class ByteStream {
  var job: DecodeJob
  private(set) var failure: AssetError?
  private(set) var position = 0
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// Byte range of the file that is in the buffer.
  private var held = 0..<0

  /// - Throws: `DecodeStop` if the file is too long to be streamed.
  init(_ job: DecodeJob) throws(DecodeStop) {
    try job.checkStreamed()
    self.job = job
  }

  /// Reads the next bytes and returns their number, which is smaller only at the end.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < target.count {
      guard held.contains(position) || refill() else { break }
      let available = min(target.count - done, held.upperBound - position)
      let start = position - held.lowerBound
      UnsafeMutableRawBufferPointer(rebasing: target[done..<done + available])
        .copyBytes(from: buffer[start..<start + available])
      done += available
      position += available
    }
    return done
  }

  /// Returns the next byte; nil at the end.
  func next() -> UInt8? {
    guard held.contains(position) || refill() else { return nil }
    defer { position += 1 }
    return buffer[position - held.lowerBound]
  }

  func skip(to position: Int) { self.position = max(0, position) }

  /// Reads at any offset, bypassing the buffer.
  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
    guard failure == nil, offset >= 0, offset < job.reader.count, !job.isStopped else { return 0 }
    do throws(AssetError) {
      return try job.reader.read(at: offset, into: target)
    } catch {
      failure = error
      return 0
    }
  }

  private func refill() -> Bool {
    let position = position
    // Moved out of the property while it is written: the closure accesses `self` too.
    var filling: [UInt8] = []
    swap(&filling, &buffer)
    let count = filling.withUnsafeMutableBytes { read(at: position, into: $0) }
    swap(&filling, &buffer)
    held = position..<position + count
    return count > 0
  }
}
