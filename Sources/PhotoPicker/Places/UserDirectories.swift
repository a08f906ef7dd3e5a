package import AssetLibrary
import CodecProtocol
package import FolderLibrary
package import Imaging
import System
package import SystemPackage

/// The user's folders, according to the XDG Base Directory specification (0.8) and xdg-user-dirs.
///
/// All programs that show the picker use tpick's folders, because the user has one library.
package enum UserDirectories {
  /// Returns the path in an environment variable; nil if it is unset or empty.
  package static func environment(_ name: String) -> FilePath? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return FilePath(platformString: value)
  }

  /// $HOME, otherwise the home folder in the user database (passwd(5)).
  package static var home: FilePath {
    if let home = environment("HOME"), home.isAbsolute { return home }
    guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return FilePath("/") }
    return FilePath(platformString: folder)
  }

  /// Returns an absolute path from the environment, otherwise a path below the home folder.
  private static func base(_ name: String, _ fallback: FilePath) -> FilePath {
    if let path = environment(name), path.isAbsolute { return path }
    return home.pushing(fallback)
  }

  /// The folder for the index and other data that can be rebuilt.
  package static var cache: FilePath { base("XDG_CACHE_HOME", ".cache").appending("tpick") }

  /// The shared thumbnail folder (Thumbnail Managing Standard 0.9, "Thumbnail Directory").
  package static var thumbnails: FilePath { base("XDG_CACHE_HOME", ".cache").appending("thumbnails") }

  /// The thumbnails in that folder.
  package static var thumbnailDirectory: ThumbnailDirectory { thumbnailDirectory(readBy: .standard) }

  /// The thumbnails in that folder, read by a helper.
  static func thumbnailDirectory(readBy reader: ReaderClient) -> ThumbnailDirectory {
    ThumbnailDirectory(root: thumbnails, state: cache, version: PackageVersion.current, reader: reader)
  }

  /// The folder for settings.
  package static var configuration: FilePath { base("XDG_CONFIG_HOME", ".config").appending("tpick") }

  /// The folder for data that can't be rebuilt, such as favorites and albums.
  package static var data: FilePath { base("XDG_DATA_HOME", ".local/share").appending("tpick") }

  /// The trash of the desktop (Trash specification 1.0, "Trash directories").
  package static var trash: FilePath { base("XDG_DATA_HOME", ".local/share").appending("Trash") }

  /// The folder for state such as permissions and screen settings.
  package static var state: FilePath { base("XDG_STATE_HOME", ".local/state").appending("tpick") }

  /// The folders of the index, of favorites and albums, and of the trash.
  package static var locations: LibraryLocations { LibraryLocations(cache: cache, data: data, trash: trash) }

  /// The preferred writable folder for temporary files.
  package static var temporary: FilePath { temporaryFolders.first(where: isWritableFolder) ?? "/tmp" }

  /// The folders for temporary files, the preferred one first: $TMPDIR may not exist or may be full.
  package static var temporaryFolders: [FilePath] {
    [environment("TMPDIR"), "/tmp", "/var/tmp"].compactMap(\.self)
  }

  private static func isWritableFolder(_ path: FilePath) -> Bool {
    (try? path.stat().type) == .directory && path.withPlatformString { access($0, W_OK | X_OK) } == 0
  }

  /// The user's pictures folder, from the environment or user-dirs.dirs, else ~/Pictures.
  package static var pictures: FilePath {
    if let path = environment("XDG_PICTURES_DIR"), path.isAbsolute { return path }
    let settings = base("XDG_CONFIG_HOME", ".config").appending("user-dirs.dirs")
    let text = (try? FileText.read(settings)) ?? ""
    return picturesFolder(in: text) ?? home.appending("Pictures")
  }

  /// Parses the line `XDG_PICTURES_DIR="$HOME/Pictures"`.
  static func picturesFolder(in text: String) -> FilePath? {
    for line in text.split(separator: "\n") {
      let line = line.drop(while: \.isWhitespace)
      guard line.hasPrefix("XDG_PICTURES_DIR="), let first = line.firstIndex(of: "\""),
        let last = line.lastIndex(of: "\""), first < last
      else { continue }
      let value = String(line[line.index(after: first)..<last])
      if value.hasPrefix("$HOME/") { return home.pushing(FilePath(String(value.dropFirst(6)))) }
      if value.hasPrefix("/") { return FilePath(value) }
    }
    return nil
  }
}

extension FilePath {
  /// Returns whether the path is a folder; nil if its file system does not respond.
  ///
  /// Waits for a disk, but at most a second for a network file system.
  /// - Throws: `AssetError` if the path does not exist.
  package func isFolder() throws(AssetError) -> Bool? {
    guard MountProbes.shared.answers(self, within: MountProbes.shortPatience) else { return nil }
    do {
      return try stat().type == .directory
    } catch {
      throw AssetError(
        String(decoding: bytes, as: UTF8.self), "\(error)", code: AssetError.Code(error))
    }
  }
}

/// The version of this package, with which thumbnails and failure records on disk are marked.
package enum PackageVersion {
  package static let current = "0.1.0"
}

/// Reads whole files.
package enum FileText {
  /// Reads all bytes of an open file.
  /// - Parameter limit: reading stops soon after this number of bytes.
  package static func bytes(of descriptor: FileDescriptor, limit: Int = .max) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let n = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
      if n == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<n])
      if bytes.count > limit { return bytes }
    }
  }

  package static func read(_ path: FilePath) throws -> String {
    let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    return String(decoding: try file.closeAfter { try bytes(of: file) }, as: UTF8.self)
  }
}
