public import Pixels
public import SystemPackage

/// The source of an asset's creation date.
public enum CreationDateSource: String, CaseIterable, Hashable, Sendable {
  /// The EXIF date of the camera.
  case exif
  /// The IPTC-IIM date.
  case iptc
  /// A date property in an XMP packet.
  case xmp
  /// The header or a tag of a QuickTime or MP4 file.
  case quicktime
  /// A date in the file's name.
  case name
  /// The file's modification date, because nothing else is known.
  case file
  /// The user, who corrected the date.
  case user
}

/// The source of a creation date's time zone.
package enum DateZone: Hashable, Sendable {
  /// The time zone recorded in the file.
  case file
  /// The time zone of the place where it was taken.
  case place
  /// The time zone of this machine.
  case system
}

/// One photo, video or other medium of a library: its metadata, not its pixels.
///
/// An asset is a snapshot, which does not change after the fetch. Request its image from an ``AssetManager``;
/// its bytes are in the files listed in `resources`.
public struct Asset: Identifiable, Hashable, Sendable, AssetAttributes {
  /// The identifier, the same in every run.
  public var localIdentifier: LocalIdentifier
  /// The kind of medium.
  public var mediaType: MediaType
  /// Special properties such as "Live Photo" or "screenshot".
  public var mediaSubtypes: MediaSubtypes = []
  /// How the asset is played back.
  ///
  /// The initializer derives it from `mediaType`.
  public var playbackStyle: PlaybackStyle
  /// The kind of library that the asset comes from.
  public var sourceType: AssetSourceTypes = .userLibrary
  /// The size in pixels after orientation; zero if unknown.
  public var pixelSize: PixelSize
  /// The date on which it was taken, by the camera's clock unless the user corrected it; the file's date if
  /// nothing else is known.
  public var creationDate: AssetDate
  /// The source of `creationDate`; nil if unknown.
  public var creationDateSource: CreationDateSource?
  /// The source of the time zone of `creationDate`.
  ///
  /// A date that the file records in UTC is converted to the time zone of the place or of this machine.
  package var creationDateZone = DateZone.file
  /// The date of the last modification.
  public var modificationDate: AssetDate
  /// The date on which the library first found the asset.
  public var addedDate: AssetDate
  /// The duration in seconds; 0 for stills.
  public var duration: Double = 0
  /// The place where it was taken, as the user corrected it; nil if unknown.
  public var location: Location?
  /// Whether the user marked the asset as a favorite.
  public var isFavorite = false
  /// Whether the user hid the asset.
  public var isHidden = false
  /// The identifier of the burst that the photo belongs to; nil if it belongs to none.
  public var burstIdentifier: String?
  /// Whether the photo represents its burst where only one photo of a burst is shown.
  public var representsBurst = false
  /// Whether an edited version exists in addition to the original.
  public var hasAdjustments = false
  /// 1 to 5 stars, 0 for an unrated asset, -1 for a rejected one (XMP's `xmp:Rating`).
  public var rating = 0
  /// The files that the asset consists of, the primary resource first.
  ///
  /// The edited clip of a Live Photo precedes the original one.
  public var resources: [AssetResource]
  /// When and from where it was deleted, if it is an asset of Recently Deleted; nil for an asset of the library.
  ///
  /// The paths of its resources are those in the trash then.
  public var deletion: DeletionRecord?
  /// The part of a video that is delivered, from the start of the video, as the user chose it in the picker; nil = the
  /// whole video.
  ///
  /// `duration` is that of the whole video.
  public var trim: Range<Duration>?
  /// The part of the library's video that the file of this result is, from the start of the video; nil for a whole
  /// video.
  ///
  /// Set when a trimmed asset was delivered as a new file: `duration` is then that of the part, and `trim` is nil.
  public package(set) var deliveredPart: Range<Duration>?
  /// The time of the frame of a Live Photo's clip that is delivered as its still image, from the start of the clip, as
  /// the user chose it in the picker; nil = the still image of the library.
  ///
  /// Apple calls the still image the key photo. The frame belongs to the clip of the version that is delivered.
  public var keyPhotoTime: Duration?
  /// The time of the frame that the still image of this result is, from the start of the library's clip; nil for the
  /// still image of the library.
  ///
  /// Set when the frame was delivered as a new file; `keyPhotoTime` is then nil.
  public package(set) var deliveredKeyPhotoTime: Duration?
  /// Why the asset can't be shown, as text to follow "can't be shown:"; nil for an intact asset.
  public var defect: String?

