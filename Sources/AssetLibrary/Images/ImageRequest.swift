public import Pixels

/// How soon a picture is wanted: the cursor's preview before what is in sight, that before guesses.
public enum ImagePriority: Int, Comparable, CaseIterable, Sendable {
  case prefetch, preheat, visible, preview

  public static func < (a: ImagePriority, b: ImagePriority) -> Bool { a.rawValue < b.rawValue }
}

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

/// The name of a request under way.
public struct ImageRequestID: Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
