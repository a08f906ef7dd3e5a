/// What a selection has to know of an asset: a hundred thousand of them can be picked without making one asset.
public struct AssetBrief: Hashable, Sendable {
  public var localIdentifier: LocalIdentifier
  public var mediaType: MediaType
  /// Seconds; 0 for stills.
  public var duration: Double
  /// The length of the primary resource in bytes.
  public var byteCount: Int64
  public var isBroken: Bool
  /// Whether there is a line break in the path of the primary resource.
  public var hasLineBreak: Bool

  public init(
    localIdentifier: LocalIdentifier, mediaType: MediaType, duration: Double, byteCount: Int64,
    isBroken: Bool,
    hasLineBreak: Bool
  ) {
    self.localIdentifier = localIdentifier
    self.mediaType = mediaType
    self.duration = duration
    self.byteCount = byteCount
    self.isBroken = isBroken
    self.hasLineBreak = hasLineBreak
  }

  public init(_ asset: Asset) {
    self.init(
      localIdentifier: asset.localIdentifier, mediaType: asset.mediaType, duration: asset.duration,
      byteCount: asset.byteCount, isBroken: asset.isBroken,
      hasLineBreak: asset.pathBytes.hasLineBreak)
  }
}

extension Sequence<UInt8> {
  /// Whether a list of lines could not hold these bytes as one line.
  @inlinable
  public var hasLineBreak: Bool { contains { $0 == 0x0A || $0 == 0x0D } }
}
