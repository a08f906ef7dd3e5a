import AssetLibrary
import FolderLibrary
import Pixels
import Synchronization
import System
import SystemPackage

/// The cache of originals from servers.
///
/// Each file is stored under its own path below a folder for its source, and only once it is complete.
///
/// The total size is bounded. The least recently used files are removed first; picked files are kept. Any
/// thread may call, and several processes may share a folder.
final class OriginalsCache: Sendable {
  private struct State {
    var here: [UInt64: RemoteDatabase.Original] = [:]
    /// The number of holds per file version; held files are about to be used.
    var held: [UInt64: Int] = [:]
    var observer: (@Sendable () -> Void)?
  }

  let folder: FilePath
  /// The maximum total size in bytes, not counting picked files.
  let limit: Int64
  /// How long a picked file is kept after its last use, in seconds; nil = forever.
  private let pickedAge: Int64?
  private let database: RemoteDatabase
  private let leases: OriginalLeases
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folder: the folder of the cache.
  ///   - limit: the maximum total size in bytes.
  ///   - pickedAge: how long a picked file is kept after its last use, in seconds; nil = forever.
  init(_ folder: FilePath, limit: Int64, pickedAge: Int64? = nil, _ database: RemoteDatabase) {
    (self.folder, self.limit, self.pickedAge, self.database) = (folder, limit, pickedAge, database)
    leases = OriginalLeases(in: folder)
    let known = database.originals
    state.withLock { state in
      for original in known { state.here[original.version] = original }
    }
  }

  /// Sets a handler that is called on any thread after each change of the cache's contents.
  func onChange(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observer = observer } }

  /// The versions of all cached files.
  var versions: Set<UInt64> { state.withLock { Set($0.here.keys) } }

  /// The folder of incomplete downloads.
  var parts: FilePath { folder.appending(".parts") }

  /// Whether a file version is cached.
  ///
  /// Checks the file on disk, since users may remove it.
  func holds(_ version: UInt64) -> Bool {
    guard let original = state.withLock({ $0.here[version] }) else { return false }
    if Self.size(of: original.path) == original.size { return true }
    forget([original])
    return false
  }

  /// Returns the size of a regular file; nil if there is none.
  static func size(of path: FilePath) -> Int64? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int64(status.st_size)
  }

  /// Registers a complete file that is in place, and removes others if the cache is full.
  func add(_ version: UInt64, at path: FilePath, size: Int64) {
    let original = RemoteDatabase.Original(version: version, path: path, size: size, isPicked: false)
    let replaced = state.withLock { state in
      defer { state.here[version] = original }
      // The path may have held another version of the file.
      return state.here.values.filter { $0.path == path && $0.version != version }.map(\.version)
    }
    database.remove(originals: replaced)
    state.withLock { state in for version in replaced { state.here[version] = nil } }
    database.add(original)
    makeRoom(sparing: version)
    state.withLock(\.observer)?()
  }

  /// Records that files were used or, with `isPicked`, picked; picked files are kept.
  func setUsed(_ versions: [UInt64], isPicked: Bool = false) {
    let known = state.withLock { state in
      let known = versions.filter { state.here[$0] != nil }
      if isPicked { for version in known { state.here[version]?.isPicked = true } }
      return known
    }
    if !known.isEmpty { database.setUsed(known, isPicked: isPicked) }
  }

  /// Prevents the removal of a file until `release` is called, or this process ends.
  ///
  /// Each call needs its own `release`.
  ///
  /// Call it before checking whether the file is cached, so that the file can't be removed in between.
  func hold(_ version: UInt64) {
    state.withLock { state in
      state.held[version, default: 0] += 1
      if state.held[version] == 1 { leases.take(version) }
    }
  }

  /// Undoes one `hold`, and removes files that exceed the limit.
  func release(_ version: UInt64) {
    let isLast = state.withLock { state in
      guard let count = state.held[version] else { return false }
      state.held[version] = count > 1 ? count - 1 : nil
      if count == 1 { leases.drop(version) }
      return count == 1
    }
    if isLast { makeRoom() }
  }

  private func makeRoom(sparing version: UInt64? = nil) {
    let held = state.withLock(\.held)
    let oldest = pickedAge.map { RemoteDatabase.now.addingSaturated(-$0) } ?? .min
    // Includes files that other processes have downloaded.
    let all = database.originals.filter { held[$0.version] == nil && !($0.isPicked && $0.used >= oldest) }
    var left = all.map(\.size).saturatedSum()
    var gone: [RemoteDatabase.Original] = []
    for original in all where left > limit && original.version != version {
      guard leases.remove(original, in: database) else { continue }
      gone.append(original)
      left = left.addingSaturated(-max(0, original.size))
    }
    if !gone.isEmpty { forget(gone) }
  }

  private func forget(_ originals: [RemoteDatabase.Original]) {
    let observer = state.withLock { state in
      for original in originals { state.here[original.version] = nil }
      return state.observer
    }
    database.remove(originals: originals.map(\.version))
    observer?()
  }
}

/// Leases on originals that processes are about to use: other processes don't remove them.
///
/// A lease is a lock on one byte of a lock file, at an offset derived from the version, and ends with its
/// process. These are open file description locks (fcntl(2)), which also work between two objects of one
/// process.
final class OriginalLeases: Sendable {
  private let path: FilePath
  /// Opened with the first lease; nil = not opened yet.
  private let file = Mutex<Int32?>(nil)

  /// F_OFD_SETLK; Swift does not import the constant from the C library.
  private static let setLock: Int32 = 37

  /// - Parameter folder: the folder of the cache.
  init(in folder: FilePath) { path = folder.appending(".leases") }

  deinit {
    file.withLock { file in
      guard let file, file >= 0 else { return }
      // Explicitly: a child process forked by another thread may hold a copy of the descriptor until it
      // calls exec, and with it the leases.
      var all = flock()
      all.l_type = Int16(F_UNLCK)
      all.l_whence = Int16(SEEK_SET)
      _ = fcntl(file, Self.setLock, &all)
      close(file)
    }
  }

  /// Takes a lease on a version, which lasts until `drop` or the end of this object.
  func take(_ version: UInt64) { _ = lock(version, Int16(F_RDLCK)) }

  func drop(_ version: UInt64) { _ = lock(version, Int16(F_UNLCK)) }

  /// Removes a file, unless another process has a lease on it or has picked it since it was looked up.
  /// - Returns: whether the file is gone.
  func remove(_ original: RemoteDatabase.Original, in database: RemoteDatabase) -> Bool {
    guard lock(original.version, Int16(F_WRLCK)) else { return false }
    defer { _ = lock(original.version, Int16(F_UNLCK)) }
    guard database.isPicked(original.version) == original.isPicked else { return false }
    return original.path.withPlatformString { unlink($0) } == 0 || errno == ENOENT
  }

  private func lock(_ version: UInt64, _ kind: Int16) -> Bool {
    file.withLock { file in
      if file == nil {
        try? PrivateFolder.make(path.removingLastComponent())
        file = path.withPlatformString {
          open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
      }
      guard let file, file >= 0 else { return kind == Int16(F_WRLCK) }
      var range = flock()
      range.l_type = kind
      range.l_whence = Int16(SEEK_SET)
      range.l_start = off_t(version % UInt64(Int64.max - 1))
      range.l_len = 1
      while fcntl(file, Self.setLock, &range) != 0 {
        // On a file system without locks, leases have no effect and files are removed.
        if errno != EINTR { return errno != EAGAIN && errno != EACCES }
      }
      return true
    }
  }
}
