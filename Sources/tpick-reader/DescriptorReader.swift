import AssetLibrary
import CConfinement
import System

/// A part of an open file that belongs to someone else; read at places, so that its position stays as it was.
struct DescriptorReader: ResourceReader {
  let count: Int
  private let file: Int32
  private let base: Int

  /// - Parameter range: the part that counts, in bytes.
  init(_ file: Int32, range: Range<Int> = 0..<Int.max) {
    self.file = file
    let part = range.clamped(to: 0..<max(0, Int(confined_file_size(file))))
    (base, count) = (part.lowerBound, part.count)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let wanted = offset >= 0 && offset < count ? min(buffer.count, count - offset) : 0
    var done = 0
    while done < wanted {
      let read = pread(file, buffer.baseAddress?.advanced(by: done), wanted - done, base + offset + done)
      if read == 0 { break }
      if read > 0 {
        done += read
      } else if errno != EINTR {
        throw AssetError("read error", String(cString: strerror(errno)))
      }
    }
    return done
  }
}
