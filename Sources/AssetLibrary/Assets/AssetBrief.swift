public import Pixels
import SystemPackage

/// What a selection has to know of an asset: a hundred thousand of them can be picked without making one asset.
public struct AssetBrief: Hashable, Sendable {
  /// What is known of one of an asset's files, without its path.
  public struct Resource: Hashable, Sendable {
    public var type: AssetResource.Kind
    /// The format by its content, as "public.jpeg".
    public var uniformTypeIdentifier: String
    /// The resource's length in bytes.
    public var byteCount: Int64
    /// The size of the stored pixels, before orientation; zero where it is not known.
    public var storedSize: PixelSize
    /// Whether it is a part of another resource's file.
    public var isEmbedded: Bool
    /// Whether it is a JPEG that not every program shows.
    package var isRareJPEG = false

    public init(
      type: AssetResource.Kind, uniformTypeIdentifier: String, byteCount: Int64, storedSize: PixelSize,
      isEmbedded: Bool
    ) {
      self.type = type
      self.uniformTypeIdentifier = uniformTypeIdentifier
      self.byteCount = byteCount
      self.storedSize = storedSize
      self.isEmbedded = isEmbedded
    }

    public init(_ resource: AssetResource) {
      self.init(
        type: resource.type, uniformTypeIdentifier: resource.uniformTypeIdentifier,
        byteCount: resource.byteCount, storedSize: resource.storedSize,
        isEmbedded: resource.byteRange != nil)
      isRareJPEG = resource.isRareJPEG
    }
  }

  public var localIdentifier: LocalIdentifier
  public var mediaType: MediaType
  /// Seconds; 0 for stills.
  public var duration: Double
  /// The length of the primary resource in bytes.
  public var byteCount: Int64
  public var isBroken: Bool
  /// Whether there is a line break in the path of the primary resource.
  public var hasLineBreak: Bool
  /// The size after orientation; zero where it is not known.
  public var pixelSize: PixelSize
  /// The resource that stands for the asset.
  public var primaryResource: Resource?
  /// All resources but the primary one; most assets have none, and this takes no memory then.
  public var otherResources: [Resource]

  public init(
    localIdentifier: LocalIdentifier, mediaType: MediaType, duration: Double, byteCount: Int64,
    isBroken: Bool, hasLineBreak: Bool, pixelSize: PixelSize, primaryResource: Resource?,
    otherResources: [Resource]
  ) {
    self.localIdentifier = localIdentifier
    self.mediaType = mediaType
    self.duration = duration
    self.byteCount = byteCount
    self.isBroken = isBroken
    self.hasLineBreak = hasLineBreak
    self.pixelSize = pixelSize
    self.primaryResource = primaryResource
    self.otherResources = otherResources
  }

  public init(_ asset: Asset) {
    self.init(
      localIdentifier: asset.localIdentifier, mediaType: asset.mediaType, duration: asset.duration,
      byteCount: asset.byteCount, isBroken: asset.isBroken, hasLineBreak: asset.pathBytes.hasLineBreak,
      pixelSize: asset.pixelSize, primaryResource: asset.primaryResource.map(Resource.init),
      otherResources: asset.resources.dropFirst().map(Resource.init))
  }
}

extension Sequence<UInt8> {
  /// Whether a list of lines could not hold these bytes as one line.
  @inlinable
  public var hasLineBreak: Bool { contains { $0 == 0x0A || $0 == 0x0D } }
}

extension Asset {
  /// An asset that would be handed over as the one of a brief: a plan for one is a plan for both.
  ///
  /// Its files have no paths, and nothing else is known of it.
  package init(standingFor brief: AssetBrief) {
    let resources = (brief.primaryResource.map { [$0] } ?? []) + brief.otherResources
    self.init(
      localIdentifier: brief.localIdentifier, mediaType: brief.mediaType, pixelSize: brief.pixelSize,
      creationDate: AssetDate(wallSeconds: 0, utcOffset: 0),
      resources: resources.map(AssetResource.init(standingFor:)))
  }
}

extension AssetResource {
  private static let noPath = FilePath("")

  fileprivate init(standingFor brief: AssetBrief.Resource) {
    self.init(
      type: brief.type, path: Self.noPath, uniformTypeIdentifier: brief.uniformTypeIdentifier,
      byteCount: brief.byteCount, storedSize: brief.storedSize, byteRange: brief.isEmbedded ? 0..<0 : nil)
    isRareJPEG = brief.isRareJPEG
  }
}
