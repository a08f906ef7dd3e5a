import AssetLibrary
import Export
import PhotoPicker
import SystemPackage
import System

/// The folder for files that are made for results without a folder of their own.
///
/// Each run has its own below the cache folder, closed to others. Programs get their paths, so they stay for a day.
enum ResultFolder {
  static var all: FilePath { UserDirectories.cache.appending("results") }

  /// Seconds.
  private static let longest = 86_400

  /// Makes the folder of this run, and removes those that are older than a day.
  static func make() throws(AssetError) -> TargetFolder {
    _ = try TargetFolder(all, mode: 0o700)
    removeOld()
    let name = "\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
    return try TargetFolder(all.appending(name), mode: 0o700)
  }

  static func removeIfEmpty(_ folder: TargetFolder) { _ = folder.path.withPlatformString { rmdir($0) } }

  /// - Parameter age: seconds since something was last put in.
  static func removeOld(_ age: Int = longest) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    for folder in entries(of: all) {
      var facts = stat()
      let isOld =
        folder.withPlatformString { lstat($0, &facts) } == 0 && facts.st_mode & S_IFMT == S_IFDIR
        && facts.st_mtim.tv_sec <= now.tv_sec - age
      guard isOld else { continue }
      for file in entries(of: folder) { _ = file.withPlatformString { unlink($0) } }
      _ = folder.withPlatformString { rmdir($0) }
    }
  }

  private static func entries(of folder: FilePath) -> [FilePath] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var found: [FilePath] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) {
        found.append(FilePath(bytes: folder.bytes + [UInt8(ascii: "/")] + name))
      }
    }
    return found
  }
}
