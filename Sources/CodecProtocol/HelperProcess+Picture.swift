#if canImport(Glibc)
  import Glibc
#endif

extension HelperProcess {
  /// How a request for a picture ended.
  enum PictureEnding {
    case picture(DecodedPicture)
    /// The helper says why there is none.
    case failed(CodecError)
    /// The descriptor could not be handed over. The reason as words.
    case refused(String)
    /// Nobody waits any more; `isFree` where the helper has finished with it all the same.
    case cancelled(isFree: Bool)
    /// The file killed the helper, or the helper broke the protocol on it.
    case died
    case hung
  }

  /// A decode that ends so soon after it was called off costs less than another helper's start.
  private static let grace: Duration = .milliseconds(50)

  /// Asks for the pixels of an open file.
  func decode(
    _ descriptor: Int32, _ request: DecodeRequest, deadline: Duration, isCancelled: () -> Bool
  ) -> PictureEnding {
    let seconds = UInt32(clamping: deadline.components.seconds + 10)
    let message = WireWriter.frame {
      CodecRequest.picture(request, seconds: seconds, number: 0).write(to: &$0)
    }
    switch send(message, with: [descriptor]) {
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
    case .answer(.picture(let facts, number: 0)):
      guard let arrived = inbox.takeDescriptor(), inbox.isEmpty else { return .died }
      defer { close(arrived) }
      guard facts.width <= request.maxPixels / facts.height,
        let picture = DecodedPicture(facts, descriptor: arrived)
      else { return .died }
      return .picture(picture)
    case .answer(.failure(let error, number: 0)): return inbox.isEmpty ? .failed(error) : .died
    case .cancelled: return .cancelled(isFree: finishes(inbox))
    case .nothing: return .hung
    case .answer, .end: return .died
    }
  }

  /// Whether an answer that nobody needs any more comes soon.
  private func finishes(_ inbox: HelperInbox) -> Bool {
    switch inbox.receive(within: Self.grace) {
    case .answer(.picture(_, number: 0)):
      guard let arrived = inbox.takeDescriptor() else { return false }
      close(arrived)
    case .answer(.failure(_, number: 0)): break
    case .answer, .nothing, .cancelled, .end: return false
    }
    return inbox.isEmpty
  }
}
