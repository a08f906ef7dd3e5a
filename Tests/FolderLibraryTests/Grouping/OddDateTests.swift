import AssetLibrary
import Fixtures
import FolderLibrary
import Testing

/// Compares unusual dates with ExifTool's results.
///
/// Every difference is listed here with its reason, and in Docs/Dates.md.
@Suite struct OddDateTests {
  /// A file and tpick's date for it where ExifTool's differs.
  struct Odd: Sendable {
    enum Own: Hashable, Sendable {
      case same
      /// A date such as "2024-05-02T14:10:09".
      case date(String)
      /// The file has no date.
      case none
    }

    var text: String
    var file: [UInt8]
    var own = Own.same
  }

  // MARK: Files

  private static func photo(_ tag: Int, _ fill: (inout TIFFFile) -> Void) -> [UInt8] {
    var (main, below) = (TIFFFile(), TIFFFile())
    fill(&below)
    main.directory(tag, below)
    return MetadataSegments.exifSegment(main)
  }

  private static func exif(_ text: String, type: Int = 2, tag: Int = 0x9003) -> [UInt8] {
    photo(0x8769) { photo in
      if type == 2 { photo.text(tag, text) } else { photo.block(tag, Array(text.utf8), type: type) }
    }
  }

  private static func gps(_ date: String, _ clock: [Int]?, type: Int = 2) -> [UInt8] {
    photo(0x8825) { gps in
      if type == 2 { gps.text(0x1D, date) } else { gps.block(0x1D, Array(date.utf8), type: type) }
      if let clock { gps.rationals(7, clock) }
    }
  }

  private static func changed(_ text: String) -> [UInt8] {
    var main = TIFFFile()
    main.text(0x0132, text)
    return MetadataSegments.exifSegment(main)
  }

  private static func xmp(_ property: String, _ text: String) -> [UInt8] {
    MetadataSegments.xmpSegment(MetadataSegments.xmp(attributes: "\(property)=\"\(text)\""))
  }

  private static func iptc(_ date: String, _ time: String? = nil) -> [UInt8] {
    MetadataSegments.iptcSegment(
      MetadataSegments.dataset(55, Array(date.utf8))
        + (time.map { MetadataSegments.dataset(60, Array($0.utf8)) } ?? []))
  }

  private static let read = "2024-05-02T14:10:09"

  /// EXIF dates by ExifTool's result: accepted unchanged, with tpick's own date, or without one.
  private static let texts: [(String, Odd.Own)] = [
    ("2024:05:02 14:10:09", .same), ("2024:05:02 14:10:09.25", .same),
    ("2024:05:02 14:10:09.123456789", .same),
    ("2024:05:02 14:10:09Z", .same), ("2024:05:02 14:10:09+02:00", .same),
    ("2024:05:02 14:10:09-07:30", .same),
    ("2024:05:02 14:10:09.25+02:00", .same), ("2024:05:02 14:10:09-0700", .same), ("2024:05:02 14:10", .same),
    ("2024:05:02 14:10Z", .same), ("2024:05:02 14", .same), ("2024:05:02", .same),
    ("2024:05:02+02:00", .same),
    ("2024:05", .same), ("2024", .same), ("2024-05-02T14:10:09", .same), ("2024-05-02 14:10:09", .same),
    ("2024/05/02 14:10:09", .same), ("2024.05.02 14.10.09", .same), ("2024:05:02:14:10:09", .same),
    ("2024:05:02 14-10-09", .same), ("2024:5:2 4:1:9", .same), ("2024:05:02 14:10: 9", .same),
    ("2024:05:02  14:10:09", .same), (" 2024:05:02 14:10:09 ", .same), ("2024:05:02 14h10m09", .same),
    ("2024:05:02 14:10:09 AM", .same), ("2024:05:02 02:10:09 PM", .same), ("2024:05:02 14:10:09 GMT", .same),
    ("2024:05:02 24:08:19", .same), ("2024:05:02 24:00:00", .same), ("2023:12:31 24:08:19", .same),
    ("2024:02:28 24:00:01", .same), ("2024:05:02 14:60:00", .same), ("2024:05:02 14:10:61", .same),
    ("2024:05:02 99:99:99", .same), ("1964:07:15 00:00:00", .same),
    ("2999:01:01 00:00:00", .same), ("1000:01:01 00:00:00", .same),
    ("    :  :     :  :  ", .same), ("0000:00:00 00:00:00", .same), ("yesterday", .same),
    ("May 2 2024 14:10:09", .same), ("20240502 141009", .same), ("20240502141009", .same),
    ("24:05:02 14:10:09", .date("0024-05-02T14:10:09")),
    // A leap second is the first second of the next minute when seconds are counted from 1970.
    ("2016:12:31 23:59:60", .date("2017-01-01T00:00:00")),
    // Months and days that do not exist mean an unset clock, not the previous month.
    ("2024:00:00 00:00:00", .none), ("2024:05:00 10:00:00", .none), ("2024:00:10 10:00:00", .none),
    ("2024:13:40 00:00:00", .none), ("2024:02:30 10:00:00", .none), ("2023:02:29 10:00:00", .none),
    // ExifTool formats only the years 1000 to 2999.
    ("3000:01:01 00:00:00", .date("3000-01-01T00:00:00")),
    ("0999:01:01 00:00:00", .date("0999-01-01T00:00:00")),
  ]

