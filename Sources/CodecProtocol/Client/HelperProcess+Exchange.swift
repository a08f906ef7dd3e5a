import System

extension HelperProcess {
  /// How a request with one answer ended.
  enum Exchange {
    /// The answer, and the pictures that came with it.
    case answer(CodecAnswer, [DecodedPicture])
    /// The descriptor could not be handed over. The reason as words.
    case refused(String)
    /// There is no memory for the picture, or no descriptor for the memory; or all helpers have too much.
    case failed(CodecError)
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
  /// The same of a helper that looks whether it was called off, on a machine that is busy.
  private static let longGrace: Duration = .milliseconds(500)

  /// Sends a request and waits for its answer.
  /// - Parameters:
  ///   - descriptor: the file that goes with the request; nil = none.
  ///   - maxPixels: pictures have no room for more, and of more none is believed; unused where the answer has none.
  ///   - isCancelled: asked every few milliseconds on the calling thread.
  func exchange(
    _ request: CodecRequest, _ descriptor: Int32?, maxPixels: Int, deadline: Duration, isCancelled: () -> Bool
  ) -> Exchange {
    let memory: SharedMemory?
    do throws(CodecError) {
      memory = request.hasOutput ? try SharedMemory(pixels: maxPixels) : nil
    } catch { return .failed(error) }
    let message = WireWriter.frame { request.write(to: &$0) }
    switch send(message, with: [descriptor, memory?.descriptor].compactMap { $0 }[...]) {
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
    case .answer(let answer): return take(answer, to: request, memory, inbox, maxPixels)
    case .cancelled:
      if request.canBeCancelled {
        _ = send(WireWriter.frame { CodecRequest.cancel.write(to: &$0) }, with: [])
      }
      let grace = request.canBeCancelled ? Self.longGrace : Self.grace
      guard case .answer(let answer) = inbox.receive(within: grace) else {
        return .cancelled(isFree: false)
      }
      return switch take(answer, to: request, memory, inbox, maxPixels) {
      case .answer, .failed: .cancelled(isFree: true)
      case .refused, .cancelled, .died, .hung: .cancelled(isFree: false)
      }
    case .nothing: return .hung
    case .end: return budget.hasEnded(identifier) ? .failed(.noMemory) : .died
    }
  }

  /// Believes an answer that keeps to the protocol.
  private func take(
    _ answer: CodecAnswer, to request: CodecRequest, _ memory: SharedMemory?, _ inbox: HelperInbox,
    _ maxPixels: Int
  ) -> Exchange {
    guard answer.number == request.number, inbox.isEmpty else { return .died }
    let pictures = answer.pictures
    // Where there is no picture nothing is kept either: a helper that fills memory again and again gets no more of it.
    let kept = pictures.map { $0.offset + ($0.facts.byteCount ?? 0) }.max() ?? 0
    if let memory, !memory.seal(keeping: kept) { return .died }
    if pictures.isEmpty { return .answer(answer, []) }
    noteHanded(kept)
    guard let memory, kept <= memory.byteCount else { return .died }
    var decoded: [DecodedPicture] = []
    for (facts, offset) in pictures {
      guard facts.width <= maxPixels / facts.height else { return .died }
      guard let picture = DecodedPicture(facts, in: memory, at: offset) else { return .failed(.noMemory) }
      decoded.append(picture)
    }
    return .answer(answer, decoded)
  }
}

extension CodecAnswer {
  /// The number of the request that is answered; nil for the greeting.
  fileprivate var number: UInt32? {
    switch self {
    case .facts(_, let number), .picture(_, let number), .frame(_, _, _, _, let number),
      .endOfFrames(let number), .rendering(_, let number), .thumbnail(_, let number),
      .reports(_, let number), .failure(_, let number):
      number
    case .ready: nil
    }
  }

  /// The pictures whose pixels come along, and where in the memory they begin.
  fileprivate var pictures: [(facts: PictureFacts, offset: Int)] {
    switch self {
    case .picture(let facts, _), .frame(let facts, _, _, _, _): [(facts, 0)]
    case .rendering(let facts, _):
      Array(zip([facts.picture] + (facts.thumbnail.map { [$0] } ?? []), facts.offsets))
    case .thumbnail(let facts, _): facts.picture.map { [($0, 0)] } ?? []
    case .facts, .endOfFrames, .reports, .failure, .ready: []
    }
  }
}

extension CodecRequest {
  /// Whether the helper looks for `cancel` while it works on the request.
  fileprivate var canBeCancelled: Bool {
    switch self {
    case .rendering: true
    case .facts, .picture, .frames, .nextFrame, .thumbnail, .stop, .cancel, .reports: false
    }
  }
}
