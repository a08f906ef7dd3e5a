public import Pixels
import SystemPackage

/// The attributes of an asset that a selection needs, so that 100,000 assets can be picked without creating
/// an `Asset` for each.
public struct AssetBrief: Hashable, Sendable {
  /// The attributes of one of the asset's files, without its path.
  public struct Resource: Hashable, Sendable {
    /// The role of the file in its asset.
    public var type: AssetResource.Kind
    /// The format, recognized by the file's content, as "public.jpeg".
    public var uniformTypeIdentifier: String
    /// The length in bytes.
    public var byteCount: Int64
    /// The size of the stored pixels, before orientation; zero if unknown.
    public var storedSize: PixelSize
    /// Whether the resource is a part of another resource's file.
    public var isEmbedded: Bool
    /// Whether it is a JPEG variant that some programs can't show.
    package var isRareJPEG = false

    /// Creates the attributes from their values.
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

    /// Copies the attributes of a resource.
    public init(_ resource: AssetResource) {
      self.init(
        type: resource.type, uniformTypeIdentifier: resource.uniformTypeIdentifier,
        byteCount: resource.byteCount, storedSize: resource.storedSize,
        isEmbedded: resource.byteRange != nil)
      isRareJPEG = resource.isRareJPEG
    }
  }

  /// The identifier, the same in every run.
  public var localIdentifier: LocalIdentifier
  /// The kind of medium.
  public var mediaType: MediaType
  /// The duration in seconds; 0 for stills.
  public var duration: Double
  /// The length of the primary resource in bytes.
  public var byteCount: Int64
  /// Whether the file's content is not the medium that its name promises.
  public var isBroken: Bool
  /// Whether it is an asset of Recently Deleted.
  public var isDeleted = false
  /// Whether the path of the primary resource contains a line break.
  public var hasLineBreak: Bool
  /// The size in pixels after orientation; zero if unknown.
  public var pixelSize: PixelSize
  /// The first resource, which represents the asset.
  public var primaryResource: Resource?
  /// All resources except the primary one.
  ///
  /// Most assets have no others, and the empty array allocates no memory.
  public var otherResources: [Resource]

  /// Creates a brief from its values.
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

  /// Copies the attributes of an asset.
  public init(_ asset: Asset) {
    self.init(
      localIdentifier: asset.localIdentifier, mediaType: asset.mediaType, duration: asset.duration,
      byteCount: asset.byteCount, isBroken: asset.isBroken, hasLineBreak: asset.pathBytes.hasLineBreak,
      pixelSize: asset.pixelSize, primaryResource: asset.primaryResource.map(Resource.init),
      otherResources: asset.resources.dropFirst().map(Resource.init))
    isDeleted = asset.deletion != nil
  }
}

extension Sequence<UInt8> {
  /// Whether the bytes contain LF or CR, so that they can't be one line of a list.
  @inlinable
  public var hasLineBreak: Bool { contains { $0 == 0x0A || $0 == 0x0D } }
}

extension Asset {
  /// Creates a placeholder asset with a brief's attributes: a representation plan for it is also valid for
  /// the asset of the brief.
  ///
  /// Its files have empty paths, and all other attributes have their defaults.
  package init(placeholderFor brief: AssetBrief) {
    let resources = (brief.primaryResource.map { [$0] } ?? []) + brief.otherResources
    self.init(
      localIdentifier: brief.localIdentifier, mediaType: brief.mediaType, pixelSize: brief.pixelSize,
      creationDate: AssetDate(wallSeconds: 0, utcOffset: 0),
      resources: resources.map(AssetResource.init(placeholderFor:)))
    duration = brief.duration
  }
}

extension AssetResource {
  private static let noPath = FilePath("")

  fileprivate init(placeholderFor brief: AssetBrief.Resource) {
    self.init(
      type: brief.type, path: Self.noPath, uniformTypeIdentifier: brief.uniformTypeIdentifier,
      byteCount: brief.byteCount, storedSize: brief.storedSize, byteRange: brief.isEmbedded ? 0..<0 : nil)
    isRareJPEG = brief.isRareJPEG
  }
}
