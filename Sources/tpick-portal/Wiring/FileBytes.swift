import FileChooser
import System
import SystemPackage

/// Reads and writes small files as a whole.
enum FileBytes {
  /// Larger than any list of URIs; longer files are truncated.
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

  /// Creates a file for this user only; it must not exist yet.
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

extension FilePath {
  /// The bytes, which may not be valid text.
  var bytes: [UInt8] {
    withPlatformString { start in
      UnsafeBufferPointer(start: start, count: strlen(start)).map(UInt8.init(bitPattern:))
    }
  }

  /// - Parameter bytes: without a NUL.
  init(bytes: [UInt8]) {
    self = (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }
}

/// Examines folders.
enum FolderEntries {
  /// Upper bound of the entries examined, so that a large disk does not delay the window.
  private static let patience = 5000

  static func isFolder(_ path: FilePath) -> Bool { type(path) == S_IFDIR }

  static func exists(_ path: FilePath) -> Bool { type(path) != nil }

  private static func type(_ path: FilePath) -> mode_t? {
    var status = stat()
    return path.withPlatformString { stat($0, &status) } == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Returns the folder that a program suggests, without accessing it.
  ///
  /// The home folder and its parents count as no suggestion, because tpick shows the user's pictures in them
  /// anyway.
  static func source(_ suggested: [UInt8]?, home: FilePath) -> FilePath? {
    guard let suggested, suggested.first == UInt8(ascii: "/") else { return nil }
    let path = FilePath(bytes: suggested).lexicallyNormalized()
    return home.lexicallyNormalized().starts(with: path) ? nil : path
  }

  /// Returns whether a folder exists and contains a file that a program accepts.
  static func holds(_ media: AcceptedMedia, _ folder: FilePath) -> Bool {
    var left = patience
    return isFolder(folder) && holds(media, folder, &left)
  }

  /// Returns whether a folder or one below it has such a file, or more entries than the limit.
  private static func holds(_ media: AcceptedMedia, _ folder: FilePath, _ left: inout Int) -> Bool {
    guard let directory = folder.withPlatformString({ opendir($0) }) else { return false }
    var folders: [String] = []
    while let entry = readdir(directory) {
      left -= 1
      let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
        start.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      if left <= 0 || media.isServed(by: name) {
        closedir(directory)
        return true
      }
      if entry.pointee.d_type == DT_DIR { folders.append(name) }
    }
    closedir(directory)
    return folders.contains { holds(media, folder.appending($0), &left) }
  }
}
