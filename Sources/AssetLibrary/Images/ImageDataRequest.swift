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
