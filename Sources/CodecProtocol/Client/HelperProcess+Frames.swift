extension HelperProcess {
  /// How a request for a frame ended.
  enum FrameEnding {
    case frame(HelperFrames.Frame, playCount: UInt32)
    case end
    /// The helper says why there is none, or it could not be asked; it is free for another file.
    case failed(CodecError)
    /// Nobody waits any more; `isFree` where the helper has finished with it all the same.
    case cancelled(isFree: Bool)
    /// The file killed the helper, or the helper broke the protocol on it.
    case died
    case hung
  }

  /// Has the helper close what it plays.
  /// - Returns: whether it can be used for something else.
  func stop() -> Bool { send(WireWriter.frame { CodecRequest.stop.write(to: &$0) }, with: []) == 0 }

  /// Asks for a frame.
  /// - Parameter descriptor: the file to begin with; nil = go on with the last one.
  func frame(
    _ request: FramesRequest, _ descriptor: Int32?, _ skip: FrameTimes, number: UInt32, deadline: Duration,
    isCancelled: () -> Bool
  ) -> FrameEnding {
    let seconds = Self.seconds(of: deadline)
    let message: CodecRequest =
      descriptor == nil
      ? .nextFrame(skip, seconds: seconds, number: number)
      : .frames(request, skip, seconds: seconds, number: number)
    return
      switch exchange(
        message, descriptor, maxPixels: request.maxPixels, deadline: deadline, isCancelled: isCancelled)
    {
    case .answer(.frame(_, let start, let duration, let playCount, _), let pictures) where pictures.count == 1:
      .frame(HelperFrames.Frame(picture: pictures[0], start: start, duration: duration), playCount: playCount)
    case .answer(.endOfFrames, _): .end
    case .answer(.failure(let error, _), _): .failed(error)
    case .refused(let reason): .failed(.unreadable(reason))
    case .failed(let error): .failed(error)
    case .cancelled(let isFree): .cancelled(isFree: isFree)
    case .answer, .died: .died
    case .hung: .hung
    }
  }
}
