package import SystemPackage

/// Reads and writes files that only their owner can access.
///
/// Writes are atomic.
package enum PrivateFile {
  /// The prefix of temporary files' names.
  private static let draftPrefix = ".tpick."

  /// The name of a temporary file with a hexadecimal number.
  package static func draftName(_ number: String) -> String { draftPrefix + number }

  /// Whether a name has the form that `write` gives to temporary files.
  package static func isDraft(_ name: String) -> Bool {
    guard name.hasPrefix(draftPrefix) else { return false }
    let number = name.dropFirst(draftPrefix.count)
    return UInt64(number, radix: 16).map { String($0, radix: 16) == number } ?? false
  }

  /// Writes a temporary file and renames it to `path`.
  ///
  /// Creates missing parent folders.
  ///
  /// Files get mode 0600, folders 0700. Removes the temporary file on failure.
  /// - Parameter isDurable: whether to fsync the file before the rename; for data that can't be regenerated.
  package static func write(
    _ bytes: [UInt8], to path: FilePath, isDurable: Bool = false
  ) throws(Errno) {
    let number = String(UInt64.random(in: 0 ... .max), radix: 16)
    let draft = path.removingLastComponent().appending(draftPrefix + number)
    let file = try open(draft, O_WRONLY | O_CREAT | O_EXCL)
    var failure = fchmod(file, 0o600) == 0 ? write(bytes, to: file) : Errno(rawValue: errno)
    if isDurable, failure == nil, fsync(file) != 0 { failure = Errno(rawValue: errno) }
    // A full disk may be reported only by close.
    if close(file) != 0, failure == nil { failure = Errno(rawValue: errno) }
    if failure == nil {
      let status = draft.withPlatformString { from in path.withPlatformString { rename(from, $0) } }
      if status != 0 { failure = Errno(rawValue: errno) }
    }
    if let failure {
      _ = draft.withPlatformString { unlink($0) }
      throw failure
    }
  }

  /// Writes all bytes to an open file.
  /// - Returns: the error; nil on success.
  package static func write(_ bytes: [UInt8], to file: Int32) -> Errno? {
    do {
      _ = try FileDescriptor(rawValue: file).writeAll(bytes)
      return nil
    } catch {
      return error as? Errno ?? .ioError
    }
  }

  /// Opens a file, which is created with mode 0600 if `flags` include O_CREAT.
  ///
  /// Creates missing parent folders.
  ///
  /// Refuses a symbolic link: tpick doesn't own its target.
  /// - Returns: a descriptor, which the caller closes.
  package static func open(_ path: FilePath, _ flags: Int32) throws(Errno) -> Int32 {
    let attempt = { path.withPlatformString { Glibc.open($0, flags | O_CLOEXEC | O_NOFOLLOW, 0o600) } }
    var file = attempt()
    if file < 0, errno == ENOENT {
      // If the folder can't be created, the second attempt reports the error.
      try? PrivateFolder.makeParent(path.removingLastComponent())
      file = attempt()
    }
    guard file >= 0 else { throw Errno(rawValue: errno) }
    return file
  }

  /// A file opened for reading.
  package struct Opened {
    /// Owned by the caller, who closes it.
    package var descriptor: Int32
    /// Size in bytes.
    package var size: Int
    /// Modification time in nanoseconds since 1970, UTC.
    package var modified: Int64
  }

  /// Opens a regular file for reading; nil if it does not exist, is not a regular file or is larger than
  /// `limit` bytes.
  package static func open(_ path: FilePath, limit: Int) -> Opened? {
    let file = path.withPlatformString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return nil }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      close(file)
      return nil
    }
    return Opened(descriptor: file, size: Int(status.st_size), modified: status.st_mtim.nanoseconds)
  }

  /// Reads a regular file; nil if it does not exist, is not a regular file or is larger than `limit` bytes.
  package static func read(_ path: FilePath, limit: Int) -> [UInt8]? {
    guard let file = open(path, limit: limit) else { return nil }
    defer { close(file.descriptor) }
    let size = file.size
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let found = Glibc.read(file.descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if found > 0 {
          count += found
        } else if found == 0 || errno != EINTR {
          break
        }
      }
    }
  }
}

/// Creates folders and files that only their owner can access: data about a library reveals places, people
/// and paths.
package enum PrivateFolder {
  /// Creates a folder and its missing parents with mode 0700.
  ///
  /// If the folder exists, removes the access of other users.
  ///
  /// Index, ledger and sample library share folders; whichever needs one first creates it.
  /// - Throws: `Errno` if the folder can't be created.
  package static func make(_ path: FilePath) throws(Errno) {
    if path.withPlatformString({ mkdir($0, 0o700) }) == 0 { return }
    if errno == ENOENT, path.lastComponent != nil {
      let parent = path.removingLastComponent()
      guard !parent.isEmpty else { throw .noSuchFileOrDirectory }
      try makeParent(parent)
      if path.withPlatformString({ mkdir($0, 0o700) }) == 0 { return }
    }
    guard errno == EEXIST else { throw Errno(rawValue: errno) }
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw .notDirectory
    }
    close(path, to: 0o700)
  }

  /// Creates missing parent folders.
  ///
  /// Existing ones may be shared with other users and keep their mode.
  fileprivate static func makeParent(_ path: FilePath) throws(Errno) {
    if path.withPlatformString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path.lastComponent != nil else { throw Errno(rawValue: errno) }
    try makeParent(path.removingLastComponent())
    guard path.withPlatformString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw Errno(rawValue: errno)
    }
  }

  /// Creates a file with mode 0600.
  ///
  /// If the file exists, removes the access of other users.
  ///
  /// Does not open an existing file: closing the descriptor would release this process's POSIX locks on the
  /// file (fcntl(2)).
  package static func makeFile(_ path: FilePath) {
    let file = path.withPlatformString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    if file >= 0 { Glibc.close(file) } else { close(path, to: 0o600) }
  }

  /// Removes mode bits of other users from a file or folder that belongs to this user.
  ///
  /// Ignores failures.
  package static func close(_ path: FilePath, to mode: mode_t) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 != 0
    else { return }
    _ = path.withPlatformString { chmod($0, status.st_mode & mode) }
  }
}
