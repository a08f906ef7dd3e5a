import AssetLibrary
import Fixtures
import Testing

@testable import FolderLibrary

/// Dates in file names.
@Suite struct NameDateTests {
  static let names: [(name: String, date: String?)] = [
    ("IMG-20190715-WA0003.jpg", "2019-07-15 00:00:00"), ("VID-20190715-WA0003.mp4", "2019-07-15 00:00:00"),
    ("PXL_20190715_102030123.jpg", "2019-07-15 10:20:30.123"),
    ("PXL_20190715_102030123.MP.jpg", "2019-07-15 10:20:30.123"),
    ("PXL_20190715_102030123.RAW-01.COVER.jpg", "2019-07-15 10:20:30.123"),
    ("Screenshot_2024-05-02-10-11-12.png", "2024-05-02 10:11:12"),
    ("Screenshot_2024-05-02-10-11-12-345_com.android.chrome.jpg", "2024-05-02 10:11:12.345"),
    ("Screenshot_20240502-101112.png", "2024-05-02 10:11:12"),
    ("Screenshot_20240502_101112_Chrome.jpg", "2024-05-02 10:11:12"),
    ("Screenshot from 2024-05-02 10-11-12.png", "2024-05-02 10:11:12"),
    ("Screenshot 2024-05-02 at 10.11.12.png", "2024-05-02 10:11:12"),
    ("Screenshot 2024-05-02 at 1.11.12\u{202F}PM.png", "2024-05-02 13:11:12"),
    ("Screen Shot 2024-05-02 at 12.11.12 AM.png", "2024-05-02 00:11:12"),
    ("Capture d’écran du 2024-05-02 10-11-12.png", "2024-05-02 10:11:12"),
    ("signal-2024-05-02-101112.jpg", "2024-05-02 10:11:12"),
    ("signal-2024-05-02-10-11-12-123.jpg", "2024-05-02 10:11:12.123"),
    ("signal-2024-05-02-10-11-12-123-1.jpg", "2024-05-02 10:11:12.123"),
    ("WhatsApp Image 2019-07-15 at 10.20.30.jpeg", "2019-07-15 10:20:30"),
    ("WhatsApp Image 2019-07-15 at 10.20.30 PM.jpeg", "2019-07-15 22:20:30"),
    ("photo_2024-05-02_10-11-12.jpg", "2024-05-02 10:11:12"),
    ("2019-07-15 10.20.30.jpg", "2019-07-15 10:20:30"),
    ("IMG_20190715_102030.jpg", "2019-07-15 10:20:30"), ("IMG20190715102030.jpg", "2019-07-15 10:20:30"),
    ("20190715_102030.jpg", "2019-07-15 10:20:30"), ("20190715T102030.jpg", "2019-07-15 10:20:30"),
    ("IMG_20190715_102030123_BURST001.jpg", "2019-07-15 10:20:30.123"),
    ("WP_20140715_10_20_30_Pro.jpg", "2014-07-15 10:20:30"),
    ("MVIMG_20190715_102030.jpg", "2019-07-15 10:20:30"),
    ("DJI_20240502101112_0001_D.JPG", "2024-05-02 10:11:12"),
    ("20190715102030123.jpg", "2019-07-15 10:20:30.123"), ("1964-07-15 beach.jpg", "1964-07-15 00:00:00"),
    ("scan 1931.07.15.tif", "1931-07-15 00:00:00"), ("a 2019-07-15.b.jpg", "2019-07-15 00:00:00"),
    ("20190715_992030.jpg", "2019-07-15 00:00:00"), ("2019-07-15-25-20-30.jpg", "2019-07-15 00:00:00"),
    ("IMG_1234.JPG", nil), ("DSC00042.JPG", nil), ("20191345.jpg", nil), ("20190230.jpg", nil),
    ("2019-02-30.jpg", nil), ("2019-07.jpg", nil), ("2019-07_15.jpg", nil), ("19890715.jpg", nil),
    ("12345678.jpg", nil), ("120190715.jpg", nil), ("a20190715c3.jpg", nil), ("1500-07-15.jpg", nil),
    ("2019-07-151.jpg", nil), ("15-07-2019.jpg", nil), ("a.20190715", nil),
    (".20190715", "2019-07-15 00:00:00"),
    ("", nil), ("1234567890123456.jpg", nil), ("x1563186030123.jpg", nil), ("99999999999999999999.jpg", nil),
  ]

  @Test(arguments: names)
  func `The date in a file name is recognized`(name: String, date: String?) {
    let found = AssetDate(inName: name)
    #expect(found?.utcOffset == nil)
    let text = found.map { date in
      let part = String(date.nanoseconds / 1_000_000)
      return date.wallClock.replacing("T", with: " ")
        + (date.nanoseconds == 0 ? "" : "." + String(repeating: "0", count: 3 - part.count) + part)
    }
    #expect(text == date)
  }

  @Test(arguments: ["FB_IMG_1563186030123.jpg", "mmexport1563186030123.jpg", "1563186030123.jpg"])
  func `Milliseconds since 1970 in a name are a moment in time`(name: String) throws {
    let date = try #require(AssetDate(inName: name))
    #expect(date.wallSeconds - Int64(try #require(date.utcOffset)) == 1_563_186_030)
    #expect(date.nanoseconds == 123_000_000)
  }

  @Test
  func `Dates come from metadata first, then from the name, then from the file`()
    throws
  {
    let folder = try TemporaryFolder()
    for (name, day) in [("IMG-20190715-WA0003.jpg", nil), ("IMG-20190715-WA0004.jpg", 3), ("a.jpg", nil)] {
      try folder.writePhoto(name, day: day)
      try folder.setModificationTime(1_000_000_000, of: name)
    }
    let assets = folder.library().all()
    #expect(assets.map(\.name) == ["IMG-20190715-WA0004.jpg", "IMG-20190715-WA0003.jpg", "a.jpg"])
    #expect(assets.map(\.creationDateSource) == [.exif, .name, .file])
    #expect(assets[1].creationDate == AssetDate(year: 2019, month: 7, day: 15))
  }
}
