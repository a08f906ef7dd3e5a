public import Pixels

/// How soon a picture is wanted: the cursor's preview before what is in sight, that before guesses.
public enum ImagePriority: Int, Comparable, CaseIterable, Sendable {
  case prefetch, preheat, visible, preview

  public static func < (a: ImagePriority, b: ImagePriority) -> Bool { a.rawValue < b.rawValue }
}

/// Everything that decides which pixels an image request answers with: equal requests, equal pictures.
public struct ImageRequest: Hashable, Sendable {
  /// Which answers come.
  public enum DeliveryMode: Hashable, Sendable {
    /// A picture at hand first, where there is one, then the final one.
    case opportunistic
    /// The final one alone.
    case highQualityFormat
    /// The picture at hand alone, or the final one where none is.
    case fastFormat
  }

  public var asset: Asset
  /// Pixels, after orientation.
  public var targetSize: PixelSize
  public var contentMode: ContentMode
  public var deliveryMode: DeliveryMode

  public init(
    asset: Asset, targetSize: PixelSize, contentMode: ContentMode,
    deliveryMode: DeliveryMode = .opportunistic
  ) {
    self.asset = asset
    self.targetSize = targetSize
    self.contentMode = contentMode
    self.deliveryMode = deliveryMode
  }
}

/// One answer to an image request.
public enum ImageResult: Sendable {
  /// A picture. After a degraded one another answer follows, unless the request asked for the fast one.
  /// `note` says in words what is missing from it (a file that ends early).
  case image(PixelBuffer, isDegraded: Bool, note: String?)
  /// No picture, and why.
  case failed(AssetError)
  /// No picture, because the request was cancelled.
  case cancelled
}

/// The name of a request under way.
public struct ImageRequestID: Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// Makes pictures of assets in the background.
public protocol ImageManager: Sendable {
  /// Asks for a picture. Answers come on a worker's thread, in order; the first may come before the call returns.
  @discardableResult
  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID

  /// Moves a waiting request in the queue.
  func setPriority(_ priority: ImagePriority, of request: ImageRequestID)

  /// Ends a request: the one answer `cancelled` follows unless the final one was given.
  func cancelImageRequest(_ request: ImageRequestID)
}
