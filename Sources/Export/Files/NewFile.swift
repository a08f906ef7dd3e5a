package import AssetLibrary
package import CPlatform
import Synchronization
package import SystemPackage
import System

/// What a copy has of its original besides the bytes.
///
/// A value: it is read while the original is open, and nothing asks for it by a number that may be another file's by then.
struct FileTraits: Sendable {
  var accessed: timespec
  var modified: timespec
  /// Who may read and write it; nil where that says nothing of the original.
  var mode: mode_t?

  /// - Parameter descriptor: of the open original; nil where that has none.
  init?(_ descriptor: Int32?) {
    var facts = stat()
    guard let descriptor, fstat(descriptor, &facts) == 0 else { return nil }
    (accessed, modified, mode) = (facts.st_atim, facts.st_mtim, facts.st_mode & 0o777)
  }
}

/// A file on its way into a folder: it gets its name when it is complete, and is gone without one.
///
/// The file has no name until then, so that nothing is left even of a process that is killed; where the file system has no
/// such files it has a hidden one. Written by one thread, and named by that or another one afterwards.
package final class NewFile: Sendable {
  private enum Name {
    case none
    case hidden(String, in: TargetFolder)
    /// - Parameter isReplacement: whether another file had this name before, which is gone.
    case placed([UInt8], in: TargetFolder, isReplacement: Bool)

    /// Whether a file that was refused its name for this reason may have it as a copy under a hidden one.
    func canBeCopied(after error: Int32) -> Bool {
      if case .none = self { return error == EXDEV || file_lacks_call(error) != 0 }
      return error == EXDEV
    }
  }

  private let folder: TargetFolder
  private let subject: String
  private let isCopy: Bool
  /// Open for reading and writing for as long as this object is there.
  package let descriptor: Int32
  private let name: Mutex<Name>
  /// The rights that it gets with its name.
  private let mode = Mutex<mode_t>(firstMode)

  /// - Parameters:
  ///   - subject: what is copied, for errors.
  ///   - isUnnamed: whether it may be without a name, where the file system can do that.
  ///   - isCopy: whether errors say that something was not copied, and where to.
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

  /// While it is written nobody else reads it: its original may be private.
  private static let firstMode: mode_t = 0o600

  /// Where it lies under a name of its own until it gets the one that is wanted; nil where it has none.
  package var hiddenPath: FilePath? {
    name.withLock { name in
      if case .hidden(let hidden, let folder) = name { folder.path.appending(hidden) } else { nil }
    }
  }

  /// The mask of the process's new files.
  package static let mask: mode_t = currentMask

  /// The same, read where reading does not change it for other threads.
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
    let reason = "\(Errno(rawValue: errno))"
    if !isCopy { return AssetError(subject, reason) }
    let path = String(decoding: folder.path.bytes, as: UTF8.self)
    return AssetError(subject, "not copied to \(path): \(folder.isGone ? "the folder is gone" : reason)")
  }

  /// Shares the blocks of another file, where the file system can.
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

  /// Has the bytes last, also after a crash of the system, and the file have rights.
  package func finish(mode: mode_t) throws(AssetError) { try finish(mode, nil) }

  /// Has the bytes last, also after a crash of the system, and the file have the date and the rights of another one.
  /// - Parameter source: what that one has; nil = the file is new, and gets the rights of new files.
  func finish(like source: FileTraits?) throws(AssetError) {
    // As `cp` has it: nobody gets a right that the original does not give, nor one that the mask takes.
    // File systems without rights, or of others, refuse it.
    try finish((source?.mode ?? 0o666) & ~Self.mask, source.map { [$0.accessed, $0.modified] })
  }

  private func finish(_ mode: mode_t, _ times: [timespec]?) throws(AssetError) {
    self.mode.withLock { $0 = mode }
    // Its owner may write it until it has its name: it is opened once more then.
    _ = fchmod(descriptor, mode | S_IWUSR)
    if let times { _ = futimens(descriptor, times) }
    // Some network file systems tell of a full disk here.
    guard fsync(descriptor) == 0 else { throw error() }
  }

  /// Gives the file its name, or another one.
  ///
  /// Whoever watches the folder hears of the name, that it was moved there or closed after writing.
  /// - Parameters:
  ///   - target: the folder; nil = the one that it was made for.
  ///   - replaces: whether it takes the place of a file of that name, at once.
  /// - Returns: whether it has it; false where something else is called so.
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
        // It can't be linked, or not into that folder: another disk stands there.
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

  /// - Returns: 0 where it was renamed, 1 where it was linked, -1 with `errno` where it could not be.
  private func attempt(
    _ name: inout Name, _ wanted: [UInt8], _ target: TargetFolder, _ replaces: Bool
  ) -> Int32 {
    if replaces, case .none = name {
      // A link replaces nothing.
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
      // What had a name once can't be without one again: the kernel gives it no other.
      case .placed(let before, let folder, _):
        Self.withName(before) { file_rename_new(folder.descriptor, $0, target.descriptor, wanted) }
      }
    }
    if result >= 0 { name = .placed(wanted, in: target, isReplacement: replaces) }
    return result
  }

  /// Copies what is written into a file of a hidden name.
  /// - Returns: its name; nil with `errno` where that is not possible.
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

  /// Takes the name away again, and with it the file: what belongs to it could not have its own.
  ///
  /// What has replaced another file stays: that one does not come back.
  func remove() {
    name.withLock { name in
      guard case .placed(let placed, let folder, isReplacement: false) = name else { return }
      name = .none
      _ = Self.withName(placed) { unlinkat(folder.descriptor, $0, 0) }
    }
  }

  /// Whether a file of a folder has the same bytes.
  func hasContent(of name: [UInt8], in folder: TargetFolder) -> Bool {
    folder.withFile(name) { other in FileContent.isSame(descriptor, other) }
  }

  /// How long it is.
  var byteCount: Int64 {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
  }

  /// Whether C takes bytes for the name of a file, and cuts none of them off.
  private static func isName(_ name: [UInt8]) -> Bool {
    !name.isEmpty && !name.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }

  private static func withName(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    (name + [0]).withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: CChar.self).baseAddress.map(body) ?? -1
    }
  }
}
