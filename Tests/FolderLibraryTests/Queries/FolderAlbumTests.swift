import AssetLibrary
import Fixtures
import FolderLibrary
import SystemPackage
import Testing

/// Folders as albums.
@Suite struct FolderAlbumTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writePhoto("2024/Lisbon/a.jpg", day: 2)
    try folder.writePhoto("2024/Lisbon/b.jpg", day: 3)
    try folder.writePhoto("2024/c.jpg", day: 1)
    try folder.writePhoto("2023/d.jpg", day: 4)
    try folder.write([], to: "2023/broken.jpg")
    try folder.makeFolder("empty")
    try folder.write(Array("text".utf8), to: "letters/a.txt")
  }

  @Test func `Recents comes first, then the folders with photos, sorted by path`() {
    let collections = folder.library().collections(options: FetchOptions())
    #expect(collections.first?.id == AssetCollection.recents)
    #expect(collections.first?.estimatedAssetCount == 5)
    let albums = collections.filter { $0.type == .album }
    #expect(albums.map(\.title) == [folder.filePath.lastComponent?.string, "2023", "2024", "Lisbon"])
    #expect(albums.map(\.estimatedAssetCount) == [5, 2, 3, 2])
    #expect(albums.map(\.depth) == [0, 1, 1, 2])
    #expect(albums.map(\.path) == ["", "/2023", "/2024", "/2024/Lisbon"].map { FilePath(folder.path + $0) })
  }

  @Test func `Smart albums with photos are listed`() throws {
    try folder.writePhoto("Screenshot 1.jpg")
    let collections = folder.library().collections(of: .smartAlbum, options: FetchOptions())
    #expect(collections.map(\.title) == ["Recents", "Screenshots", "Recently Added"])
  }

  @Test func `An album contains the photos of its folder and of the folders below it`() {
    let library = folder.library()
    for album in library.albums {
      let assets = library.assets(in: album.id, options: FetchOptions())
      #expect(assets.count == album.estimatedAssetCount)
    }
    let lisbon = library.albums.first { $0.title == "Lisbon" }
    #expect(library.assets(in: lisbon?.id, options: FetchOptions()).map(\.name) == ["b.jpg", "a.jpg"])
    #expect(library.assets(in: AssetCollection.recents, options: FetchOptions()).count == 5)
  }

  @Test func `An unknown album is empty`() {
    #expect(folder.library().assets(in: LocalIdentifier("gone"), options: FetchOptions()).isEmpty)
  }

  @Test func `A folder directly precedes its subfolders`() throws {
    for name in ["trip", "trip 2", "trip-b", "trip/day1"] { try folder.writePhoto("all/\(name)/x.jpg") }
    let library = FolderAssetStore(sources: [folder.filePath(of: "all")])
    library.start()
    library.waitUntilComplete()
    #expect(library.albums.map(\.title) == ["all", "trip", "day1", "trip 2", "trip-b"])
  }

  @Test func `A folder is named after itself, not after a link to it`() throws {
    try folder.link("zlatest", to: folder.path + "/2024")
    let titles = folder.library().albums.map(\.title)
    #expect(titles.contains("2024"))
    #expect(!titles.contains("zlatest"))
  }

  @Test func `Counts follow the filter`() {
    let library = folder.library()
    let images = FetchOptions(filter: .matching(.images))
    #expect(library.collections(of: .album, options: images).map(\.estimatedAssetCount) == [4, 1, 3, 2])
    #expect(library.collections(options: images).first?.estimatedAssetCount == 4)
    #expect(library.collections(options: FetchOptions(filter: .matching(.videos))).isEmpty)
  }

  @Test func `Albums keep their identifiers between runs`() {
    #expect(folder.library().albums.map(\.id) == folder.library().albums.map(\.id))
  }

  @Test func `Files that are named individually are in the album of their folder`() {
    let names = ["2024/Lisbon/a.jpg", "2024/Lisbon/b.jpg", "2023/d.jpg"]
    let library = FolderAssetStore.complete(names.map { folder.filePath(of: $0) })
    #expect(library.albums.map(\.title) == ["2023", "Lisbon"])
    #expect(library.albums.map(\.estimatedAssetCount) == [1, 2])
  }

  @Test func `A folder that is spelled in several ways is one album`() throws {
    try folder.link("link", to: folder.path + "/2024")
    let names = ["2024/Lisbon/a.jpg", "./2024/../2024/Lisbon/b.jpg", "link/Lisbon/a.jpg", "link/c.jpg"]
    let library = FolderAssetStore.complete(names.map { folder.filePath(of: $0) })
    // Each photo appears once, in the spelling that was given first.
    let paths = library.all().map { String(decoding: $0.pathBytes, as: UTF8.self) }
    #expect(paths == [names[1], names[0], names[3]].map { "\(folder.path)/\($0)" })
    #expect(library.albums.count == 2)
  }

  @Test func `Folders with the same name are different albums`() throws {
    try folder.writePhoto("2023/Lisbon/e.jpg")
    let names = ["2024/Lisbon/a.jpg", "2023/Lisbon/e.jpg"]
    let library = FolderAssetStore.complete(names.map { folder.filePath(of: $0) })
    #expect(library.albums.map(\.title) == ["Lisbon", "Lisbon"])
    #expect(Set(library.albums.map(\.id)).count == 2)
  }

  static let twice: [[String]] = [
    ["2024", "2024"], ["2024", "2024/Lisbon"], ["2024/Lisbon", "2024"], ["2024", "2024/c.jpg"],
    ["2024/c.jpg", "2024"], ["2024", "2024/c.jpg", "2024/c.jpg"],
  ]

  @Test(arguments: twice)
  func `A source that is named twice appears once`(sources: [String]) {
    let library = FolderAssetStore.complete(sources.map { folder.filePath(of: $0) })
    #expect(library.names.sorted() == ["a.jpg", "b.jpg", "c.jpg"])
    let counts = Dictionary(
      library.albums.map { ($0.title, $0.estimatedAssetCount) }, uniquingKeysWith: { first, _ in first })
    #expect(counts == ["2024": 3, "Lisbon": 2])
    #expect(library.albums.count == 2)
    for album in library.albums {
      let assets = library.assets(in: album.id, options: FetchOptions())
      #expect(assets.count == album.estimatedAssetCount)
    }
  }

  @Test func `A folder of folders is an album, and can be fetched as a list by its identifier`() throws {
    let library = FolderAssetStore.complete([folder.filePath])
    let list = try #require(library.collectionLists(options: FetchOptions()).first)
    #expect(library.assets(in: list.id, options: FetchOptions()).count == 5)
    #expect(
      library.assets(in: FolderAlbum.identifier(at: folder.filePath), options: FetchOptions()).count == 5)
    #expect(FolderAlbum.identifier(at: folder.filePath(of: "2024/c.jpg")) == nil)
    #expect(FolderAlbum.identifier(at: folder.filePath(of: "gone")) == nil)
  }

  @Test func `Nested sources are nested albums, also in searches`() throws {
    let names = ["2024/Lisbon/a.jpg", "2024/c.jpg", "2023/d.jpg"]
    let library = FolderAssetStore.complete(names.map { folder.filePath(of: $0) })
    let counts = Dictionary(
      library.albums.map { ($0.title, $0.estimatedAssetCount) }, uniquingKeysWith: { first, _ in first })
    #expect(counts == ["2024": 2, "Lisbon": 1, "2023": 1])
    var options = FetchOptions()
    options.search = try SearchQuery(parsing: "album:2024")
    #expect(library.all(options).map(\.name) == ["a.jpg", "c.jpg"])
    let texts = library.searchTexts(
      in: .album, beginningWith: "2024", collection: nil, options: FetchOptions())
    #expect(texts.map(\.count) == [2])
  }

  @Test func `Files that are named individually are in the albums of all enclosing folders`() {
    let library = FolderAssetStore.complete(
      ["2024/../2024/Lisbon/a.jpg", "2024", "./2024/c.jpg"].map { folder.filePath(of: $0) })
    #expect(library.albums.map(\.title) == ["2024", "Lisbon"])
    #expect(library.albums.map(\.estimatedAssetCount) == [3, 2])
    for album in library.albums {
      let assets = library.assets(in: album.id, options: FetchOptions())
      #expect(assets.count == album.estimatedAssetCount)
    }
  }
}
