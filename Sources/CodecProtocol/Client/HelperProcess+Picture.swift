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

  /// Asks for the pixels of an open file.
  func decode(
    _ descriptor: Int32, _ request: DecodeRequest, deadline: Duration, isCancelled: () -> Bool
  ) -> PictureEnding {
    let message = CodecRequest.picture(request, seconds: Self.seconds(of: deadline), number: 0)
    return
      switch exchange(
        message, descriptor, maxPixels: request.mostPixels, deadline: deadline, isCancelled: isCancelled)
    {
    case .answer(.picture, let pictures) where pictures.count == 1: .picture(pictures[0])
    case .answer(.failure(let error, _), _): .failed(error)
    case .answer, .died: .died
    case .refused(let reason): .refused(reason)
    case .failed(let error): .failed(error)
    case .cancelled(let isFree): .cancelled(isFree: isFree)
    case .hung: .hung
    }
  }
}