  /// Creates an asset; all properties without a parameter have their default values.
  /// - Parameters:
  ///   - localIdentifier: the identifier, the same in every run.
  ///   - mediaType: the kind of medium.
  ///   - pixelSize: the size in pixels after orientation; zero if unknown.
  ///   - creationDate: when it was taken.
  ///   - modificationDate: when it was last modified; nil = `creationDate`.
  ///   - addedDate: when the library first found it; nil = the modification date.
  ///   - resources: the files that it consists of, the primary resource first.
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

  /// The duration in seconds of what is delivered: the trimmed part, or all of it.
  public var deliveredDuration: Double {
    guard let trim else { return duration }
    return (trim.upperBound - trim.lowerBound) / .seconds(1)
  }

  /// Whether the user chose a part of it or another key photo, so that what is delivered must be made first.
  package var isDeliveredAsNewFile: Bool { trim != nil || keyPhotoTime != nil }

  /// Returns the asset after its trimmed part has become a file.
  package func deliveringPart() -> Asset {
    guard let trim else { return self }
    var asset = self
    asset.duration = deliveredDuration
    (asset.deliveredPart, asset.trim) = (trim, nil)
    return asset
  }

  /// Returns the asset after the frame that is its key photo has become a file.
  package func deliveringKeyPhoto() -> Asset {
    guard let keyPhotoTime else { return self }
    var asset = self
    (asset.deliveredKeyPhotoTime, asset.keyPhotoTime) = (keyPhotoTime, nil)
    return asset
  }

  /// Returns the asset with the part and the key photo that the user chose of another snapshot of it.
  package func withChoices(of other: Asset) -> Asset {
    var asset = self
    (asset.trim, asset.keyPhotoTime) = (other.trim, other.keyPhotoTime)
    return asset
  }

  /// Returns the asset with a part of it to deliver; nil = all of it.
  package func trimmed(to part: Range<Duration>?) -> Asset {
    var asset = self
    asset.trim = part
    return asset
  }

  /// The width in pixels after orientation; 0 if unknown.
  public var pixelWidth: Int { pixelSize.width }
  /// The height in pixels after orientation; 0 if unknown.
  public var pixelHeight: Int { pixelSize.height }

  /// The same as `localIdentifier`.
  public var id: LocalIdentifier { localIdentifier }

  /// Whether the file's content is not the medium that its name promises.
  ///
  /// Such an asset is shown with a mark. It matches no filter and can't be picked.
  public var isBroken: Bool { defect != nil }

  /// The first resource, which represents the asset; nil if there are no resources.
  public var primaryResource: AssetResource? { resources.first }

  /// The length of the primary resource in bytes.
  public var byteCount: Int64 { primaryResource?.byteCount ?? 0 }
  /// The bytes of the primary resource's file name; empty if there are no resources.
  public var nameBytes: [UInt8] { primaryResource?.filename ?? [] }
  /// The name of the asset in messages: the path of its file, or its address on a server.
  package var subject: String { primaryResource?.subject ?? localIdentifier.rawValue }

  /// The bytes of the primary resource's path; empty if there are no resources.
  public var pathBytes: [UInt8] { primaryResource?.path.bytes ?? [] }
}

/// When and from where an asset was deleted.
public struct DeletionRecord: Hashable, Sendable {
  /// When it was deleted, by the clock of the machine; nil if unknown.
  public var date: AssetDate?
  /// The path of its primary resource before.
  public var originalPath: FilePath

  /// Creates a record.
  public init(date: AssetDate?, originalPath: FilePath) {
    (self.date, self.originalPath) = (date, originalPath)
  }
}

extension Asset {
  /// Whether the asset comes before another one in the order of Recently Deleted: those deleted last come first, then
  /// by the bytes of the original paths.
  package func wasDeletedAfter(_ other: Asset) -> Bool {
    let dates = (deletion?.date, other.deletion?.date)
    switch dates {
    case (let date?, let otherDate?) where date < otherDate || otherDate < date: return otherDate < date
    case (.some, nil): return true
    case (nil, .some): return false
    default:
      let paths = (deletion?.originalPath.bytes ?? [], other.deletion?.originalPath.bytes ?? [])
      return paths.0.lexicographicallyPrecedes(paths.1)
    }
  }
}

/// The identifier of an asset or a collection in its library: opaque, and the same in every run.
public struct LocalIdentifier: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The identifier as a string.
  public let rawValue: String

  /// Creates an identifier from a string that was an identifier's `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates an identifier from a string that was an identifier's `rawValue`.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates an identifier from a literal.
  public init(stringLiteral rawValue: String) {
    self.rawValue = rawValue
  }

  /// Orders identifiers by their strings, so that lists of them have a stable order.
  public static func < (a: LocalIdentifier, b: LocalIdentifier) -> Bool { a.rawValue < b.rawValue }

  /// The same as `rawValue`.
  public var description: String { rawValue }
}
