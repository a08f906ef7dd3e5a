import AssetLibrary
import System
package import SystemPackage

/// Stores the user's decisions about programs that request access to photos, in one file that only the user
/// can access.
///
/// Nothing is cached: every call reads the file. A lock file serializes changes between processes, and writes
/// are atomic. A file that can't be read is never overwritten. Any thread may call; calls block on disk
/// access.
package struct PermissionStore: Sendable {
  package let path: FilePath

  /// Larger files are rejected: a million allowed photos take less.
  private static let longest = 256 << 20
  /// How long to wait for another process's lock.
  private static let patience: Duration = .seconds(15)

  /// - Parameter folder: the folder of the file, $XDG_STATE_HOME/tpick; created with the first decision.
  package init(in folder: FilePath) {
    path = folder.appending("permissions.toml")
  }

  /// Creates the folder of the file before the first decision, so that a `PermissionWatch` can notice that one.
  package func makeFolder() throws(PermissionError) {
    do throws(Errno) {
      try PrivateFolder.make(path.removingLastComponent())
    } catch {
      throw .unwritable(path, "\(error)")
    }
  }

  /// Returns all decisions, sorted by client name.
  package func all() throws(PermissionError) -> [ClientPermission] {
    guard let bytes = try read() else { return [] }
    do throws(PermissionDocument.Problem) {
      return try PermissionDocument.clients(bytes)
    } catch {
      switch error {
      case .newer(let version): throw .newer(path, version: version)
      case .invalid(let reason): throw .unreadable(path, reason)
      }
    }
  }

  /// Returns the decision about a client; nil if there is none.
  package func permission(of client: String) throws(PermissionError) -> ClientPermission? {
    try all().first { $0.client == client }
  }

  /// Changes the decision about one client, based on the current contents of the file.
  /// - Parameter change: receives the client's permission, a new one if none is stored.
  package func update(
    _ client: String, _ change: (inout ClientPermission) -> Void
  ) throws(PermissionError) {
    try rewrite { clients in
      let index = clients.firstIndex { $0.client == client } ?? clients.endIndex
      if index == clients.endIndex { clients.append(ClientPermission(client: client)) }
      change(&clients[index])
    }
  }

  /// Removes the decision about one client, or all decisions.
  /// - Parameter client: nil = all.
  /// - Returns: the clients whose decisions were removed.
  package func remove(_ client: String? = nil) throws(PermissionError) -> [String] {
    var removed: [String] = []
    try rewrite { clients in
      removed = clients.map(\.client).filter { $0 == client || client == nil }
      clients.removeAll { $0.client == client || client == nil }
    }
    return removed
  }

  private func rewrite(_ change: (inout [ClientPermission]) -> Void) throws(PermissionError) {
    let lock = try lock()
    defer { extendLifetime(lock) }
    let before = try all()
    var clients = before
    change(&clients)
    if clients == before { return }
    do throws(Errno) {
      try PrivateFile.write(PermissionDocument.text(clients), to: path, isDurable: true)
    } catch {
      throw .unwritable(path, "\(error)")
    }
  }

  /// Locks out other writing processes until the lock is destroyed.
  private func lock() throws(PermissionError) -> FileLock {
    let file: Int32
    do throws(Errno) {
      file = try PrivateFile.open(
        path.removingLastComponent().appending("permissions.lock"), O_RDWR | O_CREAT)
    } catch {
      throw .unwritable(path, "\(error)")
    }
    let lock = FileLock(owning: file)
    switch lock.lock(within: Self.patience) {
    case .locked, .unsupported: return lock
    case .busy: throw .locked(path)
    }
  }

  /// Reads the file; nil if it does not exist.
  private func read() throws(PermissionError) -> [UInt8]? {
    let file = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw .unreadable(path, "\(Errno(rawValue: errno))")
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw .unreadable(path, "\(Errno(rawValue: errno))") }
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= Self.longest else {
      throw .unreadable(path, "not a tpick permissions file")
    }
    try checkFolder()
    guard [geteuid(), 0].contains(facts.st_uid) && facts.st_mode & 0o022 == 0 else { throw .exposed(path) }
    return try bytes(of: FileDescriptor(rawValue: file), count: Int(facts.st_size))
  }

  /// - Throws: `PermissionError` if other users can replace the file.
  private func checkFolder() throws(PermissionError) {
    let folder = path.removingLastComponent()
    var facts = stat()
    guard folder.withPlatformString({ stat($0, &facts) }) == 0 else { return }
    if facts.st_mode & 0o022 != 0, facts.st_mode & S_ISVTX == 0 { throw .exposed(folder) }
  }

  private func bytes(of file: FileDescriptor, count: Int) throws(PermissionError) -> [UInt8] {
    do {
      return try [UInt8](unsafeUninitializedCapacity: count) { buffer, found in
        while found < count {
          let read = try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[found...]))
          if read == 0 { break }
          found += read
        }
      }
    } catch {
      throw .unreadable(path, "\(error)")
    }
  }
}

/// Why the stored permissions can't be read or written.
///
/// The stored file is left unchanged.
package enum PermissionError: Error, Hashable, Sendable, CustomStringConvertible {
  case unreadable(FilePath, String)
  /// A later version of tpick wrote the file.
  case newer(FilePath, version: Int)
  /// Other users can write to the file or folder, so it may not contain what the user decided.
  case exposed(FilePath)
  /// Another tpick holds the lock.
  case locked(FilePath)
  case unwritable(FilePath, String)

  package var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path.string): \(reason); the stored permissions can't be read, and nothing was changed. "
        + "Repair the file, or remove it to be asked again"
    case .newer(let path, let version):
      "\(path.string): a newer tpick wrote it (version \(version)); use that tpick, or remove the file to be asked again"
    case .exposed(let path):
      "\(path.string): other users can change it, so it may not contain your decisions; check it, then use chmod go-w or remove it"
    case .locked(let path): "\(path.string): another tpick has locked it; try again"
    case .unwritable(let path, let reason): "\(path.string): \(reason); the decision was not saved"
    }
  }
}
