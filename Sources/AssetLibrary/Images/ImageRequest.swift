public import Pixels

/// A request for an image of an asset.
///
/// Equal requests have equal results.
public struct ImageRequest: Hashable, Sendable {
  /// The asset.
  public var asset: Asset
  /// The target size in pixels after orientation; `PixelSize.maximum` = the native size, not cropped.
  public var targetSize: PixelSize
  /// How the image fills the target size.
  public var contentMode: ContentMode
  /// Which results to deliver, and how.
  public var options: ImageRequestOptions

  /// Creates a request.
  public init(
    asset: Asset, targetSize: PixelSize, contentMode: ContentMode,
    options: ImageRequestOptions = ImageRequestOptions()
  ) {
    self.asset = asset
    self.targetSize = targetSize
    self.contentMode = contentMode
    self.options = options
  }

  /// The file from which the image is made.
  public var resource: AssetResource? { asset.resource(for: options.version) }
}

/// Which results an image request delivers, and how.
///
/// Changing the options of one request does not affect others. Modeled on PhotoKit's `PHImageRequestOptions`.
public struct ImageRequestOptions: Hashable, Sendable {
  /// Which results are delivered.
  public enum DeliveryMode: Hashable, CaseIterable, Sendable {
    /// A degraded image first, if one is available quickly, then the final image.
    case opportunistic
    /// Only the final image.
    case highQualityFormat
    /// Only the quickly available image, or the final image if there is none.
    case fastFormat
  }

  /// How exactly an image matches the target size; images are never enlarged.
  public enum ResizeMode: Hashable, CaseIterable, Sendable {
    /// The native size, regardless of target size and content mode.
    case none
    /// At least the target size, not cropped: the size that is cheapest to decode.
    case fast
    /// Exactly the target size; with `aspectFill`, the excess is cropped.
    case exact
  }

  /// Which version of an edited asset to show.
  public var version: AssetVersion
  /// Which results to deliver.
  public var deliveryMode: DeliveryMode
  /// How exactly the image matches the target size.
  public var resizeMode: ResizeMode
  /// The part of the upright image to show; ignored unless the resize mode is `exact`.
  public var normalizedCropRect: NormalizedRect?
  /// Whether a remote original may be downloaded.
  public var isNetworkAccessAllowed: Bool
  /// Whether the call blocks and delivers a single result, the final one, on the calling thread.
  public var isSynchronous: Bool

  /// Creates options; the defaults are PhotoKit's.
  public init(
    version: AssetVersion = .current, deliveryMode: DeliveryMode = .opportunistic,
    resizeMode: ResizeMode = .fast, normalizedCropRect: NormalizedRect? = nil,
    isNetworkAccessAllowed: Bool = false, isSynchronous: Bool = false
  ) {
    self.version = version
    self.deliveryMode = deliveryMode
    self.resizeMode = resizeMode
    self.normalizedCropRect = normalizedCropRect
    self.isNetworkAccessAllowed = isNetworkAccessAllowed
    self.isSynchronous = isSynchronous
  }
}

/// One result of an image request.
public struct ImageResult: Sendable {
  /// The outcome.
  public enum Content: Sendable {
    /// An image. `note` describes what is missing from it, such as the end of a truncated file.
    case image(PixelBuffer, isDegraded: Bool, note: String?)
    /// The image could not be made.
    case failed(AssetError)
    /// The request was cancelled.
    case cancelled
  }

  /// The request that the result belongs to.
  public var requestID: ImageRequestID
  /// The outcome.
  public var content: Content
  /// Whether the original is remote, and was not downloaded for this result.
  public var isInCloud: Bool
  /// Whether this is the last result; true exactly once for each request.
  public var isLast: Bool

  /// Creates a result.
  public init(requestID: ImageRequestID, content: Content, isInCloud: Bool = false, isLast: Bool) {
    self.requestID = requestID
    self.content = content
    self.isInCloud = isInCloud
    self.isLast = isLast
  }

  /// Whether this is the requested image: not degraded, not failed, not cancelled.
  public var isFinal: Bool { if case .image(_, isDegraded: false, _) = content { true } else { false } }
}

/// A request for the bytes of an asset's file.
public struct ImageDataRequest: Hashable, Sendable {
  /// The asset.
  public var asset: Asset
  /// Which version of an edited asset to read.
  public var version: AssetVersion
  /// Whether a remote original may be downloaded.
  public var isNetworkAccessAllowed: Bool

  /// Creates a request.
  public init(asset: Asset, version: AssetVersion = .current, isNetworkAccessAllowed: Bool = false) {
    self.asset = asset
    self.version = version
    self.isNetworkAccessAllowed = isNetworkAccessAllowed
  }
}

/// The single result of a request for an asset's bytes.
public struct ImageDataResult: Sendable {
  /// The outcome.
  public enum Content: Sendable {
    /// The unchanged bytes of the file, the format recognized by its content, and the orientation of its
    /// pixels.
    case data([UInt8], uniformTypeIdentifier: String, orientation: Orientation)
    /// The bytes could not be read.
    case failed(AssetError)
    /// The request was cancelled.
    case cancelled
  }

  /// The request that the result belongs to.
  public var requestID: ImageRequestID
  /// The outcome.
  public var content: Content
  /// Whether the original is remote, and was not downloaded.
  public var isInCloud: Bool

  /// Creates a result.
  public init(requestID: ImageRequestID, content: Content, isInCloud: Bool = false) {
    self.requestID = requestID
    self.content = content
    self.isInCloud = isInCloud
  }
}
