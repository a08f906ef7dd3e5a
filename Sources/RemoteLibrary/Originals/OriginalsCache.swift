import AssetLibrary
import FolderLibrary
import Pixels
import Synchronization
import System
import SystemPackage

/// The originals of servers on this machine: each under its own path below a folder of its source, whole or not there.
///
/// They take a bounded number of bytes, what was used least going first; what was handed over stays. Calls may come from any
/// thread, from several processes for one folder.
final class OriginalsCache: Sendable {
  private struct State {
    var here: [UInt64: RemoteDatabase.Original] = [:]
    /// How often each version of a file is held: it is about to be used.
    var held: [UInt64: Int] = [:]
    var observer: (@Sendable () -> Void)?
  }

  let folder: FilePath
  /// Bytes that all of them may take but for those that were handed over.
  let limit: Int64
  /// For how many seconds what was picked stays after it was last used; nil = for ever.
  private let pickedAge: Int64?
  private let database: RemoteDatabase
  private let leases: OriginalLeases
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folder: where they lie.
  ///   - limit: bytes.
  ///   - pickedAge: for how many seconds what was picked stays after it was last used; nil = for ever.
  init(_ folder: FilePath, limit: Int64, pickedAge: Int64? = nil, _ database: RemoteDatabase) {
    (self.folder, self.limit, self.pickedAge, self.database) = (folder, limit, pickedAge, database)
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

  /// Has a file stay until it was released as often, or this process ends, whatever others bring.
  ///
  /// Comes before it is looked whether the file is here: from then on it can't go.
  func hold(_ version: UInt64) {
    state.withLock { state in
      state.held[version, default: 0] += 1
      if state.held[version] == 1 { leases.take(version) }
    }
  }

  /// Takes back one `hold`; what there is no room for any more goes.
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
    // What other processes have brought counts as well.
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

  /// Keeps a version until it is dropped, or this object goes.
  func take(_ version: UInt64) { _ = lock(version, Int16(F_RDLCK)) }

  func drop(_ version: UInt64) { _ = lock(version, Int16(F_UNLCK)) }

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
