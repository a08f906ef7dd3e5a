import AssetLibrary
import CMD5
import FolderLibrary
import Pixels
import System
import SystemPackage

/// Brings one file of a server: into a file of parts first, which goes on where it was broken off, and under its own name
/// once it is whole.
///
/// One process at a time does so for a file; another one waits, and finds the file there.
struct OriginalDownload {
  let source: any OriginalSource
  let file: RemoteFile
  let cache: OriginalsCache
  /// Whether it goes into an open file of the caller's, and is not kept.
  private var isWritten = false

  init(source: any OriginalSource, file: RemoteFile, cache: OriginalsCache) {
    (self.source, self.file, self.cache) = (source, file, cache)
  }

  /// A file of unknown length may have so many bytes, however few originals are kept.
  private static let leastLimit: Int64 = 64 << 20

  /// In messages: the user knows nothing of the file in the cache.
  private var name: String { source.subject(file.path) }
  private var place: FilePath { source.path.appendingBytes(file.path) }
  private var part: FilePath { cache.parts.appending(String(file.version, radix: 16)) }

  /// Brings the file.
  /// - Parameters:
  ///   - isCancelled: asked every moment.
  ///   - progress: hears how many bytes are there.
  /// - Throws: `DownloadFailure` when it can't be had, or is another one by now.
  func run(
    isCancelled: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (Int64) -> Void
  ) throws(DownloadFailure) {
    if cache.holds(file.version) { return }
    do {
      try PrivateFolder.make(cache.folder)
      try PrivateFolder.make(cache.parts)
      try PrivateFolder.make(place.removingLastComponent())
    } catch {
      throw .failed(AssetError(name, "can't be kept in \(cache.folder.string): \(error)"))
    }
    let descriptor = part.withPlatformString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw failure() }
    let lock = FileLock(owning: descriptor)
    defer { extendLifetime(lock) }
    // Another process may be bringing the same file.
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
      try bring(to: descriptor, isCancelled: isCancelled, progress: progress)
    } else {
      try bringToEnd(to: descriptor, isCancelled: isCancelled, progress: progress)
    }
  }

  /// Writes the file into an empty open one, compared as one that is kept is, and gives that its date.
  func write(
    into descriptor: Int32, isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (Int64) -> Void
  ) throws(DownloadFailure) {
    var download = self
    download.isWritten = true
    if file.knowsSize {
      try download.bring(to: descriptor, isCancelled: isCancelled, progress: progress)
    } else {
      try download.bringToEnd(to: descriptor, isCancelled: isCancelled, progress: progress)
    }
  }

  /// The length of the file where it is whole and in its place, as it is on the server; else nil.
  private var sizeInPlace: Int64? {
    var status = stat()
    guard place.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let size = Int64(status.st_size)
    // A time that nanoseconds can't hold is not the server's.
    let (nanoseconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let isSame =
      size == file.size && !overflow
      && nanoseconds.addingSaturated(Int64(status.st_mtim.tv_nsec)) == file.modified
    return isSame ? size : nil
  }

  private func bring(
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
        // What is there belongs to another state of the file.
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

  /// Brings a file of unknown length to the end of what the server sends; no longer one than all originals may take, unless that
  /// is little.
  ///
  /// What broke off is no beginning to go on from: nothing says how much is missing.
  private func bringToEnd(
    to descriptor: Int32, isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (Int64) -> Void
  ) throws(DownloadFailure) {
    // Goes with whatever ends it but success.
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
          name, "the server does not tell its length, and it is longer than all originals may be together"))
    }
    var reason = try verify(descriptor)
    if reason == nil { reason = try differsFromSecondReading(written, isCancelled) }
    if let reason { throw .failed(AssetError(name, reason, isTransient: true)) }
    try put(descriptor, size: written)
  }

  /// Reads a file of unknown length again where the server has no hash of it: an answer that broke off ends as a whole one does,
  /// but hardly twice at the same byte.
  /// - Returns: what is wrong with it; nil where nothing is known to be.
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
    return count == size ? nil : "the server sends another number of bytes each time"
  }

  /// Compares what came with the hashes that the server has of the file.
  /// - Returns: what is wrong with it; nil where nothing is known to be.
  private func verify(_ descriptor: Int32) throws(DownloadFailure) -> String? {
    let known = try source.hashes(of: file)
    if known.values.allSatisfy(\.isEmpty) {
      // Its first bytes may be of one state, and the others of the next.
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
        ? nil : "what came is not what the server has (its \(kind.rawValue) is another one)"
    }
    return nil
  }

  /// Gives the file its name.
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

  /// Why a file can't be written.
  private func failure(_ reason: Errno = Errno(rawValue: errno)) -> DownloadFailure {
    let place = isWritten ? "" : "can't be kept in \(cache.folder.string): "
    var error = AssetError(name, "\(place)\(reason)")
    error.isLackOfRoom = [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(reason)
    return .failed(error)
  }

  static func stopped(_ name: String) -> DownloadFailure {
    .failed(AssetError(name, "the download was stopped"))
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

/// Where originals come from: a folder on a server, as a download needs it.
///
/// Its calls wait for the network.
protocol OriginalSource: RemoteSource {
  /// Reads bytes of a file, as `read` does.
  func readOriginal(
    _ file: RemoteFile, _ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(DownloadFailure)

  /// Returns the hashes that the server has of a file; none where it has none.
  func hashes(of file: RemoteFile) throws(DownloadFailure) -> [FileHash: String]

  /// Asks the server whether a file is still the one that was listed.
  /// - Throws: `DownloadFailure.changed` where it is another one, or gone.
  func confirm(_ file: RemoteFile) throws(DownloadFailure)
}

/// Why an original did not come.
enum DownloadFailure: Error {
  /// The file is another one by now, or gone.
  case changed(AssetError)
  case failed(AssetError)

  /// What is said of it.
  var error: AssetError {
    switch self {
    case .changed(let error), .failed(let error): error
    }
  }
}

extension FileHash {
  private static let chunk = 1 << 20

  /// The hash of an open file, in small hexadecimal digits; nil where it can't be read.
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

/// A hash of bytes that come one after the other.
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
