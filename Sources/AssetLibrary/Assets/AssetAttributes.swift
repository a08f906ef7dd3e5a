public import Pixels

/// The attributes of an asset that predicates, filters and sort orders read.
///
/// `Asset` conforms, and so may the rows of an index that stores an asset in fewer bytes: a fetch among a
/// hundred thousand rows then creates `Asset` values only for its result.
public protocol AssetAttributes {
  /// The identifier, the same in every run.
  var localIdentifier: LocalIdentifier { get }
  /// The kind of medium.
  var mediaType: MediaType { get }
  /// Special properties such as "Live Photo" or "screenshot".
  var mediaSubtypes: MediaSubtypes { get }
  /// How the asset is played back.
  var playbackStyle: PlaybackStyle { get }
  /// The kind of library that the asset comes from.
  var sourceType: AssetSourceTypes { get }
  /// The size in pixels after orientation; zero if unknown.
  var pixelSize: PixelSize { get }
  /// The date on which it was taken, by the camera's clock; the file's date if nothing else is known.
  var creationDate: AssetDate { get }
  /// The date of the last modification.
  var modificationDate: AssetDate { get }
  /// The date on which the library first found the asset.
  var addedDate: AssetDate { get }
  /// The duration in seconds; 0 for stills.
  var duration: Double { get }
  /// The place where it was taken; nil if unknown.
  var location: Location? { get }
  /// Whether the user marked the asset as a favorite.
  var isFavorite: Bool { get }
  /// Whether the user hid the asset.
  var isHidden: Bool { get }
  /// The identifier of the burst that the photo belongs to; nil if it belongs to none.
  var burstIdentifier: String? { get }
  /// Whether the photo represents its burst where only one photo of a burst is shown.
  var representsBurst: Bool { get }
  /// Whether an edited version exists in addition to the original.
  var hasAdjustments: Bool { get }
  /// Whether the file's content is not the medium that its name promises.
  var isBroken: Bool { get }
  /// 1 to 5 stars, 0 for an unrated asset, -1 for a rejected one.
  var rating: Int { get }
  /// The length of the primary resource in bytes.
  var byteCount: Int64 { get }
  /// The bytes of the primary resource's file name, without its folder.
  var nameBytes: [UInt8] { get }
  /// The bytes of the primary resource's path.
  var pathBytes: [UInt8] { get }

  /// Whether the photo belongs to a burst; cheaper than `burstIdentifier` where that string is built on
  /// demand.
  var isInBurst: Bool { get }

  /// A number that identifies the asset's current file, if that file replaced the one for which the
  /// identifier was assigned; nil if the file was never replaced.
  var successorFile: UInt64? { get }

  /// The position of the asset's source in the user's list of sources; several assets may have the same one.
  var sourcePosition: Int { get }

  /// Whether the primary resource's file name ends with a dot and `suffix`, regardless of the case of ASCII
  /// letters.
  /// - Parameter suffix: the extension without a dot, in lowercase.
  func hasFileExtension(_ suffix: String) -> Bool

  /// Compares the file names in natural order, then byte by byte.
  /// - Returns: a negative number if this asset comes first, 0 if the names are equal, a positive number
  ///   otherwise.
  func compareName(to other: Self) -> Int

  /// Compares the bytes of the paths.
  /// - Returns: a negative number if this asset comes first, 0 if the paths are equal, a positive number
  ///   otherwise.
  func comparePath(to other: Self) -> Int
}

extension AssetAttributes {
  /// Returns nil: the default of libraries in which no file replaces another one.
  @inlinable
  public var successorFile: UInt64? { nil }

  /// Returns whether `burstIdentifier` is not nil.
  @inlinable
  public var isInBurst: Bool { burstIdentifier != nil }

  /// Checks the end of `nameBytes`.
  @inlinable
  public func hasFileExtension(_ suffix: String) -> Bool { nameBytes[...].hasFileExtension(suffix) }

  /// Compares `nameBytes` with `NaturalOrder`.
  @inlinable
  public func compareName(to other: Self) -> Int { NaturalOrder.compare(nameBytes, other.nameBytes) }

  /// Returns 0: the default of libraries with a single source.
  public var sourcePosition: Int { 0 }

  /// Compares `pathBytes`.
  @inlinable
  public func comparePath(to other: Self) -> Int { compareBytes(pathBytes, other.pathBytes) }
}

/// Compares two byte strings lexicographically: negative if `a` comes first, 0 if they are equal.
@inlinable
func compareBytes(_ a: [UInt8], _ b: [UInt8]) -> Int {
  for index in 0..<min(a.count, b.count) where a[index] != b[index] {
    return a[index] < b[index] ? -1 : 1
  }
  return a.count - b.count
}

extension ArraySlice<UInt8> {
  /// Whether a file name ends with a dot and `suffix`, and has at least one byte before the dot.
  /// - Parameter suffix: the extension without a dot, in lowercase; the name's ASCII letters match in either
  ///   case.
  public func hasFileExtension(_ suffix: String) -> Bool {
    let length = suffix.utf8.count
    guard count > length + 1, self[endIndex - length - 1] == UInt8(ascii: ".") else { return false }
    return zip(self[(endIndex - length)...], suffix.utf8).allSatisfy { byte, expected in
      byte == expected || (0x41...0x5A).contains(byte) && byte | 0x20 == expected
    }
  }

  /// The bytes after the last dot of a file name, in their original case; nil if there is no extension.
  public var fileExtension: ArraySlice<UInt8>? {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > startIndex, dot + 1 < endIndex else { return nil }
    return self[(dot + 1)...]
  }
}
