import Synchronization

extension RcloneRemote {
  /// The bytes of a file, as they come.
  ///
  /// Waits. Where a connection breaks off, it goes on behind what has come.
  /// - Parameters:
  ///   - path: of the file in the remote.
  ///   - range: which bytes.
  ///   - size: how long the file is known to be.
  ///   - modified: when it is known to have been changed, in nanoseconds since 1970; nil = not to be compared. Versions of
  ///     rclone that don't tell the time with the bytes (1.60 does not) can't compare it.
  ///   - isCancelled: asked on the calling thread, at least every 200 milliseconds.
  ///   - take: gets the bytes in their order, and answers whether to go on; where it does not want to, the call returns.
  /// - Throws: `.rangeIgnored` where the server sends whole files only and the range does not begin with the file, `.changed`
  ///   where the file is none of that size or time any more.
  package func read(
    _ path: String, range: Range<Int64>, of size: Int64, modified: Int64?, isCancelled: @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(RcloneError) {
    guard range.lowerBound >= 0, range.upperBound <= size else { throw RcloneError(.changed, name(of: path)) }
    guard !range.isEmpty else { return }
    let file = KnownFile(path: path, size: size, modified: modified)
    if range.lowerBound == 0, range.upperBound <= Self.reach, range.upperBound < size,
      knownRanges.withLock({ $0 == nil })
    {
      return try readBeginning(of: file, range, isCancelled: isCancelled, take: take)
    }
    if range != 0..<size {
      let sendsRanges = try sendsRanges(file, range, isCancelled: isCancelled)
      if !sendsRanges, range.lowerBound > 0 { throw RcloneError(.rangeIgnored, name(of: path)) }
    } else if size > Self.reach {
      // To go on where it breaks off. What does not tell is read from its beginning again.
      do throws(RcloneError) {
        _ = try sendsRanges(file, range, isCancelled: isCancelled)
      } catch {
        if error.kind != .rangeIgnored { throw error }
      }
    }
    try stream(file, range, isCancelled: isCancelled, take: take)
  }

  /// The bytes of a file of which the server does not tell how many there are, as they come, to their end.
  ///
  /// Waits. Where a connection breaks off, the file is asked for again, and goes on behind what has come; where rclone ends the
  /// answer as though it were whole, that does not show.
  /// - Parameters:
  ///   - range: which bytes, as far as there are any: what lies before is read and dropped.
  ///   - isCancelled, take, modified: as `read` has them.
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
    /// As far as it is read, where its length is not known.
    var size: Int64
    var modified: Int64?
    var knowsSize = true
  }

  /// The bytes of a range, again from where it broke off.
  /// - Parameters:
  ///   - isRanged: whether the server is asked for these bytes alone; nil = where it is known to send them.
  ///   - isOnce: whether it is not to be tried again.
  func stream(
    _ file: KnownFile, _ range: Range<Int64>, isRanged: Bool? = nil, isOnce: Bool = false,
    isCancelled: () -> Bool, take: (UnsafeRawBufferPointer) -> Bool
  ) throws(RcloneError) {
    let isShort = range.upperBound - range.lowerBound <= Self.longestBeginning
    let remote = isShort && range != 0..<file.size ? try quickName() : engineName
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
      let isRanged = isRanged ?? knownRanges.withLock { $0 == true }
      try stream(
        file, taken..<range.upperBound, of: remote, isRanged: isRanged, daemon, session,
        isCancelled: isCancelled
      ) { bytes in
        taken += Int64(bytes.count)
        noteAnswer()
        isStopped = !take(bytes)
        return !isStopped
      }
      // Shorter than its length says.
      if taken < range.upperBound, !isStopped, file.knowsSize {
        throw RequestFailure(RcloneError(.unreachable, name(of: file.path), "the connection broke off"))
      }
    }
  }

  /// One try.
  ///
  /// A file that is not asked for by a range comes from its beginning; what is not wanted is dropped.
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
      // What sends the whole file is listened to as long as it is of use.
      let wanted = bytes.dropFirst(first).prefix(Int(min(left, Int64(bytes.count))))
      if wanted.isEmpty { return waitForBytes(bytes.count, isCancelled: { isGivenUp(isCancelled) }) }
      left -= Int64(wanted.count)
      guard take(UnsafeRawBufferPointer(rebasing: wanted)) else { return false }
      return waitForBytes(wanted.count, isCancelled: { isGivenUp(isCancelled) }) && left > 0
    }
    if isGivenUp(isCancelled) { throw RequestFailure(RcloneError(.cancelled, name(of: file.path))) }
    if result.ending == .answered, result.head.status == 200 || result.head.status == 206 {
      // Where no byte came.
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

  /// Why the bytes of an answer are not those that were asked for; nil where they are.
  /// - Parameter range: what was asked for; nil = the whole file.
  static func problem(with head: HTTPHead, _ file: KnownFile, _ range: Range<Int64>?) -> RcloneError.Kind? {
    // Dates of HTTP are whole seconds; some servers round them.
    if let modified = file.modified, let found = head.lastModified,
      abs(found - modified / 1_000_000_000) > 1
    {
      return .changed
    }
    if head.status == 206, let range {
      guard let sent = head.contentRange else {
        // Of a file that is empty now rclone sends the bytes "0--1".
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
