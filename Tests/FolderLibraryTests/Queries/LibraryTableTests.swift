import AssetLibrary
import Fixtures
import Metadata
import Pixels
import SystemPackage
import Testing

@testable import FolderLibrary

/// Fetches, collections and searches in a library of folders.
@Suite struct LibraryTableTests {
  private let photos: TemporaryFolder
  private let store: FolderAssetStore

  init() throws {
    photos = try TemporaryFolder()
    var camera = TestPhoto(width: 16, height: 12, date: .day(3))
    camera.setCamera()
    try photos.write(try camera.bytes(), to: "2024/Lisbon/camera.jpg")
    let tagged = MetadataSegments.xmp(
      attributes: """
        xmp:Rating="4" xmp:CreateDate="2024-05-04T12:00:00" exif:GPSLatitude="38,43.2N" \
        exif:GPSLongitude="9,8.4W"
        """,
      elements: MetadataSegments.list("dc:subject", ["sea", "Größe"])
        + MetadataSegments.list("dc:title", ["On the beach"], kind: "Alt")
        + MetadataSegments.list("Iptc4xmpExt:PersonInImage", ["Ada Lovelace"]))
    try photos.write(
      MetadataSegments.jpeg(MetadataSegments.xmpSegment(tagged)), to: "2024/Lisbon/trip/tagged.jpg")
    try photos.write(PictureFiles.gif(width: 8, height: 9, frames: 3), to: "2023/a.gif")
    try photos.write(PictureFiles.png(width: 1920, height: 1080), to: "2023/b.png")
    for (number, name) in ["x_BURST001.jpg", "x_BURST002_COVER.jpg", "x_BURST003.jpg"].enumerated() {
      try photos.writePhoto("2023/\(name)", day: 10 + number)
    }
    try photos.writePhoto("secret/a.jpg", day: 20)
    try photos.write([], to: "secret/.nomedia")
    try photos.write([], to: "2023/broken.jpg")
    for (number, name) in ["2023/a.gif", "2023/b.png", "2023/broken.jpg"].enumerated() {
      try photos.setModificationTime(1_000_000_000 + number * 86400, of: name)
    }
    store = photos.library()
  }

