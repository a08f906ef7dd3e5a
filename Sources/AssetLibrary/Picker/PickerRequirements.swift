/// What an asset has to be to be picked, besides matching the filter: it is shown all the same.
public struct PickerRequirements: Hashable, Sendable {
  /// How long a video has to last at least, in seconds; nil = any time.
  public var minimumDuration: Double?
  /// How long a video may last, in seconds; nil = any time.
  public var maximumDuration: Double?
  /// The most bytes of the file that stands for the asset; nil = any number.
  public var maximumByteCount: Int64?

  public init(
    minimumDuration: Double? = nil, maximumDuration: Double? = nil, maximumByteCount: Int64? = nil
  ) {
    self.minimumDuration = minimumDuration
    self.maximumDuration = maximumDuration
    self.maximumByteCount = maximumByteCount
  }

  /// Why an asset does not meet them, with what would.
  public enum Shortfall: Hashable, Sendable {
    case tooShort(minimum: Double)
    case tooLong(maximum: Double)
    /// A video that does not say how long it lasts, where that counts.
    case unknownDuration
    case tooLarge(maximum: Int64)
  }

  /// Why an asset does not meet the requirements; nil where it does.
  public func shortfall(of asset: AssetBrief) -> Shortfall? {
    shortfall(asset.mediaType, asset.duration, asset.byteCount)
  }

  /// Why an asset does not meet the requirements; nil where it does.
  public func shortfall(of asset: Asset) -> Shortfall? {
    shortfall(asset.mediaType, asset.duration, asset.byteCount)
  }

  private func shortfall(_ mediaType: MediaType, _ duration: Double, _ byteCount: Int64) -> Shortfall? {
    if let maximumByteCount, byteCount > maximumByteCount {
      return .tooLarge(maximum: maximumByteCount)
    }
    guard mediaType == .video, minimumDuration != nil || maximumDuration != nil else { return nil }
    if duration <= 0 { return .unknownDuration }
    if let minimumDuration, duration < minimumDuration { return .tooShort(minimum: minimumDuration) }
    if let maximumDuration, duration > maximumDuration { return .tooLong(maximum: maximumDuration) }
    return nil
  }
}
