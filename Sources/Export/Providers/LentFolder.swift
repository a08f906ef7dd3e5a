import AssetLibrary
import SystemPackage
import System

/// A folder for files that somebody may look at for a while, closed to others; gone with all in it with the last
/// reference.
final class LentFolder: Sendable {
  let target: TargetFolder

  /// Makes one below another folder.
  init(in parent: FilePath) throws(AssetError) {
    let path = parent.appending("tpick-\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))")
    _ = try TargetFolder(parent)
    guard path.withPlatformString({ mkdir($0, 0o700) }) == 0 else {
      throw AssetError(path.string, "\(Errno(rawValue: errno))")
    }
    target = try TargetFolder(path)
  }

  deinit {
    for name in names { _ = (name + [0]).withUnsafeBufferPointer(unlink) }
    _ = target.path.withPlatformString { rmdir($0) }
  }

  private func unlink(_ name: UnsafeBufferPointer<UInt8>) -> Int32 {
    name.withMemoryRebound(to: CChar.self) { name in
      name.baseAddress.map { unlinkat(target.descriptor, $0, 0) } ?? -1
    }
  }

  private var names: [[UInt8]] {
    guard let stream = target.path.withPlatformString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names.filter { $0 != [0x2E] && $0 != [0x2E, 0x2E] }
  }
}
