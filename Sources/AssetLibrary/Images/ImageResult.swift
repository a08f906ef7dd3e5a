public import Pixels

/// One answer to an image request.
public struct ImageResult: Sendable {
  /// What the answer brings.
  public enum Content: Sendable {
    /// A picture. `note` says in words what is missing from it (a file that ends early).
    case image(PixelBuffer, isDegraded: Bool, note: String?)
    /// No picture, and why.
    case failed(AssetError)
    /// No picture, because the request was cancelled.
    case cancelled
  }

  public var requestID: ImageRequestID
  public var content: Content
  /// Whether the original is only remote, and was not fetched for this answer.
  public var isInCloud: Bool
  /// Whether no other answer follows: true once for every request.
  public var isLast: Bool

  public init(requestID: ImageRequestID, content: Content, isInCloud: Bool = false, isLast: Bool) {
    self.requestID = requestID
    self.content = content
    self.isInCloud = isInCloud
    self.isLast = isLast
  }

  /// Whether this is the picture that was asked for: not degraded, no error, not cancelled.
  public var isFinal: Bool { if case .image(_, isDegraded: false, _) = content { true } else { false } }
}
