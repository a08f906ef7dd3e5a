package import AssetLibrary
import Glibc

/// An open file, like the library's.
package final class OpenFile: ResourceReader {
  package let count: Int
  private let handle: Int32

  package init(_ path: [UInt8]) throws {
    handle = open(String(decoding: path, as: UTF8.self), O_RDONLY | O_CLOEXEC)
    guard handle >= 0 else { throw FixtureError("can't open it") }
    count = Int(lseek(handle, 0, SEEK_END))
  }

  deinit {
    close(handle)
  }

  package var descriptor: Int32? { handle }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    max(0, pread(handle, buffer.baseAddress, buffer.count, offset))
  }
}