  @Test func `A selection's metadata of an asset equals the asset's own`() {
    let assets = store.assets(in: nil, options: FetchOptions())
    #expect(assets.count > 5)
    for index in assets.indices { #expect(assets.brief(at: index) == AssetBrief(assets[index])) }
  }

  @Test(arguments: [0, 1, 35, 36, 1295, 1296, 0xDEAD_BEEF, UInt64.max - 1, UInt64.max])
  func `An identifier encodes its number in letters and digits`(number: UInt64) {
    let identifier = LocalIdentifier(number: number)
    #expect(identifier.rawValue == String(number, radix: 36))
    #expect(identifier.number == number)
  }

  @Test func `Lists nest like folders`() throws {
    let lists = Array(store.collectionLists(options: FetchOptions()))
    #expect(lists.map(\.title) == [photos.filePath.lastComponent?.string, "2024", "Lisbon"])
    #expect(lists.map(\.depth) == [0, 1, 2])
    #expect(lists.map(\.parent) == [nil, lists[0].id, lists[1].id])
    let albums = store.albums
    #expect(albums.map(\.title) == [lists[0].title, "2023", "2024", "Lisbon", "trip"])
    #expect(albums.map(\.parent) == [nil, lists[0].id, lists[0].id, lists[1].id, lists[2].id])
  }

  @Test func `Every collection has the asset count and date range that it reports`() {
    for includesHidden in [false, true] {
      var options = FetchOptions()
      options.includeHiddenAssets = includesHidden
      let collections = store.collections(of: .all, options: options)
      #expect(!collections.isEmpty)
      for collection in collections {
        let assets = store.assets(in: collection.id, options: options)
        #expect(assets.countsOfAssets() == FetchResult(Array(assets)).countsOfAssets())
        #expect(assets.count == collection.estimatedAssetCount, "\(collection.title)")
        #expect(assets.count == store.assetCount(in: collection.id, options: options), "\(collection.title)")
        #expect(assets.map(\.creationDate).max() == collection.endDate, "\(collection.title)")
        #expect(assets.map(\.creationDate).min() == collection.startDate, "\(collection.title)")
      }
    }
  }

  @Test func `The hidden album is listed, with its count`() {
    let collections = store.collections(of: .all, options: FetchOptions())
    let hidden = collections.first { $0.id == SmartAlbum.hidden.localIdentifier }
    #expect(hidden?.estimatedAssetCount == 1)
  }

  @Test func `Every folder above an asset is a list, at any depth`() throws {
    let folder = try TemporaryFolder()
    try folder.writePhoto("a/b/c/d.jpg")
    let lists = folder.library().collectionLists(options: FetchOptions())
    #expect(lists.map(\.title).dropFirst() == ["a", "b"])
  }

  @Test(arguments: [true, false])
  func `Names with a common prefix and times within one second are fully sorted`(ascending: Bool) throws {
    let folder = try TemporaryFolder()
    for (name, part) in [("IMG_2024_1.jpg", "5"), ("IMG_2024_2.jpg", "75"), ("IMG_2024_3.jpg", "25")] {
      var photo = TIFFFile()
      photo.text(0x9003, "2024:05:02 14:10:09")
      photo.text(0x9291, part)
      var exif = TIFFFile()
      exif.directory(0x8769, photo)
      try folder.write(MetadataSegments.jpeg(MetadataSegments.exifSegment(exif)), to: name)
    }
    let library = folder.library()
    func numbers(_ key: AssetSortKey) -> String {
      var options = FetchOptions()
      options.sortDescriptors = [AssetSortDescriptor(key: key, ascending: ascending)]
      return library.all(options).map { String($0.name.dropFirst(9).prefix(1)) }.joined()
    }
    #expect(numbers(.filename) == (ascending ? "123" : "321"))
    #expect(numbers(.creationDate) == (ascending ? "312" : "213"))
  }

  @Test func `Smart albums contain the matching assets`() {
    func names(_ album: SmartAlbum) -> [String] {
      store.assets(in: album.localIdentifier, options: FetchOptions()).map(\.name)
    }
    #expect(names(.animated) == ["a.gif"])
    #expect(names(.screenshots) == ["b.png"])
    #expect(names(.bursts) == ["x_BURST002_COVER.jpg"])
    #expect(names(.hidden) == ["a.jpg"])
    #expect(names(.recents).count == 6)
    #expect(names(.videos) == [])
  }

  @Test func `Moments are days, and key assets can be displayed`() throws {
    let moments = Array(store.collections(of: .moment, options: FetchOptions()))
    #expect(
      moments.map(\.title.description).map { $0.prefix(10) } == [
        "2024-05-11", "2024-05-04", "2024-05-03", "2001-09-11", "2001-09-10", "2001-09-09",
      ])
    let album = try #require(store.albums.first { $0.title == "2023" })
    let keys = store.keyAssets(in: album.id, options: FetchOptions())
    #expect(keys.map(\.name) == ["x_BURST002_COVER.jpg", "b.png", "a.gif"])
    #expect(store.keyAssets(in: LocalIdentifier("gone"), options: FetchOptions()).isEmpty)
  }

  @Test func `A burst shows the photo that the camera chose`() throws {
    let cover = try #require(store.all().first { $0.representsBurst })
    #expect(cover.name == "x_BURST002_COVER.jpg")
    let burst = try #require(cover.burstIdentifier)
    let siblings = store.assets(ofBurst: burst, options: FetchOptions())
    #expect(siblings.map(\.name) == ["x_BURST003.jpg", "x_BURST002_COVER.jpg", "x_BURST001.jpg"])
    #expect(siblings.map(\.representsBurst) == [false, true, false])
    #expect(store.assets(ofBurst: "gone", options: FetchOptions()).isEmpty)
    var all = FetchOptions()
    all.includeAllBurstAssets = true
    #expect(store.all(all).count == store.all().count + 2)
  }

  static let series: [(photos: [String], shown: [String])] = [
    // Each series is numbered from 1.
    (
      [
        "IMG_20250616_163308479_BURST001.jpg", "IMG_20250616_163308479_BURST002.jpg",
        "IMG_20251224_190000000_BURST001.jpg", "IMG_20251224_190000000_BURST002_COVER.jpg",
      ],
      ["IMG_20250616_163308479_BURST001.jpg", "IMG_20251224_190000000_BURST002_COVER.jpg"]
    ),
    (
      ["a/IMG_1_BURST1.jpg", "a/IMG_1_BURST2.jpg", "b/IMG_1_BURST1.jpg"],
      ["a/IMG_1_BURST1.jpg", "b/IMG_1_BURST1.jpg"]
    ),
    (
      ["DSC_0001_BURST20240501120000123.JPG", "DSC_0002_BURST20240501120000123_COVER.JPG"],
      ["DSC_0002_BURST20240501120000123_COVER.JPG"]
    ),
    (
      ["00000IMG_00000_BURST20240501120000123.jpg", "00001IMG_00001_BURST20240501120000123.jpg"],
      ["00000IMG_00000_BURST20240501120000123.jpg"]
    ),
    (
      [
        "20231207_101605_001.jpg", "20231207_101605_002.jpg", "20231207_101606_001.jpg",
        "b/20231207_101605_003.jpg",
      ],
      ["20231207_101605_001.jpg", "20231207_101606_001.jpg", "b/20231207_101605_003.jpg"]
    ),
  ]

