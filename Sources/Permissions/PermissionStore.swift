import AssetLibrary
import System
package import SystemPackage

/// What the user decided on the programs that ask for photos, in one file that only the user can read and write.
///
/// Nothing is kept in memory: every call reads the file. Changes are made one process at a time, and a file appears whole or
/// stays as it was. A file that can't be read is never written over. Calls may come from any thread, and wait for a disk.
package struct PermissionStore: Sendable {
  package let path: FilePath

  /// Longer files are not ours: a million allowed photos take less.
  private static let longest = 256 << 20
  /// How long another process is waited for.
  private static let patience: Duration = .seconds(15)

  /// - Parameter folder: where the file lies, $XDG_STATE_HOME/tpick; made with the first decision.
  package init(in folder: FilePath) {
    path = folder.appending("permissions.toml")
  }

  /// All that was decided, by name.
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

  /// What was decided on a client; nil where nothing was.
  package func permission(of client: String) throws(PermissionError) -> ClientPermission? {
    try all().first { $0.client == client }
  }

  /// Changes what is decided on one client, as it stands in the file now.
  /// - Parameter change: gets the client's permission, new where there is none.
  package func update(
    _ client: String, _ change: (inout ClientPermission) -> Void
  ) throws(PermissionError) {
    try rewrite { clients in
      let index = clients.firstIndex { $0.client == client } ?? clients.endIndex
      if index == clients.endIndex { clients.append(ClientPermission(client: client)) }
      change(&clients[index])
    }
  }

  /// Forgets what was decided on a client, or on all.
  /// - Parameter client: nil = all.
  /// - Returns: on whom something had been decided.
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

  /// Keeps other processes from writing until the lock goes.
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

  /// The file's bytes; nil where there is none.
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
      throw .unreadable(path, "this is no file of tpick's")
    }
    try checkFolder()
    guard [geteuid(), 0].contains(facts.st_uid) && facts.st_mode & 0o022 == 0 else { throw .exposed(path) }
    return try bytes(of: FileDescriptor(rawValue: file), count: Int(facts.st_size))
  }

  /// - Throws: `PermissionError` where others can put another file in its place.
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
/// What is stored stays as it is.
package enum PermissionError: Error, Hashable, Sendable, CustomStringConvertible {
  case unreadable(FilePath, String)
  /// Written by a later version of tpick.
  case newer(FilePath, version: Int)
  /// Others than the user can write it: it may not say what the user decided.
  case exposed(FilePath)
  /// Another tpick does not let go of it.
  case locked(FilePath)
  case unwritable(FilePath, String)

  package var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path.string): \(reason); what was decided can't be read, and nothing was changed. "
        + "Mend the file, or remove it to be asked again"
    case .newer(let path, let version):
      "\(path.string): version \(version) was written by a newer tpick; use that one, or remove the file to be asked again"
    case .exposed(let path):
      "\(path.string): others than you can write it, so it may not say what you decided; look into it, and chmod 600 it or remove it"
    case .locked(let path): "\(path.string): another tpick keeps it locked; try again"
    case .unwritable(let path, let reason): "\(path.string): \(reason); what was decided is not remembered"
    }
  }
}
