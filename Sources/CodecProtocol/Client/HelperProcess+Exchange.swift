#if canImport(Glibc)
  import Glibc
#endif

extension HelperProcess {
  /// How a request with one answer ended.
  enum Exchange {
    /// The answer, and the picture that came with it.
    case answer(CodecAnswer, DecodedPicture?)
    /// The descriptor could not be handed over. The reason as words.
    case refused(String)
    /// The picture could not be taken: too many files are open.
    case noDescriptors
    /// Nobody waits any more; `isFree` where the helper has finished with it all the same.
    case cancelled(isFree: Bool)
    /// The file killed the helper, or the helper broke the protocol on it.
    case died
    case hung
  }

  /// What the helper is told to give up after, in seconds: later than tpick, for a helper that hangs when tpick is gone.
  static func seconds(of deadline: Duration) -> UInt32 { UInt32(clamping: deadline.components.seconds + 10) }

  /// An answer that comes so soon after it was called off costs less than another helper's start.
  private static let grace: Duration = .milliseconds(50)

  /// Sends a request and waits for its answer.
  /// - Parameters:
  ///   - descriptor: the file that goes with the request; nil = none.
  ///   - maxPixels: a picture of more is not believed.
  ///   - isCancelled: asked every few milliseconds on the calling thread.
  func exchange(
    _ request: CodecRequest, _ descriptor: Int32?, maxPixels: Int, deadline: Duration, isCancelled: () -> Bool
  ) -> Exchange {
    let message = WireWriter.frame { request.write(to: &$0) }
    switch send(message, with: (descriptor.map { [$0] } ?? [])[...]) {
    case 0: break
    case let failure where failure == EBADF || failure == ETOOMANYREFS:
      return .refused(String(cString: strerror(failure)))
    default: return .died
    }
    let inbox = makeInbox()
    let arrival = withoutActuallyEscaping(isCancelled) {
      inbox.receive(within: deadline, isCancelled: $0)
    }
    switch arrival {
    case .answer(let answer):
      guard answer.number == request.number else { return .died }
      guard let facts = answer.picture else { return inbox.isEmpty ? .answer(answer, nil) : .died }
      if inbox.hasLostDescriptor, inbox.isEmpty { return .noDescriptors }
      guard let arrived = inbox.takeDescriptor(), inbox.isEmpty else { return .died }
      defer { close(arrived) }
      guard facts.width <= maxPixels / facts.height,
        let picture = DecodedPicture(facts, descriptor: arrived)
      else { return .died }
      return .answer(answer, picture)
    case .cancelled: return .cancelled(isFree: finishes(request, inbox))
    case .nothing: return .hung
    case .end: return .died
    }
  }

  /// Whether an answer that nobody needs any more comes soon.
  private func finishes(_ request: CodecRequest, _ inbox: HelperInbox) -> Bool {
    guard case .answer(let answer) = inbox.receive(within: Self.grace), answer.number == request.number
    else { return false }
    if answer.picture != nil, !inbox.hasLostDescriptor {
      guard let arrived = inbox.takeDescriptor() else { return false }
      close(arrived)
    }
    return inbox.isEmpty
  }
}

extension CodecAnswer {
  /// The number of the request that is answered; nil for the greeting.
  fileprivate var number: UInt32? {
    switch self {
    case .facts(_, let number), .picture(_, let number), .frame(_, _, _, _, let number),
      .endOfFrames(let number), .failure(_, let number):
      number
    case .ready: nil
    }
  }

  /// The picture whose pixels come along.
  fileprivate var picture: PictureFacts? {
    switch self {
    case .picture(let facts, _), .frame(let facts, _, _, _, _): facts
    case .facts, .endOfFrames, .failure, .ready: nil
    }
  }
}
