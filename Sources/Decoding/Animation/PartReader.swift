import AssetLibrary

/// A file put together of parts of another one and of bytes that stand between them; nothing is copied.
struct PartReader: ResourceReader {
  enum Part: Sendable {
    case bytes([UInt8])
    /// A range of the whole file.
    case range(Range<Int>)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .range(let range): range.count
      }
    }
  }

  let count: Int
  private let whole: any ResourceReader
  private let parts: [Part]
  /// Where each part begins.
  private let starts: [Int]

  init(_ whole: any ResourceReader, _ parts: [Part]) {
    (self.whole, self.parts) = (whole, parts)
    var (starts, count): ([Int], Int) = ([], 0)
    for part in parts {
      starts.append(count)
      count += part.count
    }
    (self.starts, self.count) = (starts, count)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    guard offset >= 0, offset < count else { return 0 }
    var index = self.index(of: offset)
    var done = 0
    while done < buffer.count, index < parts.count {
      let skipped = offset + done - starts[index]
      let wanted = min(buffer.count - done, parts[index].count - skipped)
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + wanted])
      switch parts[index] {
      case .bytes(let bytes): room.copyBytes(from: bytes[skipped..<skipped + wanted])
      case .range(let range):
        let found = try whole.read(at: range.lowerBound + skipped, into: room)
        // The file has become shorter meanwhile.
        if found < wanted { return done + max(0, found) }
      }
      done += wanted
      index += 1
    }
    return done
  }

  /// The part that an offset lies in.
  private func index(of offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
