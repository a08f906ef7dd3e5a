import AssetLibrary

/// Whom the answers to a request go to.
enum AnswerReceiver: Sendable {
  case image(@Sendable (ImageResult) -> Void)
  case data(@Sendable (ImageDataResult) -> Void)

  /// Gives an answer to the handler.
  /// - Parameter name: what messages call the asset.
  func receive(_ answer: RequestAnswer, _ outcome: ImageOutcome, of name: String) {
    let refusal = AssetError(name, "its original is not on this machine, and the network may not be used")
    switch self {
    case .image(let handler):
      let content: ImageResult.Content =
        switch (answer.content, outcome) {
        case (.unreachable, _): .failed(refusal)
        case (_, .picture(let pixels, let isDegraded, let note)):
          .image(pixels, isDegraded: isDegraded, note: note)
        case (_, .failure(let error)): .failed(error)
        case (_, .data), (_, .nothing): .cancelled
        }
      handler(
        ImageResult(
          requestID: answer.id, content: content,
          isInCloud: answer.isInCloud || answer.content == .unreachable, isLast: answer.isLast))
    case .data(let handler):
      let content: ImageDataResult.Content =
        switch (answer.content, outcome) {
        case (.unreachable, _): .failed(refusal)
        case (_, .data(let bytes, let resource)):
          .data(
            bytes, uniformTypeIdentifier: resource.uniformTypeIdentifier, orientation: resource.orientation)
        case (_, .failure(let error)): .failed(error)
        case (_, .picture), (_, .nothing): .cancelled
        }
      handler(
        ImageDataResult(
          requestID: answer.id, content: content, isInCloud: answer.content == .unreachable))
    }
  }

  /// Tells the handler that the request was cancelled.
  func cancel(_ id: ImageRequestID) {
    receive(RequestAnswer(id: id, content: .outcome, isLast: true), .nothing, of: "")
  }
}
