/// How far the handing over of a result has come.
public struct DeliveryProgress: Hashable, Sendable {
  /// What is done with an asset.
  public enum Activity: String, Hashable, Sendable {
    case copying, converting, downloading
  }

  /// The assets that are done, well or not.
  public var assets: Int
  public var assetCount: Int
  /// The bytes that are written.
  public var bytes: Int64
  /// All bytes that are to be written; nil where that is not known.
  public var byteCount: Int64?
  /// What is done now.
  public var activity: Activity

  public init(
    assets: Int = 0, assetCount: Int, bytes: Int64 = 0, byteCount: Int64? = nil,
    activity: Activity = .copying
  ) {
    self.assets = assets
    self.assetCount = assetCount
    self.bytes = bytes
    self.byteCount = byteCount
    self.activity = activity
  }
}