  @Test(arguments: series)
  func `A burst contains only photos of its own series and folder`(photos: [String], shown: [String]) throws {
    let folder = try TemporaryFolder()
    for (number, name) in photos.enumerated() { try folder.writePhoto(name, day: 1 + number) }
    let store = folder.library()
    let names = { (assets: [Asset]) in
      assets.map { String(decoding: $0.pathBytes.dropFirst(folder.path.utf8.count + 1), as: UTF8.self) }
        .sorted()
    }
    #expect(names(store.all()) == shown.sorted())
    #expect(names(store.everything) == photos.sorted())
  }

  @Test func `A photo numbered by Samsung is in a burst while another of the same second exists`() throws {
    let folder = try TemporaryFolder()
    try folder.writePhoto("20231207_101605_001.jpg")
    let alone = try #require(folder.library().all().first)
    #expect(alone.burstIdentifier == nil)
    #expect(!alone.representsBurst)
    try folder.writePhoto("20231207_101605_002.jpg", day: 2)
    let store = folder.library()
    let shown = try #require(store.all().first)
    #expect(store.all().count == 1)
    #expect(shown.representsBurst)
    let burst = try #require(shown.burstIdentifier)
    #expect(store.assets(ofBurst: burst, options: FetchOptions()).count == 2)
  }

