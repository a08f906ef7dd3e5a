import AssetLibrary

/// One asset as the library keeps it.
struct AssetRow: BitwiseCopyable, Sendable {
  var identifier: UInt64
  /// When the library first saw it, in seconds since 1970, UTC.
  var added: Int64 = 0
  var dateSeconds: Int64 = 0
  var latitude: Double = .nan
  var longitude: Double = .nan
  var dateNanoseconds: Int32 = 0
  /// Seconds east of UTC; `unknownOffset` where it was not recorded.
  var dateOffset: Int32 = Self.unknownOffset
  var subtypes: UInt32 = 0
  var width: UInt32 = 0
  var height: UInt32 = 0
  /// Seconds.
  var duration: Float = 0
  /// Numbers of texts in the pool.
  var camera: UInt32 = 0
  var lens: UInt32 = 0
  var title: UInt32 = 0
  var keywords: UInt32 = 0
  var people: UInt32 = 0
  var burst: UInt32 = 0
  var contentIdentifier: UInt32 = 0
  var defect: UInt32 = 0
  /// Its files among the segment's, the one that stands for it first.
  var firstFile: UInt32 = 0
  var fileCount: UInt16 = 0
  var flags: Flags = []
  var mediaType: UInt8 = 0
  var playbackStyle: UInt8 = 0
  var rating: Int8 = 0

  static let unknownOffset = Int32.min

  struct Flags: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt16

    /// By its own name; the folder may hide it too.
    static let hidden = Flags(rawValue: 1 << 0)
    static let adjusted = Flags(rawValue: 1 << 1)
    /// The name says that it stands for its burst.
    static let cover = Flags(rawValue: 1 << 2)
    /// The facts of some of its files are still to come from the codec helper.
    static let provisional = Flags(rawValue: 1 << 3)
    /// The date is the file's own: nothing better is known.
    static let fileDate = Flags(rawValue: 1 << 4)
    /// The identifier is not what its file alone would give: it was another file's that was written anew.
    static let inherited = Flags(rawValue: 1 << 5)
    /// The date is that of an XMP packet, of IPTC datasets or of a video's container; else it is EXIF's.
    static let xmpDate = Flags(rawValue: 1 << 6)
    static let iptcDate = Flags(rawValue: 1 << 7)
    static let quickTimeDate = Flags(rawValue: 1 << 8)
    /// The date is the one in the file's name.
    static let nameDate = Flags(rawValue: 1 << 10)
    /// The clock on the wall was worked out by this machine's time zone.
    static let systemZone = Flags(rawValue: 1 << 11)
    /// The clock on the wall was worked out by where it was taken.
    static let placeZone = Flags(rawValue: 1 << 12)
    /// It is of a burst only where another one of that is there.
    static let burstOfSeveral = Flags(rawValue: 1 << 9)
  }

  var date: AssetDate {
    AssetDate(
      wallSeconds: dateSeconds, nanoseconds: dateNanoseconds,
      utcOffset: dateOffset == Self.unknownOffset ? nil : dateOffset)
  }

  mutating func setDate(_ date: AssetDate) {
    dateSeconds = date.wallSeconds
    dateNanoseconds = date.nanoseconds
    dateOffset = date.utcOffset ?? Self.unknownOffset
  }

  /// Gives every text that is kept in a pool the number that `number` makes of it.
  mutating func renumber(_ number: (UInt32) -> UInt32) {
    camera = number(camera)
    lens = number(lens)
    title = number(title)
    keywords = number(keywords)
    people = number(people)
    burst = number(burst)
    contentIdentifier = number(contentIdentifier)
    defect = number(defect)
  }
}

/// In a library of folders a handle says where the row of an asset is.
extension FetchHandle {
  /// - Parameters:
  ///   - segment: the number of the segment.
  ///   - row: the index of the row among the segment's assets.
  init(segment: Int, row: Int) { self.init(rawValue: UInt64(segment) << 32 | UInt64(row)) }

  var segment: Int { Int(rawValue >> 32) }
  var row: Int { Int(rawValue & 0xFFFF_FFFF) }
}
