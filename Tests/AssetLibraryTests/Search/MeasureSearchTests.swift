import AssetLibrary
import Pixels
import Testing

/// Terms that compare a number, and those about the file's format.
@Suite struct MeasureSearchTests {
  @Test(
    arguments: [
      ("0", 0), ("2MB", 2e6), ("2 mb", 2e6), ("2M", 2e6), ("1.5kB", 1500), ("1KiB", 1024),
      ("2GiB", 2_147_483_648),
      ("1tb", 1e12), ("7B", 7), ("", nil), ("MB", nil), (".5MB", nil), ("5.MB", nil), ("1.2.3", nil),
      ("-1", nil),
      ("1e3", nil), ("2parsecs", nil), ("٢MB", nil), ("1234567890123456", nil),
    ] as [(String, Double?)])
  func `File sizes`(text: String, bytes: Double?) {
    #expect(MeasureText.bytes(of: text) == bytes)
  }

  @Test(
    arguments: [
      ("60", 60), ("60s", 60), ("2.5 s", 2.5), ("5min", 300), ("5m", 300), ("1h", 3600), ("1:30", 90),
      ("90:00", 5400), ("1:00:05", 3605), ("", nil), ("s", nil), ("1:60", nil), ("1:2:3:4", nil), ("1:", nil),
      (":30", nil), ("1:-3", nil), ("1:3s", nil), ("1d", nil),
      ("90", 90), ("1m30s", 90), ("1min30s", 90), ("1 min 30 s", 90), ("1M30S", 90), ("1h2m3.5s", 3723.5),
      ("90m30s", 5430), ("1h30s", 3630), ("0m0s", 0), ("1m30", nil), ("30s1m", nil), ("1m1m", nil),
      ("1m60s", nil), ("1.5m30s", nil), ("1m-30s", nil), ("-1m30s", nil), ("m30s", nil), ("1m30s ", nil),
      ("1mm30s", nil), ("1m٣s", nil), ("1234567890123456m1s", nil), ("1m:30s", nil), (" ", nil),
    ] as [(String, Double?)])
  func `Durations`(text: String, seconds: Double?) {
    #expect(MeasureText.seconds(of: text) == seconds)
  }

  private static let asset: Asset = {
    var asset = Asset.photo("IMG_1.HEIC", size: 2_000_000)
    asset.mediaType = .video
    asset.pixelSize = PixelSize(width: 1920, height: 1080)
    asset.duration = 59.6
    return asset
  }()

  /// An asset whose size and duration are unknown.
  private static let unknown: Asset = {
    var asset = Asset.photo(".heic", size: 0)
    asset.pixelSize = PixelSize(width: 0, height: 0)
    return asset
  }()

  @Test(arguments: [
    ("width:1920", true, false), ("width:>=1920", true, false), ("width:>1920", false, false),
    ("width:<=1920", true, false), ("width:<1920", false, false), ("width:<2000", true, false),
    ("width:!=5", true, false), ("height:1080", true, false), ("height:<1080", false, false),
    ("HEIGHT:>1079", true, false), ("width:0", false, false), ("width:>=0", true, false),
    ("-width:<2000", false, true),
    ("size:2MB", true, false), ("size:>=2MB", true, false), ("size:>2MB", false, false),
    ("size:<1", false, true), ("size:!=2MB", false, true),
    ("duration:<=60s", true, false), ("duration:<59s", false, false), ("duration:60s", true, false),
    ("duration:59s", false, false), ("duration:!=60", false, false), ("duration:!=59", true, false),
    ("duration:>0:59", true, false), ("duration:>0m59s", true, false), ("duration:>1min", false, false),
    ("duration:<1h", true, false),
    ("ratio:landscape", true, false), ("ratio:Portrait", false, false), ("ratio:square", false, false),
    ("ext:heic", true, false), ("ext:.HEIC", true, false), ("ext:eic", false, false),
    ("ext:jpg", false, false),
    ("-ext:heic", false, true), ("ext:img_1.heic", false, false),
  ])
  func `Numbers and formats are compared`(text: String, isFound: Bool, isUnknownFound: Bool) throws {
    let predicate = try #require(try SearchQuery(parsing: text).predicate)
    #expect(predicate.matches(Self.asset) == isFound)
    #expect(predicate.matches(Self.unknown) == isUnknownFound)
  }

  @Test(arguments: [(3, 4, "portrait"), (4, 4, "square"), (5, 4, "landscape"), (0, 4, nil), (4, 0, nil)])
  func `A picture has exactly one shape`(width: Int, height: Int, shape: String?) throws {
    var asset = Asset.photo("a")
    asset.pixelSize = PixelSize(width: width, height: height)
    let shapes = try ["landscape", "portrait", "square"].filter {
      try SearchQuery(parsing: "ratio:\($0)").predicate?.matches(asset) ?? false
    }
    #expect(shapes == (shape.map { [$0] } ?? []))
  }

  @Test(
    arguments: [
      ("a.jpg", "jpg"), ("a.b.JPG", "JPG"), ("a", nil), (".jpg", nil), ("a.", nil), ("", nil), ("a..x", "x"),
    ] as [(String, String?)])
  func `The extension follows the last dot`(name: String, suffix: String?) {
    let found = Array(name.utf8)[...].fileExtension
    #expect(found.map { String(decoding: $0, as: UTF8.self) } == suffix)
    #expect(suffix.map { Array(name.utf8)[...].hasFileExtension($0.lowercased()) } ?? true)
  }

  @Test(arguments: ["2024-05", "yesterday", "\"12 may 2022\"", "summer"])
  func `A date denotes a range`(text: String) throws {
    let vocabulary = SearchVocabulary(today: AssetDate(year: 2024, month: 5, day: 16))
    let words = text.filter { $0 != "\"" }
    let condition = try SearchQuery(parsing: words, in: vocabulary).texts.first?.condition
    #expect(try SearchQuery(parsing: "date:\(text)", in: vocabulary).predicate == condition)
  }
}
