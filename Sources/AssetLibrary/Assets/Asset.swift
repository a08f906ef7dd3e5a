public import Pixels

/// What tells when a picture was taken.
public enum CreationDateSource: String, CaseIterable, Hashable, Sendable {
  case exif, iptc, xmp, quicktime
  /// The file's name has it.
  case name
  /// Nothing but the file's own date.
  case file
}

/// What tells which time zone a date is told in.
package enum DateZone: Hashable, Sendable {
  case file
  /// Where it was taken.
  case place
  /// This machine.
  case system
}

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
  /// What tells it; nil where that is not known.
  public var creationDateSource: CreationDateSource?
  /// Whose offset `creationDate` has: another one than the file's where that says only which moment it was.
  package var creationDateZone = DateZone.file
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
  ///   - localIdentifier: its name, the same from run to run.
  ///   - mediaType: what kind of medium it is.
  ///   - pixelSize: the size after orientation; zero where it is not known.
  ///   - creationDate: when the picture was taken.
  ///   - modificationDate: nil = never changed since it was taken.
  ///   - addedDate: nil = seen since it has been as it is.
  ///   - resources: the files that it is made of, first the one that stands for it.
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
  /// What messages call it: the path of its file, or where that is on a server.
  package var subject: String { primaryResource?.subject ?? localIdentifier.rawValue }

  public var pathBytes: [UInt8] { primaryResource?.path.bytes ?? [] }
}

/// The name under which an asset or a collection is known to its library: opaque, stable across runs.
public struct LocalIdentifier: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  public static func < (a: LocalIdentifier, b: LocalIdentifier) -> Bool { a.rawValue < b.rawValue }

  public var description: String { rawValue }
}
