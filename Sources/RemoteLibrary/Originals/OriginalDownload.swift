import AssetLibrary
import CMD5
import FolderLibrary
import Pixels
import System
import SystemPackage

/// Downloads one file from a server.
///
/// The bytes go into a part file, which a later download resumes; once complete and verified, it is renamed
/// into place.
///
/// A lock lets only one process at a time download a file; others wait and then find the file in the cache.
struct OriginalDownload {
  let source: any OriginalSource
  let file: RemoteFile
  let cache: OriginalsCache
  /// Whether the bytes are written into an open file of the caller and not into the cache.
  private var isWritten = false

  init(source: any OriginalSource, file: RemoteFile, cache: OriginalsCache) {
    (self.source, self.file, self.cache) = (source, file, cache)
  }

  /// Files of unknown length may have at least this size, even if the limit of the cache is lower.
  private static let leastLimit: Int64 = 64 << 20

  /// The subject of messages: the address, since the user doesn't know the path in the cache.
  private var name: String { source.subject(file.path) }
  private var place: FilePath { source.path.appendingBytes(file.path) }
  private var part: FilePath { cache.parts.appending(String(file.version, radix: 16)) }

  /// Downloads the file into the cache.
  /// - Parameters:
  ///   - isCancelled: called often.
  ///   - progress: receives the number of bytes present.
  /// - Throws: `DownloadFailure` if the download fails or the file has changed.
  func run(
    isCancelled: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (Int64) -> Void
  ) throws(DownloadFailure) {
    if cache.holds(file.version) { return }
    do {
      try PrivateFolder.make(cache.folder)
      try PrivateFolder.make(cache.parts)
      try PrivateFolder.make(place.removingLastComponent())
    } catch {
      throw .failed(AssetError(name, "can't be saved in \(cache.folder.string): \(error)"))
    }
    let descriptor = part.withPlatformString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw failure() }
    let lock = FileLock(owning: descriptor)
    defer { extendLifetime(lock) }
    // Another process may be downloading the same file.
    let outcome = lock.lock(every: .milliseconds(50)) {
      var status = stat()
      if fstat(descriptor, &status) == 0 { progress(Int64(status.st_size)) }
      return !isCancelled()
    }
    if case .busy = outcome { throw Self.stopped(name) }
    if let size = sizeInPlace {
      cache.add(file.version, at: place, size: size)
      unlinkPart()
      return
    }
    if file.knowsSize {
      try downloadResuming(to: descriptor, isCancelled: isCancelled, progress: progress)
    } else {
      try downloadToEnd(to: descriptor, isCancelled: isCancelled, progress: progress)
    }
  }

  /// Writes the file into an empty open file, verifies it like a cached one, and sets its modification time.
  func write(
    into descriptor: Int32, isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (Int64) -> Void
  ) throws(DownloadFailure) {
    var download = self
    download.isWritten = true
    if file.knowsSize {
      try download.downloadResuming(to: descriptor, isCancelled: isCancelled, progress: progress)
    } else {
      try download.downloadToEnd(to: descriptor, isCancelled: isCancelled, progress: progress)
    }
  }

  /// The size of the file if it is complete, in place and in the version on the server; otherwise nil.
  private var sizeInPlace: Int64? {
    var status = stat()
    guard place.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let size = Int64(status.st_size)
    // The server's time fits 64-bit nanoseconds, so a time that doesn't is another one.
    let (nanoseconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let isSame =
      size == file.size && !overflow
      && nanoseconds.addingSaturated(Int64(status.st_mtim.tv_nsec)) == file.modified
    return isSame ? size : nil
  }

  private func downloadResuming(
    to descriptor: Int32, isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (Int64) -> Void
  ) throws(DownloadFailure) {
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
      do throws(DownloadFailure) {
        try source.readOriginal(file, Int(there)..<Int(file.size), isCancelled: isCancelled) { bytes in
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
        // The bytes present belong to another version of the file.
        if case .changed = error { unlinkPart() }
        throw error
      }
      if let broken { throw failure(broken) }
      if isCancelled() { throw Self.stopped(name) }
      guard written == file.size else {
        throw .failed(AssetError(name, "the server sent too few bytes", isTransient: true))
      }
    }
    if let reason = try verify(descriptor) {
      unlinkPart()
      throw .failed(AssetError(name, reason, isTransient: true))
    }
    try put(descriptor, size: file.size)
  }

  /// Downloads a file of unknown length up to the end of the response.
  ///
  /// Rejects files larger than the limit of the cache, or than `leastLimit` if that is higher.
  ///
  /// An interrupted download can't be resumed, since the length of the rest is unknown.
  private func downloadToEnd(
    to descriptor: Int32, isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (Int64) -> Void
  ) throws(DownloadFailure) {
    // Also runs on errors, so that no part file remains.
    defer { unlinkPart() }
    guard ftruncate(descriptor, 0) == 0 else { throw failure() }
    let limit = Int(clamping: max(Self.leastLimit, min(cache.limit, .max - 1)))
    var written: Int64 = 0
    var broken: Errno?
    try source.readOriginal(file, 0..<limit + 1, isCancelled: isCancelled) { bytes in
      if let failure = Self.write(bytes[...], to: descriptor, at: written) {
        broken = failure
        return false
      }
      written += Int64(bytes.count)
      progress(written)
      return !isCancelled()
    }
    if let broken { throw failure(broken) }
    if isCancelled() { throw Self.stopped(name) }
    guard written <= limit else {
      throw .failed(
        AssetError(
          name,
          "the server does not report its size, and it exceeds the limit of the cache; raise cache.originals")
      )
    }
    var reason = try verify(descriptor)
    if reason == nil { reason = try differsFromSecondReading(written, isCancelled) }
    if let reason { throw .failed(AssetError(name, reason, isTransient: true)) }
    try put(descriptor, size: written)
  }

  /// Reads a file of unknown length a second time if the server has no hash of it.
  ///
  /// A response of unknown length looks complete even if it was interrupted. Two interruptions at the same
  /// byte are unlikely, so equal lengths mean that the file is complete.
  /// - Returns: the mismatch; nil if none was found.
  private func differsFromSecondReading(
    _ size: Int64, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(DownloadFailure) -> String? {
    guard try source.hashes(of: file).values.allSatisfy(\.isEmpty) else { return nil }
    var count: Int64 = 0
    try source.readOriginal(file, 0..<Int(size) + 1, isCancelled: isCancelled) { bytes in
      count += Int64(bytes.count)
      return count <= size && !isCancelled()
    }
    if isCancelled() { throw Self.stopped(name) }
    return count == size ? nil : "the server sent a different number of bytes each time"
  }

  /// Compares the downloaded bytes with the server's hashes of the file.
  /// - Returns: the mismatch; nil if none was found.
  private func verify(_ descriptor: Int32) throws(DownloadFailure) -> String? {
    let known = try source.hashes(of: file)
    if known.values.allSatisfy(\.isEmpty) {
      // Without hashes, check that the file did not change during the download.
      do throws(DownloadFailure) { try source.confirm(file) } catch {
        if case .changed = error { unlinkPart() }
        throw error
      }
      return nil
    }
    for kind in FileHash.allCases {
      guard let expected = known[kind], !expected.isEmpty else { continue }
      guard let found = kind.digest(of: descriptor) else { throw failure() }
      return found == expected.lowercased()
        ? nil : "the download is damaged: its \(kind.rawValue) differs from the server's"
    }
    return nil
  }

  /// Sets the modification time and renames the file into place.
  private func put(_ descriptor: Int32, size: Int64) throws(DownloadFailure) {
    let seconds = Int(
      (Double(file.modified) / 1e9).rounded(.down))
    var times = [timespec(), timespec()]
    times[0].tv_nsec = 0x3FFF_FFFF  // UTIME_NOW (utimensat(2)), which Swift does not see.
    times[1] = timespec(tv_sec: seconds, tv_nsec: Int(file.modified - Int64(seconds) * 1_000_000_000))
    _ = futimens(descriptor, times)
    if isWritten { return }
    guard fsync(descriptor) == 0 else { throw failure() }
    let renamed = part.withPlatformString { part in place.withPlatformString { rename(part, $0) } }
    guard renamed == 0 else { throw failure() }
    cache.add(file.version, at: place, size: size)
  }

  private func unlinkPart() {
    if !isWritten { _ = part.withPlatformString { unlink($0) } }
  }

  /// Returns the failure for an error while writing.
  private func failure(_ reason: Errno = Errno(rawValue: errno)) -> DownloadFailure {
    let place = isWritten ? "" : "can't be saved in \(cache.folder.string): "
    var error = AssetError(name, "\(place)\(reason)")
    error.isOutOfSpace = [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(reason)
    return .failed(error)
  }

  static func stopped(_ name: String) -> DownloadFailure {
    .failed(AssetError(name, "the download was stopped", code: .cancelled))
  }

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

/// A folder on a server from which originals can be downloaded.
///
/// Calls block on the network.
protocol OriginalSource: RemoteSource {
  /// Reads bytes of a file, as `read` does, but throws `DownloadFailure`.
  func readOriginal(
    _ file: RemoteFile, _ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(DownloadFailure)

  /// Returns the server's hashes of a file; empty if it has none.
  func hashes(of file: RemoteFile) throws(DownloadFailure) -> [FileHash: String]

  /// Asks the server whether a file is unchanged since it was listed.
  /// - Throws: `DownloadFailure.changed` if it has changed or is gone.
  func confirm(_ file: RemoteFile) throws(DownloadFailure)
}

/// Why a download failed.
enum DownloadFailure: Error {
  /// The file has changed on the server, or is gone.
  case changed(AssetError)
  case failed(AssetError)

  /// The error to report.
  var error: AssetError {
    switch self {
    case .changed(let error), .failed(let error): error
    }
  }
}

extension FileHash {
  private static let chunk = 1 << 20

  /// Computes the hash of an open file, in lower-case hexadecimal digits; nil if the file can't be read.
  fileprivate func digest(of descriptor: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var hash = RunningHash(self)
    var offset = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { break }
      hash.update(buffer[..<count])
      offset += count
    }
    return hash.finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

/// An incrementally computed hash.
private struct RunningHash {
  private enum State {
    case sha256(SHA2_CTX)
    case sha1(SHA1_CTX)
    case md5(MD5_CTX)
  }

  private var state: State

  init(_ kind: FileHash) {
    switch kind {
    case .sha256:
      var context = SHA2_CTX()
      SHA256Init(&context)
      state = .sha256(context)
    case .sha1:
      var context = SHA1_CTX()
      SHA1Init(&context)
      state = .sha1(context)
    case .md5:
      var context = MD5_CTX()
      MD5Init(&context)
      state = .md5(context)
    }
  }

  mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { bytes in
      switch state {
      case .sha256(var context):
        SHA256Update(&context, bytes.baseAddress, bytes.count)
        state = .sha256(context)
      case .sha1(var context):
        SHA1Update(&context, bytes.baseAddress, bytes.count)
        state = .sha1(context)
      case .md5(var context):
        MD5Update(&context, bytes.baseAddress, bytes.count)
        state = .md5(context)
      }
    }
  }

  mutating func finish() -> [UInt8] {
    switch state {
    case .sha256(var context):
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
      SHA256Final(&digest, &context)
      return digest
    case .sha1(var context):
      var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_LENGTH))
      SHA1Final(&digest, &context)
      return digest
    case .md5(var context):
      var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
      MD5Final(&digest, &context)
      return digest
    }
  }
}
