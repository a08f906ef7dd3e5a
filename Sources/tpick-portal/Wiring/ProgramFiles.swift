import System
import SystemPackage

/// Paths of the programs of tpick.
enum ProgramFiles {
  /// The path of this program.
  static let own: FilePath = {
    guard let path = realpath("/proc/self/exe", nil) else { return FilePath("tpick-portal") }
    defer { free(path) }
    return FilePath(platformString: path)
  }()

  /// The path of tpick: beside this program, otherwise its name for the search path.
  static var picker: [UInt8] {
    let sibling = own.removingLastComponent().appending("tpick")
    return isExecutable(sibling) ? sibling.bytes : Array("tpick".utf8)
  }

  /// Returns whether the search path has a program.
  static func isInstalled(_ name: String) -> Bool {
    let folders = UserFolders.environment("PATH")?.string ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").contains { isExecutable(FilePath("\($0)").appending(name)) }
  }

  private static func isExecutable(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, X_OK) } == 0 && !FolderEntries.isFolder(path)
  }
}

/// The user's folders, by the XDG Base Directory specification (0.8).
enum UserFolders {
  static func environment(_ name: String) -> FilePath? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return FilePath(platformString: value)
  }

  private static func absolute(_ name: String) -> FilePath? {
    environment(name).flatMap { $0.isAbsolute ? $0 : nil }
  }

  static var home: FilePath { absolute("HOME") ?? FilePath("/") }

  static var settings: FilePath {
    (absolute("XDG_CONFIG_HOME") ?? home.appending(".config")).appending("tpick").appending("portal.conf")
  }

  /// The default folder for saving; it may not exist.
  static var downloads: FilePath { home.appending("Downloads") }

  /// Creates a folder for the lifetime of a request, accessible only to this user.
  /// - Throws: `Errno`.
  static func makeRuntimeFolder() throws(Errno) -> FilePath {
    var path = absolute("XDG_RUNTIME_DIR") ?? absolute("XDG_CACHE_HOME") ?? home.appending(".cache")
    path.append("tpick-portal")
    let isMade = path.withPlatformString { mkdir($0, 0o700) } == 0
    guard isMade || errno == EEXIST else { throw Errno(rawValue: errno) }
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .permissionDenied
    }
    return path
  }
}
