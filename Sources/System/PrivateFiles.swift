package import SystemPackage

/// Files that only their owner can read, and that appear whole or not at all.
package enum PrivateFile {
  /// How the names of unfinished files begin.
  private static let draftPrefix = ".tpick."

  /// Whether a name is one that `write` gives to unfinished files.
  package static func isDraft(_ name: String) -> Bool {
    guard name.hasPrefix(draftPrefix) else { return false }
    let number = name.dropFirst(draftPrefix.count)
    return UInt64(number, radix: 16).map { String($0, radix: 16) == number } ?? false
  }

  /// Writes a file under another name and renames it, and makes the folders on its way.
  ///
  /// Files get mode 0600, folders 0700. Nothing is left behind when it fails.
  /// - Parameter isDurable: whether the bytes have to be on the disk before the file has its name: what can't be made again.
  package static func write(
    _ bytes: [UInt8], to path: FilePath, isDurable: Bool = false
  ) throws(Errno) {
    let number = String(UInt64.random(in: 0 ... .max), radix: 16)
    let draft = path.removingLastComponent().appending(draftPrefix + number)
    let file = try open(draft, O_WRONLY | O_CREAT | O_EXCL)
    var failure = fchmod(file, 0o600) == 0 ? write(bytes, to: file) : Errno(rawValue: errno)
    if isDurable, failure == nil, fsync(file) != 0 { failure = Errno(rawValue: errno) }
    // A full disk may be noticed only here.
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

  /// Writes everything.
  /// - Returns: why not; nil where it is written.
  package static func write(_ bytes: [UInt8], to file: Int32) -> Errno? {
    do {
      _ = try FileDescriptor(rawValue: file).writeAll(bytes)
      return nil
    } catch {
      return error as? Errno ?? .ioError
    }
  }

  /// Opens a file with mode 0600 where it is made, and makes its folders where they are missing.
  ///
  /// A symbolic link is refused: what is behind it is not ours to write to.
  /// - Returns: a descriptor, which the caller closes.
  package static func open(_ path: FilePath, _ flags: Int32) throws(Errno) -> Int32 {
    let attempt = { path.withPlatformString { Glibc.open($0, flags | O_CLOEXEC | O_NOFOLLOW, 0o600) } }
    var file = attempt()
    if file < 0, errno == ENOENT {
      // If it can't be made, opening a file in it fails.
      try? PrivateFolder.makeParent(path.removingLastComponent())
      file = attempt()
    }
    guard file >= 0 else { throw Errno(rawValue: errno) }
    return file
  }

  /// A file that is open for reading.
  package struct Opened {
    /// The caller closes it.
    package var descriptor: Int32
    /// Bytes.
    package var size: Int
    /// Nanoseconds since 1970, UTC.
    package var modified: Int64
  }

  /// Opens a regular file for reading; nil where there is none, or it is longer than `limit`.
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

  /// The bytes of a regular file; nil where there is none, or it is longer than `limit`.
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

/// Folders that only their owner can look into: what is kept of a library tells places, people and paths.
package enum PrivateFolder {
  /// Makes a folder and those on its way with mode 0700; one that is there and open to others is closed to them.
  ///
  /// Whoever needs the folder first calls this: index, ledger and sample library share it.
  /// - Throws: `Errno` when it can't be made.
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

  /// Folders on the way are others' too: those that are there stay as they are.
  fileprivate static func makeParent(_ path: FilePath) throws(Errno) {
    if path.withPlatformString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path.lastComponent != nil else { throw Errno(rawValue: errno) }
    try makeParent(path.removingLastComponent())
    guard path.withPlatformString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw Errno(rawValue: errno)
    }
  }

  /// Makes a file with mode 0600 where there is none; one that is open to others is closed to them.
  ///
  /// A file that is there is not opened: closing it again would end the locks that this process has on it
  /// (fcntl(2)).
  package static func makeFile(_ path: FilePath) {
    let file = path.withPlatformString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    if file >= 0 { Glibc.close(file) } else { close(path, to: 0o600) }
  }

  /// Takes from others what they may do with a file or folder of this user; where that fails it stays as it is.
  package static func close(_ path: FilePath, to mode: mode_t) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 != 0
    else { return }
    _ = path.withPlatformString { chmod($0, status.st_mode & mode) }
  }
}
