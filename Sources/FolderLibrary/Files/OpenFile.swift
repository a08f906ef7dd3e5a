import AssetLibrary
import SystemPackage
import System

/// A file open for reading; closed when the last reference goes.
///
/// Sendable because the descriptor never changes and `pread` moves no shared position.
final class OpenFile: ResourceReader {
  let handle: FileDescriptor
  let count: Int

  var descriptor: Int32? { handle.rawValue }

  /// Opens a regular file.
  ///
  /// Never blocks on a pipe, a device or a mount that does not answer: anything but a file is refused.
  init(_ path: FilePath, probes: MountProbes = .shared) throws(AssetError) {
    try probes.check(path)
    let descriptor = path.withPlatformString { name in
      DescriptorLimit.waiting { open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    }
    guard descriptor >= 0 else { throw AssetError(path: path, Errno(rawValue: errno)) }
    handle = FileDescriptor(rawValue: descriptor)
    let facts: Stat
    do {
      facts = try handle.stat()
    } catch {
      try? handle.close()  // nothing was written: a failing close loses nothing
      throw AssetError(path: path, error)
    }
    guard facts.type == .regular else {
      try? handle.close()
      throw AssetError(path.displayString, "not a file")
    }
    // From here on nothing fails: `deinit` owns the descriptor.
    count = Int(facts.size)
  }

  deinit {
    try? handle.close()
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    try DescriptorSource(descriptor: handle.rawValue).read(at: offset, into: buffer)
  }
}
