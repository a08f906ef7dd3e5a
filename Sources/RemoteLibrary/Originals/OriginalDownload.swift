import AssetLibrary
import FolderLibrary
import Pixels
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// Brings one file of a server: into a file of parts first, which goes on where it was broken off, and under its own name
/// once it is whole.
///
/// One process at a time does so for a file; another one waits, and finds the file there.
struct OriginalDownload {
  let source: any OriginalSource
  let file: RemoteFile
  let cache: OriginalsCache

  private var name: String { String(decoding: file.path, as: UTF8.self) }
  private var place: FilePath { source.path.appendingBytes(file.path) }
  private var part: FilePath { cache.parts.appending(String(file.version, radix: 16)) }

  /// Brings the file.
  /// - Parameters:
  ///   - isCancelled: asked every moment.
  ///   - progress: hears how many bytes are there.
  /// - Throws: `AssetError` when it can't be had, or is another one by now.
  func run(
    isCancelled: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (Int64) -> Void
  ) throws(AssetError) {
    if cache.holds(file.version) { return }
    do {
      try PrivateFolder.make(cache.folder)
      try PrivateFolder.make(cache.parts)
      try PrivateFolder.make(place.removingLastComponent())
    } catch {
      throw AssetError(place.string, "\(error)")
    }
    let descriptor = part.withPlatformString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw AssetError(part.string, Errno(rawValue: errno).description) }
    // The lock goes with the descriptor.
    defer { close(descriptor) }
    try lock(descriptor, isCancelled: isCancelled, progress: progress)
    if isInPlace {
      cache.add(file.version, at: place, size: file.size)
      unlinkPart()
      return
    }
    try bring(to: descriptor, isCancelled: isCancelled, progress: progress)
  }

  /// Waits until no other process brings the same file.
  private func lock(
    _ descriptor: Int32, isCancelled: () -> Bool, progress: (Int64) -> Void
  ) throws(AssetError) {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      if isCancelled() { throw Self.stopped(name) }
      var status = stat()
      if fstat(descriptor, &status) == 0 { progress(Int64(status.st_size)) }
      usleep(50_000)
    }
  }

  /// Whether the file is whole and in its place, as it is on the server.
  private var isInPlace: Bool {
    var status = stat()
    guard place.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    // A time that nanoseconds can't hold is not the server's.
    let (nanoseconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return Int64(status.st_size) == file.size && !overflow
      && nanoseconds.addingSaturated(Int64(status.st_mtim.tv_nsec)) == file.modified
  }

  private func bring(
    to descriptor: Int32, isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (Int64) -> Void
  ) throws(AssetError) {
    var status = stat()
    var there = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    if there > file.size {
      guard ftruncate(descriptor, 0) == 0 else { throw failure() }
      there = 0
    }
    progress(there)
    if there < file.size {
      var written = there
      var broken: Errno?
      do throws(AssetError) {
        try source.read(file, Int(there)..<Int(file.size), isCancelled: isCancelled) { bytes in
          let count = min(Int64(bytes.count), file.size - written)
          if let failure = Self.write(bytes.prefix(Int(count)), to: descriptor, at: written) {
            broken = failure
            return false
          }
          written += count
          progress(written)
          return !isCancelled()
        }
      } catch {
        // What is there belongs to another state of the file.
        if source.isChange(error) { unlinkPart() }
        throw error
      }
      if let broken { throw AssetError(part.string, broken.description) }
      if isCancelled() { throw Self.stopped(name) }
      guard written == file.size else {
        throw AssetError(name, "the server sent too few bytes", isTransient: true)
      }
    }
    if let reason = try verify(descriptor) {
      unlinkPart()
      throw AssetError(name, reason, isTransient: true)
    }
    try put(descriptor)
  }

  /// Compares what came with the hashes that the server has of the file.
  /// - Returns: what is wrong with it; nil where nothing is known to be.
  private func verify(_ descriptor: Int32) throws(AssetError) -> String? {
    let known = try source.hashes(of: file)
    if known.values.allSatisfy(\.isEmpty) {
      // Its first bytes may be of one state, and the others of the next.
      do throws(AssetError) { try source.confirm(file) } catch {
        if source.isChange(error) { unlinkPart() }
        throw error
      }
      return nil
    }
    for kind in FileHash.allCases {
      guard let expected = known[kind.rawValue], !expected.isEmpty else { continue }
      guard let found = kind.digest(of: descriptor) else { throw failure() }
      return found == expected.lowercased()
        ? nil : "what came is not what the server has (its \(kind.rawValue) is another one)"
    }
    return nil
  }

  /// Gives the file its name.
  private func put(_ descriptor: Int32) throws(AssetError) {
    let seconds = Int(
      (Double(file.modified) / 1e9).rounded(.down))
    var times = [timespec(), timespec()]
    times[0].tv_nsec = 0x3FFF_FFFF  // UTIME_NOW (utimensat(2)), which Swift does not see.
    times[1] = timespec(tv_sec: seconds, tv_nsec: Int(file.modified - Int64(seconds) * 1_000_000_000))
    _ = futimens(descriptor, times)
    guard fsync(descriptor) == 0 else { throw failure() }
    let renamed = part.withPlatformString { part in place.withPlatformString { rename(part, $0) } }
    guard renamed == 0 else { throw failure() }
    cache.add(file.version, at: place, size: file.size)
  }

  private func unlinkPart() { _ = part.withPlatformString { unlink($0) } }

  private func failure() -> AssetError {
    AssetError(place.string, Errno(rawValue: errno).description)
  }

  static func stopped(_ name: String) -> AssetError { AssetError(name, "the download was stopped") }

  private static func write(
    _ bytes: Slice<UnsafeRawBufferPointer>, to descriptor: Int32, at offset: Int64
  ) -> Errno? {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    var written = 0
    while written < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written,
        Int(offset) + written)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return Errno(rawValue: errno) }
      written += count
    }
    return nil
  }
}
