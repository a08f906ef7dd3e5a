import AssetLibrary
import CFileCloning
import Synchronization
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// A file on its way into a folder: it gets its name when it is complete, and is gone without one.
///
/// The file has no name until then, so that nothing is left even of a process that is killed; where the file system has no
/// such files it has a hidden one. Written by one thread, and named by that or another one afterwards.
final class NewFile: Sendable {
  private enum Name {
    case none
    case hidden(String)
    case placed([UInt8])
  }

  private let folder: TargetFolder
  private let subject: String
  /// Open for reading and writing for as long as this object is there.
  let descriptor: Int32
  private let name: Mutex<Name>

  /// - Parameter subject: what is copied, for errors.
  init(in folder: TargetFolder, for subject: String) throws(AssetError) {
    self.folder = folder
    self.subject = subject
    let unnamed = file_open_unnamed(folder.descriptor, Self.mode)
    if unnamed >= 0 {
      descriptor = unnamed
      name = Mutex(.none)
      return
    }
    guard [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(errno) else { throw Self.error(subject, in: folder) }
    let hidden = ".tpick-\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
    descriptor = openat(folder.descriptor, hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, Self.mode)
    guard descriptor >= 0 else { throw Self.error(subject, in: folder) }
    name = Mutex(.hidden(hidden))
  }

  deinit {
    close(descriptor)
    name.withLock { name in
      if case .hidden(let hidden) = name { unlinkat(folder.descriptor, hidden, 0) }
    }
  }

  /// As new files get it.
  private static let mode: mode_t = 0o666 & ~mask

  /// The mask of the process's new files, read where reading does not change it for other threads.
  private static var mask: mode_t {
    guard let status = fopen("/proc/self/status", "re") else { return 0o022 }
    defer { fclose(status) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), status) != nil {
      var mask: UInt32 = 0
      if withUnsafeMutablePointer(
        to: &mask,
        { place in
          withVaList([place]) { vsscanf(line, "Umask: %o", $0) }
        }) == 1
      {
        return mask
      }
    }
    return 0o022
  }

  private func error() -> AssetError { Self.error(subject, in: folder) }

  private static func error(_ subject: String, in folder: TargetFolder) -> AssetError {
    let reason = "\(Errno(rawValue: errno))"
    let path = String(decoding: folder.path.bytes, as: UTF8.self)
    return AssetError(subject, "not copied to \(path): \(folder.isGone ? "the folder is gone" : reason)")
  }

  /// Shares the blocks of another file, where the file system can.
  func clone(_ source: Int32) -> Bool { file_clone(source, descriptor) == 0 }

  func write(_ bytes: UnsafeRawBufferPointer) throws(AssetError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw error() }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Has the bytes last, also after a crash of the system, and the file be as old as another one.
  func finish(asOldAs source: Int32?) throws(AssetError) {
    if let source {
      var facts = stat()
      if fstat(source, &facts) == 0 { _ = futimens(descriptor, [facts.st_atim, facts.st_mtim]) }
    }
    // Some network file systems tell of a full disk here.
    guard fsync(descriptor) == 0 else { throw error() }
  }

  /// Gives the file its name, or another one.
  /// - Returns: whether it has it; false where something else is called so.
  func place(as wanted: [UInt8]) throws(AssetError) -> Bool {
    let failure = name.withLock { name in
      let result = Self.withName(wanted) { wanted in
        switch name {
        case .none: file_name_unnamed(descriptor, folder.descriptor, wanted)
        case .hidden(let hidden): file_rename_new(folder.descriptor, hidden, wanted)
        // What had a name once can't be without one again: the kernel gives it no other.
        case .placed(let before): Self.withName(before) { file_rename_new(folder.descriptor, $0, wanted) }
        }
      }
      guard result == 0 else { return errno }
      name = .placed(wanted)
      return 0
    }
    if failure == 0 { return true }
    if failure == EEXIST { return false }
    errno = failure
    throw error()
  }

  /// Takes the name away again, and with it the file: what belongs to it could not have its own.
  func remove() {
    name.withLock { name in
      guard case .placed(let placed) = name else { return }
      name = .none
      _ = Self.withName(placed) { unlinkat(folder.descriptor, $0, 0) }
    }
  }

  /// How long it is.
  var byteCount: Int64 {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
  }

  private static func withName(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    (name + [0]).withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: CChar.self).baseAddress.map(body) ?? -1
    }
  }
}
