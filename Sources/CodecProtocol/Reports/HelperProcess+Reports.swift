import System

extension HelperProcess {
  /// How a request for reports ended.
  enum ReportsEnding {
    /// Every file has its answer.
    case finished
    /// The helper was not asked, or says why there is no answer; it is free for other files.
    case failed(CodecError)
    /// Nobody waits any more.
    case cancelled
    /// One of the files without an answer killed the helper, or the helper broke the protocol on it.
    case died
    case hung
  }

  /// Asks what files say of themselves, all in one message.
  /// - Parameters:
  ///   - deadline: how long the helper may be silent.
  ///   - isCancelled: asked every few milliseconds on the calling thread.
  ///   - deliver: takes the answers, in the order of the files; false where one makes no sense.
  func reports(
    on files: ArraySlice<ReportedFile>, deadline: Duration, isCancelled: @escaping () -> Bool,
    _ deliver: (_ bytes: [UInt8], _ range: Range<Int>) -> Bool
  ) -> ReportsEnding {
    let request = CodecRequest.reports(files.map(\.request), seconds: Self.seconds(of: deadline), number: 0)
    switch send(WireWriter.frame { request.write(to: &$0) }, with: files.map(\.descriptor)[...]) {
    case 0: break
    case EBADF: return .failed(.unreadable(String(cString: strerror(EBADF))))
    // Too many of this user's are on their way.
    case ETOOMANYREFS: return .failed(.noDescriptors)
    default: return .died
    }
    let inbox = makeInbox()
    var answered = 0
    while answered < files.count {
      switch inbox.receive(within: deadline, isCancelled: isCancelled) {
      case .answer(.reports(let part, number: 0)):
        guard let ranges = part.ranges, ranges.count <= files.count - answered else { return .died }
        for range in ranges where !deliver(part.bytes, range) { return .died }
        answered += ranges.count
      case .answer(.failure(let error, number: 0)):
        return answered == 0 && inbox.isEmpty ? .failed(error) : .died
      case .nothing: return .hung
      case .cancelled: return .cancelled
      case .answer, .end: return .died
      }
    }
    return inbox.isEmpty ? .finished : .died
  }
}
