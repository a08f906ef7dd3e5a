package import AssetLibrary
import CPlatform
import Synchronization
package import SystemPackage
import System

/// The attributes that a copy takes from its original.
///
/// They are read while the original is open, because its descriptor number may be reused later.
struct FileTraits: Sendable {
  var accessed: timespec
  var modified: timespec
  /// The permission bits; nil if they are not the original's.
  var mode: mode_t?

  /// - Parameter descriptor: the open original; nil if it has no descriptor.
  init?(_ descriptor: Int32?) {
    var facts = stat()
    guard let descriptor, fstat(descriptor, &facts) == 0 else { return nil }
    (accessed, modified, mode) = (facts.st_atim, facts.st_mtim, facts.st_mode & 0o777)
  }
}

/// A file that is being written into a folder: it gets its name when it is complete, and is removed without
/// one.
///
/// Until then it is an unnamed file (O_TMPFILE), so that even a killed process leaves nothing behind; on file
/// systems that don't support this it has a hidden name. One thread writes it; that thread or another one
/// names it afterwards.
package final class NewFile: Sendable {
  private enum Name {
    case none
    case hidden(String, in: TargetFolder)
    /// - Parameter isReplacement: whether it replaced another file with this name.
    case placed([UInt8], in: TargetFolder, isReplacement: Bool)

    /// Whether, after naming the file failed with an error, copying it to a hidden name may help.
    func canBeCopied(after error: Int32) -> Bool {
      if case .none = self { return error == EXDEV || file_lacks_call(error) != 0 }
      return error == EXDEV
    }
  }

  private let folder: TargetFolder
  private let subject: String
  private let isCopy: Bool
  /// The descriptor, open for reading and writing during the lifetime of this object.
  package let descriptor: Int32
  private let name: Mutex<Name>
  /// The permission bits that the file gets with its name.
  private let mode = Mutex<mode_t>(firstMode)

  /// - Parameters:
  ///   - subject: the name of the original in errors.
  ///   - isUnnamed: whether to use an unnamed file if the file system supports it.
  ///   - isCopy: whether errors mention copying and the target folder.
  package init(
    in folder: TargetFolder, for subject: String, isUnnamed: Bool = true, isCopy: Bool = true
  ) throws(AssetError) {
    self.folder = folder
    self.subject = subject
    self.isCopy = isCopy
    let unnamed = isUnnamed ? file_open_unnamed(folder.descriptor, Self.firstMode) : -1
    if unnamed >= 0 {
      descriptor = unnamed
      name = Mutex(.none)
      return
    }
    guard !isUnnamed || [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(errno) else {
      throw Self.error(subject, in: folder, isCopy)
    }
    let hidden = Self.hiddenName
    descriptor = Self.openNew(hidden, in: folder)
    guard descriptor >= 0 else { throw Self.error(subject, in: folder, isCopy) }
    name = Mutex(.hidden(hidden, in: folder))
  }

  deinit {
    close(descriptor)
    name.withLock { name in
      if case .hidden(let hidden, let folder) = name { unlinkat(folder.descriptor, hidden, 0) }
    }
  }

  private static var hiddenName: String {
    ".tpick-\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
  }

  private static func openNew(_ name: String, in folder: TargetFolder) -> Int32 {
    openat(folder.descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, firstMode)
  }

  /// Permission bits while the file is being written: other users must not read it, because its original may
  /// be private.
  private static let firstMode: mode_t = 0o600

  /// The path with its hidden name; nil if it has none.
  package var hiddenPath: FilePath? {
    name.withLock { name in
      if case .hidden(let hidden, let folder) = name { folder.path.appending(hidden) } else { nil }
    }
  }

  /// The umask of the process.
  package static let mask: CInterop.Mode = currentMask

  /// The umask, read from /proc: the system call of that name can read it only by changing it, which would affect other threads.
  private static var currentMask: mode_t {
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

  private func error() -> AssetError { Self.error(subject, in: folder, isCopy) }

  private static func error(
    _ subject: String, in folder: TargetFolder, _ isCopy: Bool
  )
    -> AssetError
  {
    let error = Errno(rawValue: errno)
    if !isCopy { return .writing(subject, "\(error)", error) }
    let path = String(decoding: folder.path.bytes, as: UTF8.self)
    return .writing(
      subject, "not copied to \(path): \(folder.isGone ? "the folder is gone" : "\(error)")", error)
  }

  /// Shares the blocks of another file, if the file system supports that.
  func clone(_ source: Int32) -> Bool { file_clone(source, descriptor) == 0 }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(AssetError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw error() }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Flushes the bytes to disk, so that they survive a system crash, and sets the permission bits.
  package func finish(mode: CInterop.Mode) throws(AssetError) { try finish(mode, nil) }

  /// Flushes the bytes to disk, so that they survive a system crash, and copies the times and permission bits
  /// of another file.
  /// - Parameter source: the attributes of that file; nil = the default attributes of new files.
  func finish(like source: FileTraits?) throws(AssetError) {
    // As `cp` does: grant no permission that the original does not have or that the umask removes. File
    // systems without permissions, or with files of other owners, refuse the call.
    try finish((source?.mode ?? 0o666) & ~Self.mask, source.map { [$0.accessed, $0.modified] })
  }

  private func finish(_ mode: mode_t, _ times: [timespec]?) throws(AssetError) {
    self.mode.withLock { $0 = mode }
    // The owner keeps write access until the file has its name, because naming it may open it again.
    _ = fchmod(descriptor, mode | S_IWUSR)
    if let times { _ = futimens(descriptor, times) }
    // Some network file systems report a full disk only here.
    guard fsync(descriptor) == 0 else { throw error() }
  }

  /// Gives the file its name, or a new one.
  ///
  /// Programs that watch the folder see the file as moved there, or as closed after writing.
  /// - Parameters:
  ///   - target: the folder; nil = the folder for which the file was created.
  ///   - replaces: whether it atomically replaces an existing file with that name.
  /// - Returns: false if the name is taken.
  package func place(
    as wanted: [UInt8], in target: TargetFolder? = nil, replaces: Bool = false
  ) throws(AssetError) -> Bool {
    let target = target ?? folder
    guard Self.isName(wanted) else {
      errno = EINVAL
      throw error()
    }
    let failure = name.withLock { name in
      var result = attempt(&name, wanted, target, replaces)
      if result < 0, name.canBeCopied(after: errno) {
        // The file can't be linked, or `target` is on another file system: copy it.
        if !replaces, target.entry(wanted) != nil { return EEXIST }
        guard let hidden = copy(into: target) else { return errno }
        if case .hidden(let before, let folder) = name { unlinkat(folder.descriptor, before, 0) }
        name = .hidden(hidden, in: target)
        result = attempt(&name, wanted, target, replaces)
      }
      guard result >= 0 else { return errno }
      if result > 0 {
        _ = Self.withName(wanted) {
          file_announce(target.descriptor, $0)
          return 0
        }
      }
      let mode = mode.withLock { $0 }
      if mode & S_IWUSR == 0 { _ = fchmod(descriptor, mode) }
      return 0
    }
    if failure == 0 { return true }
    if failure == EEXIST { return false }
    errno = failure
    throw error()
  }

  /// - Returns: 0 if the file was renamed, 1 if it was linked, -1 with `errno` if both failed.
  private func attempt(
    _ name: inout Name, _ wanted: [UInt8], _ target: TargetFolder, _ replaces: Bool
  ) -> Int32 {
    if replaces, case .none = name {
      // linkat(2) does not replace files.
      let hidden = Self.hiddenName
      guard file_name_unnamed(descriptor, target.descriptor, hidden) == 0 else { return -1 }
      name = .hidden(hidden, in: target)
    }
    let result = Self.withName(wanted) { wanted -> Int32 in
      switch name {
      case .none: file_name_unnamed(descriptor, target.descriptor, wanted) == 0 ? 1 : -1
      case .hidden(let hidden, let folder) where replaces:
        renameat(folder.descriptor, hidden, target.descriptor, wanted)
      case .hidden(let hidden, let folder):
        file_rename_new(folder.descriptor, hidden, target.descriptor, wanted)
      // Rename the file: if its last name were removed, the kernel would not link it again.
      case .placed(let before, let folder, _):
        Self.withName(before) { file_rename_new(folder.descriptor, $0, target.descriptor, wanted) }
      }
    }
    if result >= 0 { name = .placed(wanted, in: target, isReplacement: replaces) }
    return result
  }

  /// Copies the contents into a file with a hidden name.
  /// - Returns: the name; nil with `errno` on failure.
  private func copy(into target: TargetFolder) -> String? {
    let hidden = Self.hiddenName
    let copy = Self.openNew(hidden, in: target)
    guard copy >= 0 else { return nil }
    defer { close(copy) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, file_clone(descriptor, copy) == 0 || Self.copy(descriptor, to: copy)
    else {
      let failure = errno
      unlinkat(target.descriptor, hidden, 0)
      errno = failure
      return nil
    }
    _ = fchmod(copy, mode.withLock { $0 })
    _ = futimens(copy, [facts.st_atim, facts.st_mtim])
    guard fsync(copy) == 0 else {
      unlinkat(target.descriptor, hidden, 0)
      return nil
    }
    return hidden
  }

  private static func copy(_ source: Int32, to target: Int32) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var offset: off_t = 0
    while true {
      let count = pread(source, buffer.baseAddress, buffer.count, offset)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count == 0 }
      var written = 0
      while written < count {
        let step = Glibc.write(target, buffer.baseAddress?.advanced(by: written), count - written)
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { return false }
        written += step
      }
      offset += off_t(count)
    }
  }

  /// Removes the name and thus the file, after another file of the same asset could not be named.
  ///
  /// A file that replaced another one stays, because the replaced file can't be restored.
  func remove() {
    name.withLock { name in
      guard case .placed(let placed, let folder, isReplacement: false) = name else { return }
      name = .none
      _ = Self.withName(placed) { unlinkat(folder.descriptor, $0, 0) }
    }
  }

  /// Whether a file in a folder has the same content.
  func hasContent(of name: [UInt8], in folder: TargetFolder) -> Bool {
    folder.withFile(name) { other in FileContent.isSame(descriptor, other) }
  }

  /// The length in bytes.
  var byteCount: Int64 {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
  }

  /// Whether the bytes are a valid file name.
  private static func isName(_ name: [UInt8]) -> Bool {
    !name.isEmpty && !name.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }

  private static func withName(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    (name + [0]).withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: CChar.self).baseAddress.map(body) ?? -1
    }
  }
}
