import AssetLibrary
package import SystemPackage
import System

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
