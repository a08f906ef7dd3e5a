public import Pixels

/// What predicates, filters and orders ask of an asset.
///
/// `Asset` answers, and so may the rows of an index that keeps an asset in fewer bytes: a fetch over a
/// hundred thousand of them makes no asset of those that it does not give.
public protocol AssetAttributes {
  var localIdentifier: LocalIdentifier { get }
  var mediaType: MediaType { get }
  var mediaSubtypes: MediaSubtypes { get }
  var playbackStyle: PlaybackStyle { get }
  var sourceType: AssetSourceTypes { get }
  /// The size after orientation; zero where it is not known.
  var pixelSize: PixelSize { get }
  var creationDate: AssetDate { get }
  var modificationDate: AssetDate { get }
  /// When the library saw the asset for the first time.
  var addedDate: AssetDate { get }
  /// Seconds; 0 for stills.
  var duration: Double { get }
  var location: Location? { get }
  var isFavorite: Bool { get }
  var isHidden: Bool { get }
  var burstIdentifier: String? { get }
  var representsBurst: Bool { get }
  var hasAdjustments: Bool { get }
  var isBroken: Bool { get }
  /// 1 to 5 stars; 0 where nobody gave any.
  var rating: Int { get }
  /// The length of the primary resource in bytes.
  var byteCount: Int64 { get }
  /// The bytes of the primary resource's own name.
  var nameBytes: [UInt8] { get }
  /// The bytes of the primary resource's path.
  var pathBytes: [UInt8] { get }

  /// Whether there is a burst identifier, for types that would have to make it first.
  var isInBurst: Bool { get }

  /// Its place among what the user named; several may have the same.
  var givenPlace: Int { get }

  /// How the names stand to each other in the natural order, then by their bytes: below 0 where the own one comes
  /// first, 0 where they are equal.
  func compareName(to other: Self) -> Int

  /// How the paths' bytes stand to each other: below 0 where the own ones come first, 0 where they are equal.
  func comparePath(to other: Self) -> Int
}

extension AssetAttributes {
  @inlinable
  public var isInBurst: Bool { burstIdentifier != nil }

  @inlinable
  public func compareName(to other: Self) -> Int { NaturalOrder.compare(nameBytes, other.nameBytes) }

  public var givenPlace: Int { 0 }

  @inlinable
  public func comparePath(to other: Self) -> Int { compareBytes(pathBytes, other.pathBytes) }
}

/// How two strings of bytes stand to each other.
@inlinable
func compareBytes(_ a: [UInt8], _ b: [UInt8]) -> Int {
  for index in 0..<min(a.count, b.count) where a[index] != b[index] {
    return a[index] < b[index] ? -1 : 1
  }
  return a.count - b.count
}
