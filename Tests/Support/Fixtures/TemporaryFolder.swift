import Glibc

/// The bytes of a file name, which need not be UTF-8.
package protocol FileNaming {
  /// The name, or a path relative to the folder with slashes.
  var fileNameBytes: [UInt8] { get }
}

extension String: FileNaming {
  package var fileNameBytes: [UInt8] { Array(utf8) }
}

extension [UInt8]: FileNaming {
  package var fileNameBytes: [UInt8] { self }
}

/// A unique folder below the system's temporary folder, removed with its contents with the last reference.
///
/// Its name is always `pictures`: it becomes an album's title, which searches find, so a random name would make a test
/// fail by chance. The random part is the name of its parent.
package final class TemporaryFolder: Sendable {
  /// The path of the folder, without a trailing slash.
  package let path: String
  private let surroundings: [UInt8]

  /// Creates the folder.
  /// - Parameter place: the folder around it; nil = the system's temporary folder.
  package init(in place: String? = nil) throws {
    let parent = place ?? getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
    var template = Array("\(parent)/tpick-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Self.failure("make", parent) }
    surroundings = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    path = String(decoding: surroundings, as: UTF8.self) + "/pictures"
    try makeFolder("")
  }

  deinit {
    Self.removeAll(surroundings)
  }

  /// The bytes of a path relative to the folder.
  package func path(of name: some FileNaming) -> [UInt8] {
    Array(path.utf8) + [UInt8(ascii: "/")] + name.fileNameBytes
  }

  /// Writes a file and creates its parent folders.
  /// - Returns: The bytes of its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: some FileNaming) throws -> [UInt8] {
    let path = path(of: name)
    if let slash = name.fileNameBytes.lastIndex(of: UInt8(ascii: "/")) {
      try makeFolder(Array(name.fileNameBytes[..<slash]))
    }
    let file = Self.withCString(path) { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    guard file >= 0 else { throw Self.failure("write", path) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard written > 0 else { throw Self.failure("write", path) }
      rest = rest.dropFirst(written)
    }
    return path
  }

  /// Creates a folder and its parents.
  /// - Returns: The bytes of its path.
  @discardableResult
  package func makeFolder(_ name: some FileNaming) throws -> [UInt8] {
    var path = surroundings
    for part in [Array("pictures".utf8)[...]] + name.fileNameBytes.split(separator: UInt8(ascii: "/")) {
      path += [UInt8(ascii: "/")] + part
      let status = Self.withCString(path) { mkdir($0, 0o755) }
      guard status == 0 || errno == EEXIST else { throw Self.failure("make", path) }
    }
    return path
  }

  /// Creates a symbolic link to `destination` as given.
  package func link(_ name: some FileNaming, to destination: some FileNaming) throws {
    let path = path(of: name)
    let status = Self.withCString(path) { path in
      Self.withCString(destination.fileNameBytes) { symlink($0, path) }
    }
    guard status == 0 else { throw Self.failure("link", path) }
  }

  /// Renames a file within the folder.
  package func rename(_ name: some FileNaming, to other: some FileNaming) throws {
    try move(name, to: self, as: other)
  }

  /// Moves a file or folder into another folder, under the same name.
  package func move(_ name: some FileNaming, to folder: TemporaryFolder) throws {
    try move(name, to: folder, as: name)
  }

  /// Moves a file or folder into another folder, under another name.
  package func move(
    _ name: some FileNaming, to folder: TemporaryFolder, as other: some FileNaming
  ) throws {
    let path = path(of: name)
    let status = Self.withCString(path) { path in
      Self.withCString(folder.path(of: other)) { Glibc.rename(path, $0) }
    }
    guard status == 0 else { throw Self.failure("rename", path) }
  }

  /// Sets the permissions of a file or folder; a file that becomes executable can be executed at once.
  package func setPermissions(_ mode: UInt32, of name: some FileNaming) throws {
    let path = path(of: name)
    guard Self.withCString(path, { chmod($0, mode) }) == 0 else { throw Self.failure("chmod", path) }
    if mode & 0o111 != 0 { try Self.waitForWriters(of: path) }
  }

  /// Sets the modification time, in seconds of UTC from 1970.
  package func setModificationTime(_ seconds: Int, of name: some FileNaming) throws {
    let path = path(of: name)
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    guard Self.withCString(path, { utimensat(AT_FDCWD, $0, [time, time], 0) }) == 0 else {
      throw Self.failure("set the time of", path)
    }
  }

  /// Removes a file, or a folder with its contents.
  package func remove(_ name: some FileNaming) { Self.removeAll(path(of: name)) }
}

extension TemporaryFolder {
  /// F_SETLEASE.
  private static let setLease: Int32 = 1024

  /// Waits until no process has a file open for writing: until then the kernel does not execute it (ETXTBSY).
  ///
  /// A child process of another test has the descriptor with which this one wrote the file until it calls exec.
  private static func waitForWriters(of path: [UInt8]) throws {
    let file = withCString(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return }
    defer { close(file) }
    // A lease for reading is refused with this error as long as there are writers (fcntl(2)).
    let isFree = eventually { fcntl(file, setLease, F_RDLCK) == 0 || errno != EAGAIN }
    guard isFree else { throw failure("execute", path) }
    _ = fcntl(file, setLease, F_UNLCK)
  }

  private static func removeAll(_ path: [UInt8]) {
    withCString(path) { name in
      guard unlink(name) != 0 else { return }
      // Permissions revoked by a test must not prevent removal.
      chmod(name, 0o700)
      for child in children(of: name) { removeAll(path + [UInt8(ascii: "/")] + child) }
      rmdir(name)
    }
  }

  private static func children(of folder: UnsafePointer<CChar>) -> [[UInt8]] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  private static func withCString<Result>(
    _ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("an array with a zero is not empty") }
      return body(start)
    }
  }

  private static func failure(_ what: String, _ path: some FileNaming) -> FixtureError {
    let reason = String(cString: strerror(errno))
    return FixtureError("can't \(what) \(String(decoding: path.fileNameBytes, as: UTF8.self)): \(reason)")
  }
}
