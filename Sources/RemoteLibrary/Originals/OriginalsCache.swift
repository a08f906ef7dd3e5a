import AssetLibrary
import FolderLibrary
import Pixels
import Synchronization
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// The originals of servers on this machine: each under its own path below a folder of its source, whole or not there.
///
/// They take a bounded number of bytes, what was used least going first; what was handed over stays. Calls may come from any
/// thread, from several processes for one folder.
final class OriginalsCache: Sendable {
  private struct State {
    var here: [UInt64: RemoteDatabase.Original] = [:]
    /// The versions of files that are about to be handed over.
    var held: Set<UInt64> = []
    var observer: (@Sendable () -> Void)?
  }

  let folder: FilePath
  /// Bytes that all of them may take but for those that were handed over.
  let limit: Int64
  private let database: RemoteDatabase
  private let leases: OriginalLeases
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folder: where they lie.
  ///   - limit: bytes.
  init(_ folder: FilePath, limit: Int64, _ database: RemoteDatabase) {
    (self.folder, self.limit, self.database) = (folder, limit, database)
    leases = OriginalLeases(in: folder)
    let known = database.originals
    state.withLock { state in
      for original in known { state.here[original.version] = original }
    }
  }

  /// Calls something, on any thread, after each change of what is here.
  func onChange(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observer = observer } }

  /// The versions of the files that are here.
  var versions: Set<UInt64> { state.withLock { Set($0.here.keys) } }

  /// Where the parts of files are that are still to come.
  var parts: FilePath { folder.appending(".parts") }

  /// Whether a version of a file is here; one that somebody removed is not.
  func holds(_ version: UInt64) -> Bool {
    guard let original = state.withLock({ $0.here[version] }) else { return false }
    if Self.size(of: original.path) == original.size { return true }
    forget([original])
    return false
  }

  /// The length of a regular file; nil where there is none.
  static func size(of path: FilePath) -> Int64? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int64(status.st_size)
  }

  /// Counts in a file that is whole and in its place, and makes room for others.
  func add(_ version: UInt64, at path: FilePath, size: Int64) {
    let original = RemoteDatabase.Original(version: version, path: path, size: size, isPicked: false)
    let replaced = state.withLock { state in
      defer { state.here[version] = original }
      // Another version of the file was there before.
      return state.here.values.filter { $0.path == path && $0.version != version }.map(\.version)
    }
    database.remove(originals: replaced)
    state.withLock { state in for version in replaced { state.here[version] = nil } }
    database.add(original)
    makeRoom(sparing: version)
    state.withLock(\.observer)?()
  }

  /// Notes that files were used, or handed over, from when on they stay.
  func setUsed(_ versions: [UInt64], isPicked: Bool = false) {
    let known = state.withLock { state in
      let known = versions.filter { state.here[$0] != nil }
      if isPicked { for version in known { state.here[version]?.isPicked = true } }
      return known
    }
    if !known.isEmpty { database.setUsed(known, isPicked: isPicked) }
  }

  /// Has a file stay as long as this process goes on, whatever others bring: it is to be handed over together with others.
  ///
  /// Comes before it is looked whether the file is here: from then on it can't go.
  func hold(_ version: UInt64) {
    if state.withLock({ $0.held.insert(version).inserted }) { leases.take(version) }
  }

  private func makeRoom(sparing version: UInt64) {
    let held = state.withLock(\.held)
    // What other processes have brought counts as well.
    let all = database.originals.filter { !held.contains($0.version) }
    var left = all.filter { !$0.isPicked }.map(\.size).saturatedSum()
    var gone: [RemoteDatabase.Original] = []
    for original in all where left > limit && !original.isPicked && original.version != version {
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

/// What processes are about to hand over of the originals: no other one removes it meanwhile.
///
/// A lease is a lock on one byte of a file, at the place that the version says; it ends with its process, however that ends.
/// Locks of open file descriptions (fcntl(2)): two objects in one process keep each other off as well.
final class OriginalLeases: Sendable {
  private let path: FilePath
  /// Opened with the first lease; nil = not yet.
  private let file = Mutex<Int32?>(nil)

  /// F_OFD_SETLK, which is not in Swift's view of the C library.
  private static let setLock: Int32 = 37

  /// - Parameter folder: that of the originals.
  init(in folder: FilePath) { path = folder.appending(".leases") }

  deinit { file.withLock { if let file = $0, file >= 0 { close(file) } } }

  /// Keeps a version until this object goes.
  func take(_ version: UInt64) { _ = lock(version, Int16(F_RDLCK)) }

  /// Removes a file, unless another process is about to hand it over, or has done so since it was looked up.
  /// - Returns: whether it is gone.
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
        // A file system without locks keeps nothing, and nothing from being removed.
        if errno != EINTR { return errno != EAGAIN && errno != EACCES }
      }
      return true
    }
  }
}
