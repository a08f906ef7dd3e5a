package import AssetLibrary
package import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// The bytes of a stream, kept in a file without a name while this exists, so that they can be read at any place.
///
/// Little of them is in memory at a time. Nobody else can open the file, and it is gone with the process, however that ends.
package final class SpooledFile: Sendable {
  private static let chunkSize = 1 << 18

  private let descriptor: Int32

  /// Where this process can open the file.
  package var path: FilePath { FilePath("/proc/self/fd/\(descriptor)") }

  /// Reads a stream to its end.
  /// - Parameters:
  ///   - input: stays the caller's, and open.
  ///   - limit: the most bytes that are taken.
  ///   - folder: where there is room for them.
  /// - Throws: `AssetError` with the folder or "standard input" as its subject: if the stream can't be read, is empty or
  ///   longer than the limit, or if there is no room.
  package init(reading input: Int32, limit: Int, folder: FilePath) throws(AssetError) {
    var template = Array(folder.appending("tpick-XXXXXX").bytes.map { CChar(bitPattern: $0) }) + [0]
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw AssetError(path: folder, Errno(rawValue: errno)) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    do throws(AssetError) {
      let count = try Self.copy(from: input, to: descriptor, limit: limit, folder)
      if count == 0 { throw AssetError("standard input", "is empty; a picture is expected") }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// - Returns: how many bytes there were.
  private static func copy(
    from input: Int32, to output: Int32, limit: Int, _ folder: FilePath
  ) throws(AssetError) -> Int {
    var buffer = [UInt8](repeating: 0, count: chunkSize)
    var total = 0
    while true {
      let count = read(input, &buffer, buffer.count)
      if count == 0 { return total }
      if count < 0 {
        switch Errno(rawValue: errno) {
        case .interrupted: continue
        case .resourceTemporarilyUnavailable:
          var wait = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
          _ = poll(&wait, 1, -1)
          continue
        case let cause: throw AssetError("standard input", cause.description)
        }
      }
      total += count
      guard total <= limit else {
        throw AssetError("standard input", "holds more than \(limit >> 20) MiB; save it to a file first")
      }
      do {
        try FileDescriptor(rawValue: output).writeAll(buffer[..<count])
      } catch {
        throw AssetError(path: folder, error)
      }
    }
  }
}
