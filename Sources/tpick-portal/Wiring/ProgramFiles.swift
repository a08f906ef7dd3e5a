import SystemPackage
import System

/// The programs that belong together.
enum ProgramFiles {
  /// The path of this program.
  static let own: FilePath = {
    guard let path = realpath("/proc/self/exe", nil) else { return FilePath("tpick-portal") }
    defer { free(path) }
    return FilePath(platformString: path)
  }()

  /// The path of tpick: beside this program, else whatever the search path has.
  static var picker: [UInt8] {
    let sibling = own.removingLastComponent().appending("tpick")
    return isExecutable(sibling) ? sibling.bytes : Array("tpick".utf8)
  }

  /// Whether the search path has a program.
  static func isInstalled(_ name: String) -> Bool {
    let folders = UserFolders.environment("PATH")?.string ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").contains { isExecutable(FilePath("\($0)").appending(name)) }
  }

  private static func isExecutable(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, X_OK) } == 0 && !FolderEntries.isFolder(path)
  }
}