  private static let cases: [Odd] = {
    var cases = texts.map { Odd(text: "EXIF \($0.0)", file: exif($0.0), own: $0.1) }
    for (text, own) in texts.prefix(12) {
      cases.append(Odd(text: "UNDEFINED \(text)", file: exif(text, type: 7), own: own))
    }
    // ExifTool prints the bytes as numbers.
    for (text, date) in [
      ("2024:05:02 14:10:09", read), ("2024:05:02 14:10:09Z", read), ("2024:05:02 14:10:09+02:00", read),
      ("2024:05:02", "2024-05-02T00:00:00"), ("2024:05:02 24:08:19", "2024-05-03T00:08:19"),
    ] {
      cases.append(Odd(text: "BYTE \(text)", file: exif(text, type: 1), own: .date(date)))
    }
    for text in ["2024:05:02 14:10:09", "2024:05:02 24:08:19", "2024:05:02 14:10", "2024:05:02"] {
      cases.append(Odd(text: "digitized \(text)", file: exif(text, tag: 0x9004)))
      cases.append(Odd(text: "changed \(text)", file: changed(text)))
    }
    for text in [
      "1964", "1964-07", "1964-07-15", "2024-05-02T14:10", "2024-05-02T14:10Z", "2024-05-02T14:10:09",
      "2024-05-02T14:10:09Z", "2024-05-02T14:10:09.25Z", "2024-05-02T14:10:09+02:00",
      "2024-05-02T14:10:09.5-07:30",
      "2024-05-02T14:10:09+0200", "2024-05-02T14", "2024-05-02 14:10:09", "2024:05:02 14:10:09",
      "2024-05-02T24:08:19", "2024-5-2", "20240502", "soon", "2024-05-02T14:10+02:00",
    ] {
      cases.append(Odd(text: "XMP \(text)", file: xmp("exif:DateTimeOriginal", text)))
    }
    for text in ["1964-07", "2024-05-02T14:10:09Z"] {
      cases.append(Odd(text: "XMP created \(text)", file: xmp("photoshop:DateCreated", text)))
      cases.append(Odd(text: "XMP made \(text)", file: xmp("xmp:CreateDate", text)))
      cases.append(Odd(text: "XMP GPS \(text)", file: xmp("exif:GPSTimeStamp", text)))
    }
    cases += [
      Odd(text: "GPS", file: gps("2024:05:02", [14, 10, 9])),
      Odd(text: "GPS UNDEFINED", file: gps("2024:05:02", [14, 10, 9], type: 7)),
      Odd(text: "GPS dashes", file: gps("2024-05-02", [4, 0, 0])),
      Odd(text: "GPS date alone", file: gps("2024:05:02", nil)),
      // No GPS receiver reports a day of 25 hours; the day is kept.
      Odd(text: "GPS 25 hours", file: gps("2024:05:02", [25, 10, 9]), own: .date("2024-05-02T00:00:00")),
      Odd(text: "IPTC", file: iptc("20240502", "141009+0200")), Odd(text: "IPTC day", file: iptc("20240502")),
      // Unknown parts are 00 here (IIM 4.2, 2:55).
      Odd(text: "IPTC month", file: iptc("20240500"), own: .date("2024-05-01T00:00:00")),
      Odd(text: "IPTC year", file: iptc("20240000"), own: .date("2024-01-01T00:00:00")),
      Odd(
        text: "second of two EXIF segments",
        file: MetadataSegments.exifSegment(TIFFFile()) + exif("2024:05:02 14:10:09")),
      Odd(
        text: "second, the first no TIFF",
        file: MetadataSegments.segment(0xE1, Array("Exif\0\0".utf8)) + exif("2024:05:02 14:10:09")),
      // The first date is the camera's; the following one was added later and may be of another picture.
      Odd(
        text: "two EXIF segments", file: exif("2023:01:01 00:00:00") + exif("2024:05:02 14:10:09"),
        own: .date("2023-01-01T00:00:00")),
      Odd(text: "EXIF before XMP", file: exif("2024:05:02 14:10") + xmp("exif:DateTimeOriginal", "1964")),
      Odd(
        text: "XMP behind a blank",
        file: exif("    :  :     :  :  ") + xmp("exif:DateTimeOriginal", "1964-07")),
    ]
    return cases
  }()

