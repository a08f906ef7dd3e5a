import AssetLibrary
import PhotoPicker
import Sandbox
import SystemPackage
import TerminalGraphics
import System

/// The private folder with the parts that are visible inside the sandbox, one for each run.
///
/// It is below the cache folder, where copies can share blocks with the photos and a film does not fill the memory. It
/// is locked while its process lives; a later run removes those of killed processes. Used by one thread.
final class SandboxStage {
  let path: [UInt8]
  /// The folder bound at `SandboxPlace.photos`.
  var photos: [UInt8] { path + Array("/photos".utf8) }
  /// The folder bound at `SandboxPlace.session`.
  var session: [UInt8] { path + Array("/session".utf8) }
  /// The folder for copies before they get their final names.
  var incoming: [UInt8] { path + Array("/incoming".utf8) }

  private let lock: Int32

  private static var all: [UInt8] { UserDirectories.cache.appending("sandbox").bytes }

  /// - Throws: `Failure` if it can't be created.
  init() throws(Failure) {
    let all = Self.all
    Self.makeAll(all)
    // The search for abandoned folders waits until a new one is locked.
    let gate = Self.call(all + Array("/.lock".utf8)) { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    guard gate >= 0 else { throw Self.failure(all) }
    let gateLock = FileLock(owning: gate)
    guard gateLock.lock() else { throw Self.failure(all) }
    defer { extendLifetime(gateLock) }
    Self.removeAbandoned(in: all)
    path = all + Array("/\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))".utf8)
    guard Self.call(path, { mkdir($0, 0o700) }) == 0 else { throw Self.failure(path) }
    lock = Self.call(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw Self.failure(path) }
    for folder in [photos, session, incoming] {
      guard Self.call(folder, { mkdir($0, 0o700) }) == 0 else { throw Self.failure(folder) }
    }
  }

  /// Removes the folder and its contents.
  func remove() {
    Self.removeContents(of: lock)
    // Does not remove what may have replaced it.
    _ = Self.call(path) { rmdir($0) }
    close(lock)
  }

  /// Writes a small file of the session atomically.
  func write(_ bytes: [UInt8], as name: String) throws(Failure) {
    // Left by an interrupted write.
    _ = unlinkat(lock, "part", 0)
    let file = openat(lock, "part", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o444)
    guard file >= 0 else { throw Self.failure(path) }
    defer { close(file) }
    guard DescriptorWriter(file).write(bytes) == .written,
      renameat(lock, "part", lock, "session/\(name)") == 0
    else { throw Self.failure(session) }
  }

  static func failure(_ path: [UInt8]) -> Failure {
    .error("run: \(String(decoding: path, as: UTF8.self)): \(Errno(rawValue: errno))")
  }

  static func call(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    CStrings.withPointer(path, body)
  }

  // MARK: Folders

  private static func makeAll(_ path: [UInt8]) {
    for index in path.indices.dropFirst() where path[index] == UInt8(ascii: "/") {
      _ = call(Array(path[..<index])) { mkdir($0, 0o777) }
    }
    _ = call(path) { mkdir($0, 0o700) }
  }

  private static func removeAbandoned(in all: [UInt8]) {
    for name in entries(of: all) where name != Array(".lock".utf8) {
      let folder = all + [UInt8(ascii: "/")] + name
      let held = call(folder) { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
      guard held >= 0 else { continue }
      let lock = FileLock(owning: held)
      if case .locked = lock.tryLock() {
        removeContents(of: held)
        _ = call(folder) { rmdir($0) }
      }
    }
  }

  /// Removes the contents of an open folder, to any depth, without following links.
  private static func removeContents(of folder: Int32) {
    for name in entries(at: folder) {
      let inner = call(name) { openat(folder, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
      guard inner >= 0 else {
        _ = call(name) { unlinkat(folder, $0, 0) }
        continue
      }
      removeContents(of: inner)
      close(inner)
      _ = call(name) { unlinkat(folder, $0, AT_REMOVEDIR) }
    }
  }

  /// The names in an open folder, which stays open.
  static func entries(at folder: Int32) -> [[UInt8]] {
    let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    return names(in: stream)
  }

  /// The names in a folder; empty if it can't be read.
  static func entries(of folder: [UInt8]) -> [[UInt8]] {
    guard let stream = CStrings.withPointer(folder, { opendir($0) }) else { return [] }
    return names(in: stream)
  }

  private static func names(in stream: OpaquePointer) -> [[UInt8]] {
    defer { closedir(stream) }
    var found: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { found.append(name) }
    }
    return found
  }
}
