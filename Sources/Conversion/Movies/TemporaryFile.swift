import AssetLibrary
import CPlatform
import SystemPackage
import System

/// The bytes of a resource as a file without a name, for programs that need one; gone with the last reference.
final class TemporaryFile: Sendable {
  let descriptor: Int32

  /// Copies a resource: no more than the video in a photo, which is some megabytes.
  init(of reader: any ResourceReader, name: String) throws(AssetError) {
    descriptor = memory_file_create()
    guard descriptor >= 0 else { throw AssetError(name, "\(Errno(rawValue: errno))") }
    do throws(AssetError) {
      let output = OutputFile(descriptor, for: name)
      var offset = 0
      while offset < reader.count {
        let part = try reader.bytes(in: offset..<min(reader.count, offset + 1 << 20))
        guard !part.isEmpty else { throw AssetError(name, "changed while it was copied") }
        try output.write(part)
        offset += part.count
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// A file of these bytes.
  init(of bytes: [UInt8], name: String) throws(AssetError) {
    descriptor = memory_file_create()
    guard descriptor >= 0 else { throw AssetError(name, "\(Errno(rawValue: errno))") }
    do throws(AssetError) {
      try OutputFile(descriptor, for: name).write(bytes)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }
}
