package import AssetLibrary
package import SystemPackage
import System

/// The folder that copies go into, held open: whoever removes or replaces it meanwhile gets no copies elsewhere.
///
/// Safe from several threads.
package final class TargetFolder: Sendable {
  /// Looks whether a path answers before it is touched, and throws where it does not, or is not waited for any more.
  package typealias Look =
    @Sendable (FilePath, _ isCancelled: () -> Bool) throws(AssetError) -> Void

  package let path: FilePath
  let descriptor: Int32
  private let look: Look?

  /// Opens a folder, which is made with those above it where it is not there.
  /// - Parameters:
  ///   - mode: the rights of folders that are made, less those of the process's mask; nil = none is made.
  ///   - look: called before the folder is touched, and by `checkAnswers`: a thread that waits for a dead disk can't be ended.
  ///   - isCancelled: asked while nothing answers.
  /// - Throws: `AssetError` where that is not possible, or something else is called so.
  package init(
    _ path: FilePath, mode: mode_t? = 0o777, look: Look? = nil, isCancelled: () -> Bool = { false }
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

  /// Looks whether it still answers.
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

  /// How many bytes are free for this user; nil where the file system does not say.
  var freeBytes: Int64? {
    var facts = statvfs()
    guard fstatvfs(descriptor, &facts) == 0, facts.f_blocks > 0 else { return nil }
    let bytes = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
    return bytes.overflow ? .max : Int64(clamping: bytes.partialValue)
  }

  /// Whether somebody has removed it.
  var isGone: Bool {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 && facts.st_nlink == 0
  }

  /// A folder in it, which is made with those above it where it is not there.
  ///
  /// A link in its place is not followed: it may lead out.
  /// - Parameter makes: whether it is made.
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

  /// Calls with a regular file in it, open for reading.
  /// - Returns: false where there is none of that name, else what `body` says of it.
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

  /// What is called so in it, without following a link; nil where nothing is.
  func entry(_ name: [UInt8]) -> (number: FileNumber, isFolder: Bool)? {
    var facts = stat()
    let result = (name + [0]).withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: CChar.self).baseAddress.map {
        fstatat(descriptor, $0, &facts, AT_SYMLINK_NOFOLLOW)
      } ?? -1
    }
    return result == 0 ? (FileNumber(facts), facts.st_mode & S_IFMT == S_IFDIR) : nil
  }

  /// Which of some files lie in it or below, by whichever way: what is copied there is not to be copied again.
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

  /// Has the names in it last, also after a crash of the system; one that does not answer is left as it is.
  func synchronize() {
    do throws(AssetError) { try checkAnswers() } catch { return }
    fsync(descriptor)
  }
}

/// What tells two files apart, whatever they are called.
struct FileNumber: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ facts: stat) {
    device = UInt64(facts.st_dev)
    inode = UInt64(facts.st_ino)
  }

  /// That of a file; nil where there is none.
  init?(of path: FilePath) {
    var facts = stat()
    guard path.withPlatformString({ stat($0, &facts) }) == 0 else { return nil }
    self.init(facts)
  }
}

/// Compares files.
package enum FileContent {
  private static let chunkSize = 1 << 18

  /// Whether two open files have the same bytes; false where one of them can't be read.
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

  /// Fills a buffer; fewer bytes only at the end.
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

/// The names and folders of the copies of one run.
struct ExportPlaces {
  private let root: TargetFolder
  /// The last number that was free for each name: those before need not be tried again.
  var numbers: [ExportName: Int] = [:]
  private var folders: [[[UInt8]]: TargetFolder] = [:]
  /// What was copied in this run, and all that is to be copied: none of it is replaced.
  private var kept: Set<FileNumber> = []

  /// - Parameters:
  ///   - root: the folder of all copies.
  ///   - originals: the files that are copied, where copies replace others.
  init(_ root: TargetFolder, originals: some Sequence<FilePath> = []) {
    self.root = root
    kept = Set(originals.compactMap(FileNumber.init))
  }

  /// The folder of a copy, which is made where it is not there.
  mutating func folder(of name: ExportName) throws(AssetError) -> TargetFolder {
    if name.folders.isEmpty { return root }
    if let known = folders[name.folders] { return known }
    let folder = try root.subfolder(name.folders)
    folders[name.folders] = folder
    return folder
  }

  /// Whether a name is free, or what has it may be replaced.
  func mayReplace(_ name: [UInt8], in folder: TargetFolder) -> Bool {
    folder.entry(name).map { !$0.isFolder && !kept.contains($0.number) } ?? true
  }

  /// Notes what was copied.
  mutating func note(_ names: [[UInt8]], in folder: TargetFolder) {
    for name in names { if let entry = folder.entry(name) { kept.insert(entry.number) } }
  }

  /// Has the names last, also after a crash of the system.
  func synchronize() {
    root.synchronize()
    folders.values.forEach { $0.synchronize() }
  }
}