  @Test func `Fetching by identifiers returns assets in the order of the identifiers`() throws {
    let all = store.everything
    let wanted = all.shuffled().map(\.id)
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let gone = LocalIdentifier("0")
    #expect(
      store.assets(withLocalIdentifiers: [gone] + wanted + [LocalIdentifier("no number")], options: options)
        .map(\.id) == wanted)
    let hidden = try #require(all.first { $0.isHidden })
    #expect(store.assets(withLocalIdentifiers: [hidden.id], options: FetchOptions()).isEmpty)
  }

  static let searches: [(String, [String])] = [
    ("camera.jpg", ["camera.jpg"]), ("canon", ["camera.jpg"]), ("camera:\"EOS 90D\"", ["camera.jpg"]),
    ("18-135mm", ["camera.jpg"]), ("sea", ["tagged.jpg"]), ("grosse", ["tagged.jpg"]),
    ("größe", ["tagged.jpg"]),
    ("beach", ["tagged.jpg"]), ("lovelace", ["tagged.jpg"]), ("album:trip", ["tagged.jpg"]),
    ("album:lisbon", ["tagged.jpg", "camera.jpg"]), ("lisbon", ["tagged.jpg", "camera.jpg"]),
    ("person:ada", ["tagged.jpg"]), ("keyword:sea", ["tagged.jpg"]), ("keyword:ada", []),
    ("2001", ["b.png", "a.gif"]), ("may", ["x_BURST002_COVER.jpg", "tagged.jpg", "camera.jpg"]),
    ("3 may", ["camera.jpg"]), ("4 may 2024", ["tagged.jpg"]), ("4 may 2023", []), ("screenshot", ["b.png"]),
    ("lisbon -3 may", ["tagged.jpg"]),
    ("-gif", ["x_BURST002_COVER.jpg", "tagged.jpg", "camera.jpg", "b.png"]),
    ("cover", ["x_BURST002_COVER.jpg"]), ("rating:4", ["tagged.jpg"]), ("rating:>=5", []),
    ("near:38.72,-9.14,5", ["tagged.jpg"]), ("near:0,0,5", []),
    ("after:2024-05-04 before:2024-05-05", ["tagged.jpg"]),
    ("type:gif", ["a.gif"]), ("type:screenshot", ["b.png"]), ("lisbon -canon", ["tagged.jpg"]),
    ("sea canon", []),
    ("before:2020 -type:gif", ["b.png"]), ("nowhere", []),
    ("ext:GIF", ["a.gif"]), ("ext:gi", []), ("-ext:jpg", ["b.png", "a.gif"]),
    ("path:lisbon", ["tagged.jpg", "camera.jpg"]), ("path:lisbon/c", ["camera.jpg"]),
    ("path:Trip/TAG", ["tagged.jpg"]),
    ("path:lsbon", []), ("path:2024/Lisbon/trip/tagged.jpg", ["tagged.jpg"]), ("path:amera", ["camera.jpg"]),
    ("path:canon", []), ("-path:2023", ["tagged.jpg", "camera.jpg"]), ("path:sbon/x", []),
    ("lens:18-135", ["camera.jpg"]), ("lens:canon", []), ("title:beach", ["tagged.jpg"]), ("title:sea", []),
    ("width:1920", ["b.png"]), ("height:<10", ["a.gif"]), ("ratio:portrait ext:gif", ["a.gif"]),
    ("ratio:landscape ext:png", ["b.png"]), ("ratio:square", []), ("size:<1", []), ("duration:>0", []),
    ("date:2024-05-03", ["camera.jpg"]),
    ("sea or canon", ["tagged.jpg", "camera.jpg"]), ("(sea or canon) rating:4", ["tagged.jpg"]),
    ("(canon 3 may) or gif", ["camera.jpg", "a.gif"]),
    ("-(sea or 2001)", ["x_BURST002_COVER.jpg", "camera.jpg"]),
    ("ext:png or sea", ["tagged.jpg", "b.png"]), ("(rating:4 nowhere) or canon", ["camera.jpg"]),
    ("(2001 (gif or sea)) or path:trip", ["tagged.jpg", "a.gif"]),
    ("not (path:2023 or canon)", ["tagged.jpg"]),
  ]

  @Test(arguments: searches)
  func `Searches find matching assets`(text: String, names: [String]) throws {
    var options = FetchOptions()
    options.search = try SearchQuery(parsing: text)
    #expect(store.all(options).map(\.name) == names)
    #expect(store.assetCount(in: nil, options: options) == names.count)
  }

  @Test func `Search completion offers albums, cameras, people and keywords`() {
    func texts(_ prefix: String, _ fields: SearchFields = .all, _ options: FetchOptions = .init()) -> [String]
    {
      // The top folder has a random name.
      store.searchTexts(in: fields, beginningWith: prefix, collection: nil, options: options).filter {
        $0.text != photos.filePath.lastComponent?.string
      }.map { "\($0.text) \($0.count)" }
    }
    #expect(texts("l") == ["Lisbon 2", "Ada Lovelace 1"])
    #expect(
      texts("") == [
        "2023 4", "2024 2", "Lisbon 2", "trip 1", "Canon EOS 90D 1",
        "EF-S18-135mm f/3.5-5.6 IS USM 1", "Ada Lovelace 1", "Größe 1", "sea 1",
      ])
    #expect(texts("gro") == ["Größe 1"])
    #expect(texts("90d", .camera) == ["Canon EOS 90D 1"])
    #expect(texts("sea", .camera).isEmpty && texts("isbon").isEmpty && texts("nowhere").isEmpty)
    #expect(texts("", .album, FetchOptions(filter: .matching(.animated))).contains("2023 1"))
    #expect(texts("sec").isEmpty)
    #expect(texts("", .fileExtension) == ["jpg 4", "gif 1", "png 1"])
    #expect(texts("p", .fileExtension) == ["png 1"])
  }

  static let predicates: [AssetPredicate] = [
    .everyYear(.creationDate, months: [5], day: nil), .everyYear(.creationDate, months: [9, 10], day: 9),
    .mediaType(.image), .mediaType(.video), .isFavorite, .isHidden, .hasLocation, .rating >= 4,
    .pixelWidth > 100, .byteCount < 600, !.hasLocation && .rating < 4, .hasLocation || .pixelWidth > 100,
    .creationDate < AssetDate(year: 2020, month: 1, day: 1), .mediaSubtypes(.animated), .representsBurst,
    .fileExtension("png"), .fileExtension("jpg"), .shape(.portrait), .shape(.landscape), .shape(.square),
    .filter(.any([.matching(.screenshots), .matching(.animated)])),
  ]

  @Test(arguments: predicates)
  func `A predicate gives the same result for rows and assets`(predicate: AssetPredicate) {
    var options = FetchOptions()
    options.includeAllBurstAssets = true
    options.predicate = predicate
    let expected = store.everything.filter {
      !$0.isBroken && (!$0.isHidden || predicate.requestsHidden) && predicate.matches($0)
    }
    #expect(store.all(options) == expected)
  }

  @Test(arguments: AssetSortKey.allCases, [true, false])
  func `Each sort order is the same for rows and assets`(key: AssetSortKey, ascending: Bool) {
    for second in [nil, AssetSortDescriptor(key: .pixelHeight, ascending: false)] {
      var options = FetchOptions()
      options.includeHiddenAssets = true
      options.includeAllBurstAssets = true
      options.sortDescriptors =
        [AssetSortDescriptor(key: key, ascending: ascending)] + (second.map { [$0] } ?? [])
      let expected = store.everything.sorted { options.areInIncreasingOrder($0, $1) }
      #expect(store.all(options).map(\.id) == expected.map(\.id))
    }
  }

  @Test func `A Motion Photo's video is part of its file, and the flag alone is not enough`() throws {
    let claim = MetadataSegments.xmp(
      attributes: "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset=\"\(MetadataSegments.video.count)\"")
    let still = MetadataSegments.jpeg(MetadataSegments.xmpSegment(claim))
    let folder = try TemporaryFolder()
    try folder.write(still + MetadataSegments.video, to: "motion.jpg")
    try folder.write(still + [UInt8](repeating: 7, count: 200), to: "still.jpg")
    let library = folder.library()
    let assets = library.assets(in: nil, options: FetchOptions())
    for index in assets.indices { #expect(assets.brief(at: index) == AssetBrief(assets[index])) }
    let motion = try #require(library.all().first { $0.name == "motion.jpg" })
    #expect(motion.playbackStyle == .livePhoto)
    #expect(motion.mediaSubtypes == .livePhoto)
    let video = try #require(motion.resources.first { $0.type == .pairedVideo })
    #expect(video.byteRange == still.count..<still.count + MetadataSegments.video.count)
    let reader = try library.reader(for: video)
    #expect(try reader.bytes(in: 0..<reader.count) == MetadataSegments.video)
    let plain = try #require(library.all().first { $0.name == "still.jpg" })
    #expect(plain.mediaSubtypes == [])
    #expect(plain.resources.count == 1)
  }

  @Test func `An edited rendition represents its asset, with its own size`() throws {
    let folder = try TemporaryFolder()
    try folder.write(try TestPhoto(width: 64, height: 48, date: .day(1)).bytes(), to: "IMG_0001.JPG")
    try folder.write(try TestPhoto(width: 32, height: 40, date: .day(2)).bytes(), to: "IMG_E0001.JPG")
    let asset = try #require(folder.library().all().first)
    #expect(folder.library().all().count == 1)
    #expect(asset.hasAdjustments)
    #expect(asset.name == "IMG_E0001.JPG")
    #expect(asset.pixelSize == PixelSize(width: 32, height: 40))
    #expect(asset.creationDate.components.day == 1)
    #expect(asset.resource(for: .unadjusted)?.filename == Array("IMG_0001.JPG".utf8))
    #expect(asset.presenting(.original).pixelSize == PixelSize(width: 64, height: 48))
    #expect(try folder.library().identifiers(at: folder.filePath(of: "IMG_0001.JPG")) == [asset.id])
  }

  @Test func `A photo that the ledger has known for long is not recently added`() throws {
    let library = try TestLibrary()
    try library.photos.writePhoto("old.jpg")
    try library.photos.writePhoto("new.jpg")
    _ = library.snapshot()
    let recent = {
      library.open().assets(in: SmartAlbum.recentlyAdded.localIdentifier, options: .init()).map(\.name)
    }
    #expect(recent().sorted() == ["new.jpg", "old.jpg"])
    try library.age("old.jpg", bySeconds: 40 * 86400)
    #expect(recent() == ["new.jpg"])
  }

  @Test func `A path yields its assets however it leads to them`() throws {
    try photos.link("way", to: "2024")
    try photos.link("file.jpg", to: "2023/b.png")
    let folder = try TemporaryFolder()
    try folder.link("outside", to: photos.path + "/2024/Lisbon")
    func identifiers(_ path: FilePath) throws -> Int { try store.identifiers(at: path).count }
    #expect(try identifiers(photos.filePath) == 9)
    #expect(try identifiers(photos.filePath(of: "way")) == 2)
    #expect(try identifiers(folder.filePath(of: "outside")) == 2)
    #expect(try identifiers(photos.filePath(of: "file.jpg")) == 1)
    #expect(try identifiers(folder.filePath) == 0)
  }
}
