import AssetLibrary

/// An asset as stored in memory and in the index.
struct AssetRow: BitwiseCopyable, Sendable {
  var identifier: UInt64
  /// When the library first saw it, in seconds since 1970, UTC.
  var added: Int64 = 0
  var dateSeconds: Int64 = 0
  var latitude: Double = .nan
  var longitude: Double = .nan
  var dateNanoseconds: Int32 = 0
  /// Seconds east of UTC; `unknownOffset` if it was not recorded.
  var dateOffset: Int32 = Self.unknownOffset
  var subtypes: UInt32 = 0
  var width: UInt32 = 0
  var height: UInt32 = 0
  /// In seconds.
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
  /// The range of its files in the segment, the primary one first.
  var firstFile: UInt32 = 0
  var fileCount: UInt16 = 0
  var flags: Flags = []
  var mediaType: UInt8 = 0
  var playbackStyle: UInt8 = 0
  var rating: Int8 = 0

  static let unknownOffset = Int32.min

  struct Flags: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt16

    /// Hidden by its own name; its folder may hide it too.
    static let hidden = Flags(rawValue: 1 << 0)
    static let adjusted = Flags(rawValue: 1 << 1)
    /// The name marks it as the cover of its burst.
    static let cover = Flags(rawValue: 1 << 2)
    /// Some of its files still have to be read by the codec helper.
    static let unread = Flags(rawValue: 1 << 3)
    /// The date is the file's modification time; no better one is known.
    static let fileDate = Flags(rawValue: 1 << 4)
    /// The identifier is not derived from the asset's file: it is that of a file which this one replaced, or
    /// a new one because another asset already had the identifier.
    static let inherited = Flags(rawValue: 1 << 5)
    /// The source of the date: an XMP packet, IPTC datasets or a video's container; without these flags it is
    /// EXIF.
    static let xmpDate = Flags(rawValue: 1 << 6)
    static let iptcDate = Flags(rawValue: 1 << 7)
    static let quickTimeDate = Flags(rawValue: 1 << 8)
    /// The date was parsed from the file's name.
    static let nameDate = Flags(rawValue: 1 << 10)
    /// The local time was computed with this machine's time zone.
    static let systemZone = Flags(rawValue: 1 << 11)
    /// The local time was computed with the time zone of the location.
    static let placeZone = Flags(rawValue: 1 << 12)
    /// The user corrected the date.
    ///
    /// Set only in copies of the row: the index stores what the files say.
    static let userDate = Flags(rawValue: 1 << 13)
    /// Belongs to a burst only if the burst has another photo.
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

  /// Replaces date and location by corrected values.
  mutating func correct(by correction: AssetCorrection) {
    if let date = correction.date {
      setDate(date)
      flags.subtract([
        .fileDate, .nameDate, .xmpDate, .iptcDate, .quickTimeDate, .systemZone, .placeZone,
      ])
      flags.insert(.userDate)
    }
    switch correction.location {
    case .location(let location): (latitude, longitude) = (location.latitude, location.longitude)
    case .removed?: (latitude, longitude) = (.nan, .nan)
    case nil: break
    }
  }

  /// Replaces the numbers of all pooled texts.
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

/// In a library of folders, a handle is the location of the asset's row.
extension FetchHandle {
  /// - Parameters:
  ///   - segment: the number of the segment.
  ///   - row: the index of the row in the segment.
  init(segment: Int, row: Int) { self.init(rawValue: UInt64(segment) << 32 | UInt64(row)) }

  var segment: Int { Int(rawValue >> 32) }
  var row: Int { Int(rawValue & 0xFFFF_FFFF) }
}
