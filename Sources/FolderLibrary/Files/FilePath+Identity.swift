import AssetLibrary
import CPlatform
import System
package import SystemPackage

extension FilePath {
  /// What kind of thing the path leads to, links followed; nil when there is nothing.
  var fileType: FileType? { (try? stat())?.type }

  var isFolder: Bool { fileType == .directory }

  /// The path with every symbolic link and dot resolved; nil when it doesn't exist.
  package var resolved: FilePath? {
    withPlatformString { path in
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return FilePath(platformString: real)
    }
  }

  /// What a symbolic link holds; nil where there is none.
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

  /// A hash of the one canonical spelling of this name: its resolved folder and its own name.
  var canonicalNameHash: UInt64 {
    let folder = removingLastComponent()
    let base = (folder.isEmpty ? FilePath(".") : folder).resolved ?? folder
    return StableHash.hash(base.bytes + [UInt8(ascii: "/")] + nameBytes)
  }
}

extension FilePath {
  /// The path of an entry of this folder, byte for byte.
  func appendingName(_ name: some Collection<UInt8>) -> FilePath {
    let folder = bytes
    let slash = folder.isEmpty || folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(bytes: folder + slash + name)
  }
}

/// Which folder it is, whatever its name: device and inode.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// What a path leads to; nil when there is nothing.
  init?(of path: FilePath) {
    var status = file_status()
    guard path.withPlatformString({ file_status_at(AT_FDCWD, $0, 1, &status) }) == 0 else { return nil }
    self.init(device: status.device, inode: status.inode)
  }

  /// The identifier of the album that a folder is.
  var folderIdentifier: LocalIdentifier {
    LocalIdentifier("folder.\(String(device, radix: 16))-\(String(inode, radix: 16))")
  }
}

extension String {
  /// Where the bytes of `word` first stand among those of this text, as an offset.
  ///
  /// Looks at bytes where the standard library would look at characters: names are asked a hundred thousand
  /// times, for words of ASCII, and byte for byte is right there.
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

/// A number for bytes, the same in every run, which `Hasher` does not give.
///
/// FNV-1a, Fowler, Noll and Vo, 64 bits.
enum StableHash {
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
