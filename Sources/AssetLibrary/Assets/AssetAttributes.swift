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

  /// A number of the file that the asset has now, where it took the place of the one that the identifier was given for; nil
  /// = that one.
  var successorFile: UInt64? { get }

  /// Its place among what the user named; several may have the same.
  var givenPlace: Int { get }

  /// Whether the primary resource's name ends with a dot and this, in ASCII's letters of any case.
  /// - Parameter suffix: in small letters.
  func hasFileExtension(_ suffix: String) -> Bool

  /// How the names stand to each other in the natural order, then by their bytes: below 0 where the own one comes
  /// first, 0 where they are equal.
  func compareName(to other: Self) -> Int

  /// How the paths' bytes stand to each other: below 0 where the own ones come first, 0 where they are equal.
  func comparePath(to other: Self) -> Int
}

extension AssetAttributes {
  @inlinable
  public var successorFile: UInt64? { nil }

  @inlinable
  public var isInBurst: Bool { burstIdentifier != nil }

  @inlinable
  public func hasFileExtension(_ suffix: String) -> Bool { nameBytes[...].hasFileExtension(suffix) }

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

extension ArraySlice<UInt8> {
  /// Whether a file's name ends with a dot and a suffix, and has something before them.
  /// - Parameter suffix: in small letters; ASCII's letters are found in any case.
  public func hasFileExtension(_ suffix: String) -> Bool {
    let length = suffix.utf8.count
    guard count > length + 1, self[endIndex - length - 1] == UInt8(ascii: ".") else { return false }
    return zip(self[(endIndex - length)...], suffix.utf8).allSatisfy { byte, expected in
      byte == expected || (0x41...0x5A).contains(byte) && byte | 0x20 == expected
    }
  }

  /// What a file's name ends with after its last dot, as it stands there; nil where there is none.
  public var fileExtension: ArraySlice<UInt8>? {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > startIndex, dot + 1 < endIndex else { return nil }
    return self[(dot + 1)...]
  }
}
