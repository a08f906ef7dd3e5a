package import AssetLibrary
package import SystemPackage
import System

/// The folders of a path that do not exist yet, so that they can be removed again if nothing is saved in them.
package struct MissingFolders: Sendable {
  /// The deepest first.
  private let paths: [FilePath]

  /// - Parameter path: the folder that will be created.
  package init(of path: FilePath) {
    var (missing, path) = ([FilePath](), path)
    while !path.isEmpty, path.lastComponent != nil, (try? path.stat()) == nil {
      missing.append(path)
      path.removeLastComponent()
    }
    paths = missing
  }

  /// Removes those that were created meanwhile and are empty.
  package func remove() {
    // rmdir(2) refuses folders with contents, and with it those above.
    for folder in paths { _ = folder.withPlatformString { rmdir($0) } }
  }
}

/// An open target folder for copies: if the folder is moved or replaced, copies don't end up elsewhere.
///
/// Safe to use from several threads.
package final class TargetFolder: Sendable {
  /// Checks that a path responds before it is accessed; throws if it does not, or if the wait was cancelled.
  package typealias Look =
    @Sendable (FilePath, _ isCancelled: () -> Bool) throws(AssetError) -> Void

  package let path: FilePath
  let descriptor: Int32
  private let look: Look?

  /// Opens a folder, and creates it with its parents if it does not exist.
  /// - Parameters:
  ///   - mode: the permission bits of created folders, before the umask is applied; nil = don't create any.
  ///   - look: called before the folder is accessed, and by `checkAnswers`, because a thread that waits for a
  ///     dead disk can't be stopped.
  ///   - isCancelled: called while waiting for a response.
  /// - Throws: `AssetError` if the folder can't be opened or created, or if the path is not a folder.
  package init(
    _ path: FilePath, mode: CInterop.Mode? = 0o777, look: Look? = nil, isCancelled: () -> Bool = { false }
  ) throws(AssetError) {
    self.path = path
    self.look = look
    try look?(path, isCancelled)
    if let mode { try Self.make(path, mode) }
    descriptor = path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw Self.error(path) }
    guard access(path) else {
      close(descriptor)
      throw Self.error(path)
    }
    func access(_ path: FilePath) -> Bool {
      path.withPlatformString { faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) } == 0
    }
  }

  deinit { close(descriptor) }

  /// Checks that the folder still responds.
  func checkAnswers(isCancelled: () -> Bool = { false }) throws(AssetError) {
    try look?(path, isCancelled)
  }

  private static func make(_ path: FilePath, _ mode: mode_t) throws(AssetError) {
    if path.isEmpty { return }
    if path.withPlatformString({ mkdir($0, mode) }) == 0 || errno == EEXIST { return }
    let above = path.removingLastComponent()
    guard errno == ENOENT, above != path, !above.isEmpty else { throw error(path) }
    try make(above, mode)
    guard path.withPlatformString({ mkdir($0, mode) }) == 0 || errno == EEXIST else { throw error(path) }
  }

  private static func error(_ path: FilePath) -> AssetError {
    AssetError(String(decoding: path.bytes, as: UTF8.self), "\(Errno(rawValue: errno))")
  }

  /// The number of bytes available to this user; nil if the file system does not report it.
  var freeBytes: Int64? {
    var facts = statvfs()
    guard fstatvfs(descriptor, &facts) == 0, facts.f_blocks > 0 else { return nil }
    let bytes = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
    return bytes.overflow ? .max : Int64(clamping: bytes.partialValue)
  }

  /// Whether the folder was removed.
  var isGone: Bool {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 && facts.st_nlink == 0
  }

  /// Opens a subfolder, and creates it with its parents if it does not exist.
  ///
  /// Symbolic links are not followed, because they may lead out of the folder.
  /// - Parameter makes: whether to create missing folders.
  func subfolder(_ names: [[UInt8]], makes: Bool = true) throws(AssetError) -> TargetFolder {
    var folder = self
    for name in names { folder = try TargetFolder(name, in: folder, makes: makes) }
    return folder
  }

  private init(_ name: [UInt8], in parent: TargetFolder, makes: Bool) throws(AssetError) {
    path = FilePath(bytes: parent.path.bytes + [UInt8(ascii: "/")] + name)
    look = parent.look
    descriptor = (name + [0]).withUnsafeBytes { bytes in
      guard let name = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return -1 }
      if makes, mkdirat(parent.descriptor, name, 0o777) != 0, errno != EEXIST { return -1 }
      return openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw Self.error(path) }
  }

  /// Calls `body` with the descriptor of a regular file, which is open for reading.
  /// - Returns: the result of `body`; false if there is no such file.
  func withFile(_ name: [UInt8], _ body: (Int32) -> Bool) -> Bool {
    let file = (name + [0]).withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: CChar.self).baseAddress.map {
        openat(descriptor, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      } ?? -1
    }
    guard file >= 0 else { return false }
    defer { close(file) }
    var facts = stat()
    return fstat(file, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && body(file)
  }

  /// Returns the entry with a name, without following symbolic links; nil if there is none.
  func entry(_ name: [UInt8]) -> (number: FileNumber, isFolder: Bool)? {
    var facts = stat()
    let result = (name + [0]).withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: CChar.self).baseAddress.map {
        fstatat(descriptor, $0, &facts, AT_SYMLINK_NOFOLLOW)
      } ?? -1
    }
    return result == 0 ? (FileNumber(facts), facts.st_mode & S_IFMT == S_IFDIR) : nil
  }

  /// Returns for each path whether its file is in this folder or below it, with all symbolic links resolved.
  func held(of paths: [FilePath]) -> [Bool] {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return paths.map { _ in false } }
    let own = FileNumber(facts)
    var known: [FilePath: Bool] = [:]
    func isWithin(_ folder: FilePath) -> Bool {
      if let answer = known[folder] { return answer }
      var facts = stat()
      var answer = folder.withPlatformString { stat($0, &facts) } == 0 && FileNumber(facts) == own
      let above = folder.removingLastComponent()
      if !answer, above != folder, !above.isEmpty { answer = isWithin(above) }
      known[folder] = answer
      return answer
    }
    return paths.map { path in
      guard let resolved = path.withPlatformString({ realpath($0, nil) }) else { return false }
      defer { free(resolved) }
      return isWithin(FilePath(platformString: resolved).removingLastComponent())
    }
  }

  /// Flushes the folder's names to disk, so that they survive a system crash; does nothing if the folder does
  /// not respond.
  func synchronize() {
    do throws(AssetError) { try checkAnswers() } catch { return }
    fsync(descriptor)
  }
}

