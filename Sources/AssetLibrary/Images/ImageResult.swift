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

/// The one answer to a request for the bytes of an asset.
public struct ImageDataResult: Sendable {
  /// What the answer brings.
  public enum Content: Sendable {
    /// The file's bytes as they are, its format by its content, and how its picture has to be turned.
    case data([UInt8], uniformTypeIdentifier: String, orientation: Orientation)
    case failed(AssetError)
    case cancelled
  }

  public var requestID: ImageRequestID
  public var content: Content
  /// Whether the original is only remote, and was not fetched.
  public var isInCloud: Bool

  public init(requestID: ImageRequestID, content: Content, isInCloud: Bool = false) {
    self.requestID = requestID
    self.content = content
    self.isInCloud = isInCloud
  }
}

/// What the receiver of a download's progress wants.
public enum DownloadDecision: Hashable, Sendable {
  case proceed
  /// Ends the request, as cancelling it does.
  case stop
}
