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
    if range.lowerBound > 0 { try checkRanges(file, range, isCancelled: isCancelled) }
    try stream(file, range, isCancelled: isCancelled, take: take)
  }

  /// A file as it was listed.
  struct KnownFile {
    var path: String
    var size: Int64
    var modified: Int64?
  }

  /// The bytes of a range, again from where it broke off.
  func stream(
    _ file: KnownFile, _ range: Range<Int64>, isCancelled: () -> Bool, take: (UnsafeRawBufferPointer) -> Bool
  ) throws(RcloneError) {
    var taken = range.lowerBound
    var before = taken
    var isStopped = false
    try trying(
      file.path, isCancelled: isCancelled,
      hasProgress: {
        defer { before = taken }
        return taken > before
      }
    ) { daemon, session throws(RequestFailure) in
      try stream(file, taken..<range.upperBound, daemon, session, isCancelled: isCancelled) { bytes in
        taken += Int64(bytes.count)
        isStopped = !take(bytes)
        return !isStopped
      }
      // Shorter than its length says.
      if taken < range.upperBound, !isStopped {
        throw RequestFailure(RcloneError(.unreachable, name(of: file.path), "the connection broke off"))
      }
    }
  }

  /// One try.
  private func stream(
    _ file: KnownFile, _ range: Range<Int64>, _ daemon: RcloneDaemon, _ session: HTTPSession,
    isCancelled: () -> Bool, take: (UnsafeRawBufferPointer) -> Bool
  ) throws(RequestFailure) {
    let request = HTTPRequest(
      url: daemon.address + URLPath.path(of: file.path, in: engineName), user: RcloneDaemon.user,
      password: daemon.password, body: nil, range: range, idleTimeout: settings.patience)
    var left = range.upperBound - range.lowerBound
    var problem: RcloneError.Kind?
    var message: [UInt8] = []
    let result = session.perform(request, isCancelled: { isGivenUp(isCancelled) }) { head, bytes in
      guard head.status == 200 || head.status == 206 else {
        message += bytes.prefix(max(0, Self.longestError - message.count))
        return message.count < Self.longestError
      }
      problem = Self.problem(with: head, file, range)
      if problem != nil { return false }
      // A server that sends the whole file is listened to as long as it is of use.
      let wanted = bytes.prefix(Int(min(left, Int64(bytes.count))))
      left -= Int64(wanted.count)
      guard take(UnsafeRawBufferPointer(rebasing: wanted)) else { return false }
      return waitForBytes(wanted.count, isCancelled: { isGivenUp(isCancelled) }) && left > 0
    }
    if isGivenUp(isCancelled) { throw RequestFailure(RcloneError(.cancelled, name(of: file.path))) }
    if result.ending == .answered, result.head.status == 200 || result.head.status == 206 {
      // Where no byte came.
      problem = problem ?? Self.problem(with: result.head, file, range)
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
  static func problem(with head: HTTPHead, _ file: KnownFile, _ range: Range<Int64>) -> RcloneError.Kind? {
    // Dates of HTTP are whole seconds; some servers round them.
    if let modified = file.modified, let found = head.lastModified,
      abs(found - modified / 1_000_000_000) > 1
    {
      return .changed
    }
    if head.status == 206 {
      guard let sent = head.contentRange else {
        // Of a file that is empty now rclone sends the bytes "0--1".
        let wanted = range.upperBound - range.lowerBound
        return head.contentLength.map { $0 == wanted } ?? true ? .failed : .changed
      }
      if let total = sent.total, total != file.size { return .changed }
      return sent.bytes.lowerBound == range.lowerBound ? nil : .rangeIgnored
    }
    if range.lowerBound > 0 { return .rangeIgnored }
    if let length = head.contentLength, length != file.size { return .changed }
    return nil
  }
}
