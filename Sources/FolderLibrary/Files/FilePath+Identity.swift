import AssetLibrary
import CPlatform
import System
package import SystemPackage

extension FilePath {
  /// The type of the file at the path, following links; nil if there is none.
  var fileType: FileType? { (try? stat())?.type }

  var isFolder: Bool { fileType == .directory }

  /// The path with all symbolic links and dots resolved; nil if it doesn't exist.
  package var resolved: FilePath? {
    withPlatformString { path in
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return FilePath(platformString: real)
    }
  }

  /// Whether the path leads to a folder without any entry, as the mount point of a disk that is not mounted is.
  var isEmptyFolder: Bool {
    guard let folder = withPlatformString({ opendir($0) }) else { return false }
    defer { closedir(folder) }
    // `.` and `..` are entries too.
    for _ in 0..<3 where readdir(folder) == nil { return true }
    return false
  }

  /// The target of a symbolic link; nil if the path is not one.
  var linkTarget: FilePath? {
    let room = Int(PATH_MAX)
    let bytes = withPlatformString { path in
      [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        count = buffer.withMemoryRebound(to: CChar.self) { letters in
          letters.baseAddress.map { max(0, readlink(path, $0, room)) } ?? 0
        }
      }
    }
    return bytes.isEmpty || bytes.count == room ? nil : FilePath(bytes: bytes)
  }

  /// A hash of the canonical path: the resolved folder and the file's own name.
  var canonicalNameHash: UInt64 {
    let folder = removingLastComponent()
    let base = (folder.isEmpty ? FilePath(".") : folder).resolved ?? folder
    return StableHash.hash(base.bytes + [UInt8(ascii: "/")] + nameBytes)
  }
}

extension FilePath {
  /// Appends the name of an entry of this folder, in bytes.
  func appendingName(_ name: some Collection<UInt8>) -> FilePath {
    let folder = bytes
    let slash = folder.isEmpty || folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(bytes: folder + slash + name)
  }
}

/// Identifies a folder independently of its path: device and inode.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// The identity of the file or folder at a path; nil if there is none.
  init?(of path: FilePath) {
    var status = file_status()
    guard path.withPlatformString({ file_status_at(AT_FDCWD, $0, 1, &status) }) == 0 else { return nil }
    self.init(device: status.device, inode: status.inode)
  }

  /// The local identifier of the folder's album.
  var folderIdentifier: LocalIdentifier {
    LocalIdentifier("folder.\(String(device, radix: 16))-\(String(inode, radix: 16))")
  }
}

extension String {
  /// Returns the byte offset of the first occurrence of `word`.
  ///
  /// Compares bytes, while the standard library would compare characters: this is called a hundred thousand
  /// times with ASCII words, for which bytes are sufficient.
  func byteOffset(of word: StaticString) -> Int? {
    var text = self
    return text.withUTF8 { text in
      word.withUTF8Buffer { word in
        guard let first = word.first, text.count >= word.count else { return nil }
        for start in 0...text.count - word.count where text[start] == first {
          if (1..<word.count).allSatisfy({ text[start + $0] == word[$0] }) { return start }
        }
        return nil
      }
    }
  }
}

/// A hash that is stable across runs, unlike `Hasher`.
///
/// The 64-bit FNV-1a hash by Fowler, Noll and Vo.
enum StableHash {
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
