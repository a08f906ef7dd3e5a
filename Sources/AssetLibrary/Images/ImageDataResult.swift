public import Pixels

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
