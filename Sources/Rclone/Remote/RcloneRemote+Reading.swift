import Synchronization

extension RcloneRemote {
  /// Reads a range of a file and passes the bytes on as they arrive.
  ///
  /// Blocks. Resumes at the next byte after an interrupted connection.
  /// - Parameters:
  ///   - path: the file's path in the remote.
  ///   - range: the bytes to read.
  ///   - size: the known size of the file.
  ///   - modified: the known modification time in nanoseconds since 1970; nil = not compared. Versions of
  ///     rclone that don't send the time with the bytes, such as 1.60, can't be checked.
  ///   - isCancelled: called on the calling thread at least every 200 milliseconds.
  ///   - take: receives the bytes in order; false stops reading, and the call returns.
  /// - Throws: `.rangeIgnored` if the server sends only whole files and the range does not start at 0;
  ///   `.changed` if size or time of the file differ from the known ones.
  package func read(
    _ path: String, range: Range<Int64>, of size: Int64, modified: Int64?, isCancelled: @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(RcloneError) {
    guard range.lowerBound >= 0, range.upperBound <= size else { throw RcloneError(.changed, name(of: path)) }
    guard !range.isEmpty else { return }
    let file = KnownFile(path: path, size: size, modified: modified)
    if range.lowerBound == 0, range.upperBound <= Self.reach, range.upperBound < size,
      knownRangeSupport.withLock({ $0 == nil })
    {
      return try readPrefix(of: file, range, isCancelled: isCancelled, take: take)
    }
    if range != 0..<size {
      let supportsRanges = try supportsRanges(file, range, isCancelled: isCancelled)
      if !supportsRanges, range.lowerBound > 0 { throw RcloneError(.rangeIgnored, name(of: path)) }
    } else if size > Self.reach {
      // Range support is needed to resume after an interruption. If it can't be determined, a retry starts
      // from the first byte.
      do throws(RcloneError) {
        _ = try supportsRanges(file, range, isCancelled: isCancelled)
      } catch {
        if error.kind != .rangeIgnored { throw error }
      }
    }
    try stream(file, range, isCancelled: isCancelled, take: take)
  }

  /// Reads a file whose size the server does not report, up to its end.
  ///
  /// Blocks. After an interrupted connection, requests the file again and skips the bytes already received.
  /// If rclone ends the response as if it were complete, the interruption goes unnoticed.
  /// - Parameters:
  ///   - range: the bytes to read, as far as the file has them; bytes before the range are downloaded and
  ///     dropped.
  ///   - isCancelled, take, modified: as in `read`.
  package func readToEnd(
    _ path: String, _ range: Range<Int64>, modified: Int64?, isCancelled: @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(RcloneError) {
    guard range.lowerBound >= 0, !range.isEmpty else { return }
    let file = KnownFile(path: path, size: range.upperBound, modified: modified, knowsSize: false)
    try stream(file, range, isRanged: false, isCancelled: isCancelled, take: take)
  }

  /// A file as it was listed.
  struct KnownFile {
    var path: String
    /// If `knowsSize` is false, the offset up to which to read.
    var size: Int64
    var modified: Int64?
    var knowsSize = true
  }

  /// Reads a range, and resumes after interruptions.
  /// - Parameters:
  ///   - isRanged: whether to send a range request; nil = only if the server is known to support ranges.
  ///   - isOnce: whether to make only one attempt.
  func stream(
    _ file: KnownFile, _ range: Range<Int64>, isRanged: Bool? = nil, isOnce: Bool = false,
    isCancelled: () -> Bool, take: (UnsafeRawBufferPointer) -> Bool
  ) throws(RcloneError) {
    let isShort = range.upperBound - range.lowerBound <= Self.longestUnbufferedRange
    let remote = isShort && range != 0..<file.size ? try rangedRemoteName() : engineName
    var taken = range.lowerBound
    var before = taken
    var isStopped = false
    try trying(
      file.path, isCancelled: isCancelled, isOnce: isOnce,
      hasProgress: {
        defer { before = taken }
        return taken > before
      }
    ) { daemon, session throws(RequestFailure) in
      let isRanged = isRanged ?? knownRangeSupport.withLock { $0 == true }
      try stream(
        file, taken..<range.upperBound, of: remote, isRanged: isRanged, daemon, session,
        isCancelled: isCancelled
      ) { bytes in
        taken += Int64(bytes.count)
        noteAnswer()
        isStopped = !take(bytes)
        return !isStopped
      }
      // The response was shorter than the file's known size.
      if taken < range.upperBound, !isStopped, file.knowsSize {
        throw RequestFailure(RcloneError(.unreachable, name(of: file.path), "the connection was interrupted"))
      }
    }
  }

  /// Makes one attempt.
  ///
  /// Without a range request the file is sent from its first byte; unwanted bytes are dropped.
  private func stream(
    _ file: KnownFile, _ range: Range<Int64>, of remote: String, isRanged: Bool, _ daemon: RcloneDaemon,
    _ session: HTTPSession, isCancelled: () -> Bool, take: (UnsafeRawBufferPointer) -> Bool
  ) throws(RequestFailure) {
    let request = HTTPRequest(
      url: daemon.address + URLPath.path(of: file.path, in: remote), user: RcloneDaemon.user,
      password: daemon.password, body: nil, range: isRanged ? range : nil, idleTimeout: settings.patience)
    var left = range.upperBound - range.lowerBound
    var dropped = isRanged ? 0 : range.lowerBound
    var problem: RcloneError.Kind?
    var message: [UInt8] = []
    let result = session.perform(request, isCancelled: { isGivenUp(isCancelled) }) { head, bytes in
      guard head.status == 200 || head.status == 206 else {
        message += bytes.prefix(max(0, Self.longestError - message.count))
        return message.count < Self.longestError
      }
      problem = Self.problem(with: head, file, isRanged ? range : nil)
      if problem != nil { return false }
      let first = Int(min(dropped, Int64(bytes.count)))
      dropped -= Int64(first)
      // A server that sends the whole file is read only until the range is complete.
      let wanted = bytes.dropFirst(first).prefix(Int(min(left, Int64(bytes.count))))
      if wanted.isEmpty { return waitForBytes(bytes.count, isCancelled: { isGivenUp(isCancelled) }) }
      left -= Int64(wanted.count)
      guard take(UnsafeRawBufferPointer(rebasing: wanted)) else { return false }
      return waitForBytes(wanted.count, isCancelled: { isGivenUp(isCancelled) }) && left > 0
    }
    if isGivenUp(isCancelled) { throw RequestFailure(RcloneError(.cancelled, name(of: file.path))) }
    if result.ending == .answered, result.head.status == 200 || result.head.status == 206 {
      // The response had no body, so `take` was not called.
      problem = problem ?? Self.problem(with: result.head, file, isRanged ? range : nil)
    }
    if let problem { throw RequestFailure(RcloneError(problem, name(of: file.path))) }
    if left == 0 { return }
    if let failure = failure(of: result, file.path, daemon) { throw failure }
    switch result.head.status {
    case 200, 206: break
    case 416: throw RequestFailure(RcloneError(.changed, name(of: file.path)))
    default: throw failure(in: message, result.head, file.path)
    }
  }

  /// Checks whether a response contains the requested bytes.
  /// - Parameter range: the requested range; nil = the whole file.
  /// - Returns: the mismatch; nil if the bytes are the requested ones.
  static func problem(with head: HTTPHead, _ file: KnownFile, _ range: Range<Int64>?) -> RcloneError.Kind? {
    // HTTP dates have whole seconds, and some servers round them.
    if let modified = file.modified, let found = head.lastModified,
      abs(found - modified / 1_000_000_000) > 1
    {
      return .changed
    }
    if head.status == 206, let range {
      guard let sent = head.contentRange else {
        // For a file that is now empty, rclone sends "0--1" as the range.
        let wanted = range.upperBound - range.lowerBound
        return head.contentLength.map { $0 == wanted } ?? true ? .failed : .changed
      }
      if let total = sent.total, total != file.size { return .changed }
      return sent.bytes.lowerBound == range.lowerBound ? nil : .rangeIgnored
    }
    if let range, range.lowerBound > 0 { return .rangeIgnored }
    if file.knowsSize, let length = head.contentLength, length != file.size { return .changed }
    return nil
  }
}