/// The identity of a file, independent of its names.
struct FileNumber: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ facts: stat) {
    device = UInt64(facts.st_dev)
    inode = UInt64(facts.st_ino)
  }

  /// Returns the identity of a file; nil if it does not exist.
  init?(of path: FilePath) {
    var facts = stat()
    guard path.withPlatformString({ stat($0, &facts) }) == 0 else { return nil }
    self.init(facts)
  }
}

/// Compares the contents of files.
package enum FileContent {
  private static let chunkSize = 1 << 18

  /// Whether two open files have the same bytes; false if one can't be read.
  package static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    var (facts, otherFacts) = (stat(), stat())
    guard fstat(one, &facts) == 0, fstat(other, &otherFacts) == 0, facts.st_size == otherFacts.st_size else {
      return false
    }
    if FileNumber(facts) == FileNumber(otherFacts) { return true }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * chunkSize, alignment: 16)
    defer { buffer.deallocate() }
    let halves = (
      UnsafeMutableRawBufferPointer(rebasing: buffer[..<chunkSize]),
      UnsafeMutableRawBufferPointer(rebasing: buffer[chunkSize...])
    )
    var offset: off_t = 0
    while offset < facts.st_size {
      let count = read(one, offset, halves.0)
      guard count > 0, read(other, offset, halves.1) == count,
        halves.0[..<count].elementsEqual(halves.1[..<count])
      else { return false }
      offset += off_t(count)
    }
    return true
  }

  /// Fills the buffer; reads fewer bytes only at the end of the file.
  private static func read(_ file: Int32, _ offset: off_t, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    while count < buffer.count {
      let step = pread(
        file, buffer.baseAddress?.advanced(by: count), buffer.count - count, offset + off_t(count))
      if step < 0, errno == EINTR { continue }
      if step <= 0 { return step < 0 ? -1 : count }
      count += step
    }
    return count
  }
}

/// The names and folders of the copies in one run.
struct ExportPlaces {
  private let root: TargetFolder
  /// For each name the last number that was tried; lower ones are taken.
  var numbers: [ExportName: Int] = [:]
  private var folders: [[[UInt8]]: TargetFolder] = [:]
  /// The copies of this run and all originals: none of them may be replaced.
  private var kept: Set<FileNumber> = []

  /// - Parameters:
  ///   - root: the folder of all copies.
  ///   - originals: the files to be copied, if copies replace existing files.
  init(_ root: TargetFolder, originals: some Sequence<FilePath> = []) {
    self.root = root
    kept = Set(originals.compactMap(FileNumber.init))
  }

  /// Returns the folder of a copy, and creates it if necessary.
  mutating func folder(of name: ExportName) throws(AssetError) -> TargetFolder {
    if name.folders.isEmpty { return root }
    if let known = folders[name.folders] { return known }
    let folder = try root.subfolder(name.folders)
    folders[name.folders] = folder
    return folder
  }

  /// Whether a name is free, or its file may be replaced.
  func mayReplace(_ name: [UInt8], in folder: TargetFolder) -> Bool {
    folder.entry(name).map { !$0.isFolder && !kept.contains($0.number) } ?? true
  }

  /// Records copies, which later copies must not replace.
  mutating func note(_ names: [[UInt8]], in folder: TargetFolder) {
    for name in names { if let entry = folder.entry(name) { kept.insert(entry.number) } }
  }

  /// Flushes the names to disk, so that they survive a system crash.
  func synchronize() {
    root.synchronize()
    folders.values.forEach { $0.synchronize() }
  }
}
