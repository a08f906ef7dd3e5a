import AssetLibrary
import CPlatform
import System
import SystemPackage

/// An open folder: lists its entries, and accesses files in it by name.
///
/// Names relative to an open folder are cheaper for the system than whole paths. The last reference closes
/// the descriptor. Sendable because it is immutable.
final class OpenFolder: Sendable {
  /// The entries of a folder by kind, each list sorted by the bytes of the names.
  struct Entries: Sendable {
    var files = NameTable()
    /// Subfolders, except those whose names start with a dot.
    var folders = NameTable()
    /// Symbolic links to folders.
    var links = NameTable()
    /// Whether the folder contains `.nomedia`, the request to leave it out of libraries.
    var asksToBeHidden = false

    var isEmpty: Bool {
      files.indices.isEmpty && folders.indices.isEmpty && links.indices.isEmpty && !asksToBeHidden
    }
  }

  let path: FilePath
  let descriptor: Int32
  let identity: FileIdentity

  /// Opens a folder.
  /// - Throws: `AssetError` if it doesn't exist or can't be read.
  init(_ path: FilePath) throws(AssetError) {
    self.path = path
    // An empty path means the working folder; its files have paths without a folder.
    descriptor = (path.isEmpty ? FilePath(".") : path).withPlatformString { name in
      DescriptorLimit.waiting { open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    guard descriptor >= 0 else { throw AssetError(path: path, Errno(rawValue: errno)) }
    var status = file_status()
    guard file_status_of(descriptor, &status) == 0 else {
      let failure = Errno(rawValue: errno)
      close(descriptor)
      throw AssetError(path: path, failure)
    }
    identity = FileIdentity(device: status.device, inode: status.inode)
  }

  deinit {
    close(descriptor)
  }

  /// The folder's path without links and dots, if it can be determined.
  ///
  /// Asks the kernel for the path of the open descriptor. Resolving the path would examine every component
  /// again for each folder of a deep tree.
  var canonicalPath: FilePath {
    if let told = FilePath("/proc/self/fd/\(descriptor)").linkTarget, told.isAbsolute,
      FileIdentity(of: told) == identity
    {
      return told
    }
    return (path.isEmpty ? FilePath(".") : path).resolved ?? path
  }

  /// Lists the folder.
  ///
  /// Entries that are neither files nor folders are left out.
  func entries() throws(AssetError) -> Entries {
    // `closedir` closes the stream's descriptor, so it needs a duplicate.
    let own = DescriptorLimit.waiting { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    guard own >= 0, let stream = fdopendir(own) else {
      let failure = Errno(rawValue: errno)
      if own >= 0 { close(own) }
      throw AssetError(path: path, failure)
    }
    defer { closedir(stream) }
    rewinddir(stream)
    var entries = Entries()
    errno = 0
    while let entry = readdir(stream) {
      let kind = Int(entry.pointee.d_type)
      withUnsafePointer(to: &entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: 256) { sort($0, kind: kind, into: &entries) }
      }
      errno = 0
    }
    guard errno == 0 else { throw AssetError(path: path, Errno(rawValue: errno)) }
    entries.files.sort()
    entries.folders.sort()
    entries.links.sort()
    return entries
  }

  private func sort(_ name: UnsafePointer<CChar>, kind: Int, into entries: inout Entries) {
    let isDotted = name[0] == CChar(UInt8(ascii: "."))
    if isDotted {
      if strcmp(name, ".nomedia") == 0 { entries.asksToBeHidden = true }
    }
    var isLink = false
    var isFolder = kind == Int(DT_DIR)
    if kind == Int(DT_LNK) || kind == Int(DT_UNKNOWN) {
      var status = file_status()
      guard file_status_at(descriptor, name, 1, &status) == 0 else { return }
      isLink = kind == Int(DT_LNK)
      isFolder = status.mode & S_IFMT == S_IFDIR
      guard isFolder || status.mode & S_IFMT == S_IFREG else { return }
    } else if kind != Int(DT_REG), !isFolder {
      return
    }
    // Folders that start with a dot (.git, .thumbnails, .cache) hold programs' own data.
    switch (isFolder, isLink) {
    case (true, _) where isDotted: break
    case (true, true): entries.links.append(name)
    case (true, false): entries.folders.append(name)
    case (false, _): if !Self.isLeftover(name) { entries.files.append(name, isLink: isLink) }
    }
  }

  private static func isLeftover(_ name: UnsafePointer<CChar>) -> Bool {
    let count = strlen(name)
    return name.withMemoryRebound(to: UInt8.self, capacity: count) {
      FileName.isLeftover(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// Returns the status of a file in the folder, following links; nil if it is gone.
  func status(of name: UnsafePointer<CChar>) -> file_status? {
    var status = file_status()
    return file_status_at(descriptor, name, 1, &status) == 0 ? status : nil
  }
}

/// An open file.
///
/// The last reference closes it.
///
/// Sendable because the descriptor never changes and `pread` uses no shared position.
final class OpenFile: ResourceReader {
  let handle: FileDescriptor
  let count: Int

  var descriptor: Int32? { handle.rawValue }

  /// Opens a regular file.
  ///
  /// Never blocks on a pipe, a device or a mount that does not respond; anything but a regular file is
  /// rejected.
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
    // Nothing can fail from here on: `deinit` owns the descriptor.
    count = Int(facts.size)
  }

  deinit {
    try? handle.close()
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    try DescriptorSource(descriptor: handle.rawValue).read(at: offset, into: buffer)
  }
}

/// Handles the limits of open files of the process and the system.
enum DescriptorLimit {
  /// The maximum time to wait until others close files.
  private static let patience: Duration = .seconds(3)

  /// Whether an error goes away once other files have been closed.
  static func isReached(_ error: Errno) -> Bool {
    error == .tooManyOpenFiles || error == .tooManyOpenFilesInSystem
  }

  /// Opens a descriptor; retries for some time while the limit is reached.
  /// - Parameter open: returns a descriptor, or a negative number with the cause in `errno`.
  static func waiting(_ open: () -> Int32) -> Int32 {
    var waited = Duration.zero
    var pause = Duration.microseconds(500)
    while true {
      let descriptor = open()
      let failure = errno
      guard descriptor < 0, isReached(Errno(rawValue: failure)), waited < patience else {
        errno = failure
        return descriptor
      }
      Waiting.pause(pause)
      waited += pause
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  /// The process's limit of open files.
  static var count: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }
}

/// Reads from a descriptor owned by another object.
struct DescriptorSource {
  let descriptor: Int32

  /// Fills `buffer` with the bytes from `offset`.
  /// - Returns: the number of bytes, fewer than requested only at the end of the file.
  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AssetError) -> Int {
    var filled = 0
    while filled < buffer.count, let base = buffer.baseAddress {
      let n = pread(descriptor, base + filled, buffer.count - filled, offset + filled)
      if n == 0 { break }
      if n > 0 {
        filled += n
      } else if errno != EINTR {
        throw AssetError("read error", Errno(rawValue: errno).description)
      }
    }
    return filled
  }
}
