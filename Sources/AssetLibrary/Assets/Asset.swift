public import Pixels

/// One photograph, video or other medium of a library: what is known of it, not its picture.
///
/// A value: it stays as it was when it was fetched. The picture is asked of the asset manager, the bytes
/// are in its `resources`.
public struct Asset: Identifiable, Hashable, Sendable, AssetAttributes {
  public var localIdentifier: LocalIdentifier
  public var mediaType: MediaType
  public var mediaSubtypes: MediaSubtypes = []
  public var playbackStyle: PlaybackStyle
  public var sourceType: AssetSourceTypes = .userLibrary
  /// The size after orientation; zero where it is not known.
  public var pixelSize: PixelSize
  /// When the picture was taken, by the camera's clock; the file's date where nothing else is known.
  public var creationDate: AssetDate
  public var modificationDate: AssetDate
  /// When the library saw the asset for the first time.
  public var addedDate: AssetDate
  /// Seconds; 0 for stills.
  public var duration: Double = 0
  public var location: Location?
  public var isFavorite = false
  public var isHidden = false
  /// The series that the picture was taken in; nil for a single one.
  public var burstIdentifier: String?
  /// Whether the picture stands for its series where only one of it is shown.
  public var representsBurst = false
  /// Whether there is an edited version besides the original.
  public var hasAdjustments = false
  /// 1 to 5 stars; 0 where nobody gave any, -1 for a rejected picture (XMP's `xmp:Rating`).
  public var rating = 0
  /// The files the asset is made of; the first is the one that stands for it.
  public var resources: [AssetResource]
  /// Why the asset can't be shown, as words after "can't be shown:"; nil for a sound one.
  public var defect: String?

  /// An asset with nothing special about it.
  /// - Parameters:
  ///   - modificationDate: nil = never changed since it was taken.
  ///   - addedDate: nil = seen since it has been as it is.
  public init(
    localIdentifier: LocalIdentifier, mediaType: MediaType, pixelSize: PixelSize, creationDate: AssetDate,
    modificationDate: AssetDate? = nil, addedDate: AssetDate? = nil, resources: [AssetResource]
  ) {
    self.localIdentifier = localIdentifier
    self.mediaType = mediaType
    self.pixelSize = pixelSize
    self.creationDate = creationDate
    self.modificationDate = modificationDate ?? creationDate
    self.addedDate = addedDate ?? modificationDate ?? creationDate
    self.resources = resources
    playbackStyle =
      switch mediaType {
      case .image: .image
      case .video: .video
      case .audio, .unknown: .unsupported
      }
  }

  public var id: LocalIdentifier { localIdentifier }

  /// Whether the file's content is no medium although its name says so.
  ///
  /// Such an asset is shown and marked, matched by no filter and can't be picked.
  public var isBroken: Bool { defect != nil }

  /// The resource that stands for the asset.
  public var primaryResource: AssetResource? { resources.first }

  /// The length of the primary resource in bytes.
  public var byteCount: Int64 { primaryResource?.byteCount ?? 0 }
  public var nameBytes: [UInt8] { primaryResource?.filename ?? [] }
  public var pathBytes: [UInt8] { primaryResource?.path.bytes ?? [] }
}

/// Which of an edited asset's files is meant.
public enum AssetVersion: String, CaseIterable, Hashable, Sendable {
  /// The edited rendition where there is one.
  case current
  /// As it was before the edit.
  case unadjusted
  /// The very first file: the raw one of a raw and a JPEG file.
  case original
}

extension Asset {
  /// The resource that a version is.
  public func resource(for version: AssetVersion) -> AssetResource? {
    let unadjusted = resources.first { [.photo, .video, .audio].contains($0.type) } ?? primaryResource
    return switch version {
    case .current: primaryResource
    case .unadjusted: unadjusted
    case .original: resources.first { $0.type == .alternatePhoto } ?? unadjusted
    }
  }

  /// The asset as one version of it: its primary resource and its size are that version's.
  public func presenting(_ version: AssetVersion) -> Asset {
    guard let chosen = resource(for: version), chosen != primaryResource else { return self }
    var asset = self
    asset.resources.removeAll { $0 == chosen }
    asset.resources.insert(chosen, at: 0)
    if chosen.storedSize != .zero { asset.pixelSize = chosen.orientation.upright(chosen.storedSize) }
    return asset
  }
}