  // MARK: ExifTool

  /// Tags with the capture time, in order of precedence.
  private static let tags = [
    "EXIF:DateTimeOriginal", "EXIF:CreateDate", "XMP-exif:DateTimeOriginal", "XMP-photoshop:DateCreated",
    "XMP-xmp:CreateDate", "XMP-exif:GPSDateTime", "Composite:DateTimeCreated", "IPTC:DateCreated",
    "Composite:GPSDateTime", "GPS:GPSDateStamp", "EXIF:ModifyDate",
  ]

  /// ExifTool's dates for the files of a folder, by name.
  private static func dates(in folder: TemporaryFolder) throws -> [String: String] {
    // Fixtures' own ExifTool run is not used because it would write to the files.
    let words = tags.map { "-\($0)" }.joined(separator: " ")
    try folder.run([
      "sh", "-c", "exiftool -m -q -T -d %Y-%m-%dT%H:%M:%S -FileName \(words) photos > dates.txt",
    ])
    let text = String(decoding: try folder.bytes(of: "dates.txt"), as: UTF8.self)
    var dates: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      dates[fields[0]] = fields.dropFirst().lazy.compactMap(normal).first
    }
    return dates
  }

  /// The date in ISO 8601; nil if ExifTool could not parse it.
  private static func normal(_ text: String) -> String? {
    let iso = #/(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d).*/#
    if let found = text.wholeMatch(of: iso) { return String(found.0.prefix(19)) }
    // ExifTool does not format dates that are stored apart from their times.
    if let day = text.wholeMatch(of: #/(\d{4})[:-](\d\d)[:-](\d\d)/#) {
      return "\(day.1)-\(day.2)-\(day.3)T00:00:00"
    }
    return nil
  }

  @Test func `A hundred unusual dates match ExifTool's, or differ for a documented reason`() throws {
    #expect(Self.cases.count >= 100)
    let folder = try TemporaryFolder()
    for (number, odd) in Self.cases.enumerated() {
      try folder.write(MetadataSegments.jpeg(odd.file), to: "photos/c\(number).jpg")
      try folder.setModificationTime(1_000_000_000, of: "photos/c\(number).jpg")
    }
    let expected = try Self.dates(in: folder)
    let assets = FolderAssetStore.complete([folder.filePath(of: "photos")]).all()
    #expect(assets.count == Self.cases.count)
    let found = Dictionary(uniqueKeysWithValues: assets.map { ($0.name, $0) })
    for (number, odd) in Self.cases.enumerated() {
      let asset = try #require(found["c\(number).jpg"])
      let own = asset.creationDateSource == .file ? nil : asset.creationDate.wallClock
      let theirs = expected["c\(number).jpg"]
      switch odd.own {
      case .same: #expect(own == theirs, "\(odd.text)")
      case .date(let date):
        #expect(own == date, "\(odd.text)")
        #expect(theirs != date, "\(odd.text): no difference any more")
      case .none:
        #expect(own == nil, "\(odd.text)")
        #expect(theirs != nil, "\(odd.text): no difference any more")
      }
    }
  }
}
