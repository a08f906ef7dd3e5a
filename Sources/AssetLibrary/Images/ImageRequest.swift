public import Pixels

/// A picture of an asset that is wanted: equal requests, equal answers.
public struct ImageRequest: Hashable, Sendable {
  public var asset: Asset
  /// Pixels, after orientation; `PixelSize.maximum` = the native size, not cut.
  public var targetSize: PixelSize
  public var contentMode: ContentMode
  public var options: ImageRequestOptions

  public init(
    asset: Asset, targetSize: PixelSize, contentMode: ContentMode,
    options: ImageRequestOptions = ImageRequestOptions()
  ) {
    self.asset = asset
    self.targetSize = targetSize
    self.contentMode = contentMode
    self.options = options
  }

  /// The file that answers it.
  public var resource: AssetResource? { asset.resource(for: options.version) }
}

/// How an image request is to be answered.
///
/// A value: what is changed for one request changes no other. After PhotoKit's `PHImageRequestOptions`.
public struct ImageRequestOptions: Hashable, Sendable {
  /// Which answers come.
  public enum DeliveryMode: Hashable, CaseIterable, Sendable {
    /// A picture at hand first, where there is one, then the final one.
    case opportunistic
    /// The final one alone.
    case highQualityFormat
    /// The picture at hand alone, or the final one where none is.
    case fastFormat
  }

  /// How closely a picture keeps to the target size; none is ever enlarged.
  public enum ResizeMode: Hashable, CaseIterable, Sendable {
    /// The native size, whatever the target size and the content mode.
    case none
    /// At least the target size, and whole: what the decoder gives cheaply.
    case fast
    /// The target size to the pixel; its overhang is cut off where it fills.
    case exact
  }

  public var version: AssetVersion
  public var deliveryMode: DeliveryMode
  public var resizeMode: ResizeMode
  /// The part of the upright picture that is wanted; counts only with the exact resize mode.
  public var normalizedCropRect: NormalizedRect?
  /// Whether an original that is only remote may be fetched.
  public var isNetworkAccessAllowed: Bool
  /// Whether the answer comes on the caller before the call returns: one, the final one.
  public var isSynchronous: Bool

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

/// The bytes of an asset that are wanted, as its file has them.
public struct ImageDataRequest: Hashable, Sendable {
  public var asset: Asset
  public var version: AssetVersion
  /// Whether an original that is only remote may be fetched.
  public var isNetworkAccessAllowed: Bool

  public init(asset: Asset, version: AssetVersion = .current, isNetworkAccessAllowed: Bool = false) {
    self.asset = asset
    self.version = version
    self.isNetworkAccessAllowed = isNetworkAccessAllowed
  }
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
