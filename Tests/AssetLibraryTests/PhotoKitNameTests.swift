import AssetLibrary
import Pixels
import Testing

/// Conveniences under PhotoKit's names.
@Suite struct PhotoKitNameTests {
  private let photos = FetchResult(["a", "b", "c"].map { Asset.photo($0) })

  @Test func `A fetch result has the accessors of an array of objects`() {
    #expect(photos.firstObject?.id == "a" && photos.lastObject?.id == "c")
    #expect(photos.object(at: 1).id == "b" && photos.countOfAssets(with: .image) == 3)
    #expect(FetchResult<Asset>().firstObject == nil && photos.countOfAssets(with: .video) == 0)
  }

  @Test func `Filters have the names of the picker`() {
    #expect(PickerFilter.images == .matching(.images))
    let filter: PickerFilter = .all(of: [.any(of: [.livePhotos, .videos]), .not(.screenRecordings)])
    #expect(
      filter
        == .all([.any([.matching(.livePhotos), .matching(.videos)]), .not(.matching(.screenRecordings))]))
  }

  @Test func `A file name is text for the user`() {
    var resource = AssetResource(
      type: .photo, path: "album/IMG_1.JPG", uniformTypeIdentifier: "public.jpeg", byteCount: 1)
    #expect(resource.originalFilename == "IMG_1.JPG")
    resource.path = FilePath(bytes: [UInt8(ascii: "a"), 0xFF])
    #expect(resource.originalFilename == "a\u{FFFD}")
  }

  @Test func `An asset has a width and a height`() {
    var asset = Asset.photo("a")
    asset.pixelSize = PixelSize(width: 3, height: 2)
    #expect(asset.pixelWidth == 3 && asset.pixelHeight == 2)
  }

  @Test func `A date is a moment`() {
    let inLisbon = AssetDate(year: 2024, month: 5, day: 1, hour: 9, nanosecond: 500_000_000, utcOffset: 3600)
    #expect(inLisbon.timeIntervalSince1970 == 1_714_550_400.5)
    // Without an offset it is this machine's clock, with daylight saving time at that moment.
    for month in [1, 7] {
      let local = AssetDate(year: 2024, month: month, day: 15, hour: 12)
      let again = AssetDate(timeIntervalSince1970: local.timeIntervalSince1970)
      #expect(again.wallSeconds == local.wallSeconds && again.utcOffset != nil)
    }
    let before1970 = AssetDate(timeIntervalSince1970: -0.25)
    #expect(before1970.nanoseconds == 750_000_000 && before1970.timeIntervalSince1970 == -0.25)
    #expect(AssetDate(timeIntervalSince1970: .infinity).components.year >= 9999)
    #expect(AssetDate(timeIntervalSince1970: -.infinity).components.year <= 1)
    #expect(AssetDate(timeIntervalSince1970: .nan).timeIntervalSince1970 == 0)
  }

  @Test func `A change prints as words`() {
    #expect("\([.contents, .access] as LibraryChange)" == "contents, access")
    #expect("\([] as LibraryChange)" == "nothing")
  }
}
