import SystemPackage

/// Reads and writes small files as a whole.
enum FileBytes {
  /// More than any list of URIs; what is longer is cut off.
  private static let limit = 64 << 20

  static func read(_ path: FilePath) throws(Errno) -> [UInt8] {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      return try file.closeAfter {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while bytes.count < limit {
          let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
          if count == 0 { break }
          bytes += buffer[..<count]
        }
        return bytes
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Makes a file for this user, which must not be there yet.
  static func write(_ bytes: [UInt8], to path: FilePath) throws(Errno) {
    do {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite])
      _ = try file.closeAfter { try file.writeAll(bytes) }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
