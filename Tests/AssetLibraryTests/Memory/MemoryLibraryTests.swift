import AssetLibrary
import Testing

/// Collections, searches and changes of a library in memory.
@Suite struct MemoryLibraryTests {
  private let store = MemoryAssetStore { AssetDate(year: 2024, month: 5, day: 20) }

  private func names(_ options: FetchOptions = .init(), in collection: LocalIdentifier? = nil) -> [String] {
    store.assets(in: collection, options: options).map(\.id.rawValue)
  }

  private func titles(_ types: CollectionTypes, _ options: FetchOptions = .init()) -> [String] {
    store.collections(of: types, options: options).map(\.title)
  }

  private func changed(_ name: String, day: Int = 1, _ change: (inout Asset) -> Void) -> Asset {
    var asset = Asset.photo(name, day: day)
    change(&asset)
    return asset
  }

  @Test func `Smart albums come first, then albums by path, then moments, newest first`() {
    store.add(changed("a", day: 1) { $0.mediaSubtypes = .raw }, album: "Trips/Lisbon")
    store.add(changed("b", day: 2) { $0.isFavorite = true }, album: "Trips 2")
    store.add(.photo("c", day: 3), album: "Trips")
    let smart = ["Recents", "Favorites", "RAW", "Recently Added"]
    let albums = ["Trips", "Lisbon", "Trips 2"]
    let moments = ["2024-05-03, 00:00", "2024-05-02, 00:00", "2024-05-01, 00:00"]
    #expect(titles(.all) == smart + albums + moments)
    #expect(store.collections(options: FetchOptions()).map(\.title) == smart + albums)
    #expect(titles(.moment) == moments)
    for collection in store.collections(of: .all, options: FetchOptions()) {
      #expect(names(in: collection.id).count == collection.estimatedAssetCount)
    }
  }

  @Test func `A removed and restored asset is in no album`() {
    store.add(.photo("a"), album: "Lisbon")
    store.add(.photo("b"), album: "Lisbon")
    store.remove(LocalIdentifier("a"))
    store.add(.photo("a"))
    #expect(names(in: LocalIdentifier("Lisbon")) == ["b"])
  }

  @Test func `Collections know their date range`() throws {
    store.add(.photo("a", day: 1))
    store.add(.photo("b", day: 3))
    let recents = try #require(store.collections(options: FetchOptions()).first)
    #expect(recents.startDate == AssetDate(year: 2024, month: 5, day: 1))
    #expect(recents.endDate == AssetDate(year: 2024, month: 5, day: 3))
  }

  @Test func `Lists nest and contain the non-empty albums`() {
    store.add(.photo("a"), album: "Trips/2024/Lisbon")
    store.add(changed("b") { $0.mediaType = .video }, album: "Films/x")
    let lists = store.collectionLists(options: FetchOptions())
    #expect(lists.map(\.title) == ["Films", "Trips", "2024"])
    #expect(lists.map(\.depth) == [0, 0, 1])
    #expect(lists.map(\.parent) == [nil, nil, lists[1].id])
    let album = store.collections(of: .album, options: FetchOptions()).last
    #expect(album?.parent == lists[2].id)
    #expect(
      store.collectionLists(options: FetchOptions(filter: .matching(.videos))).map(\.title) == ["Films"])
  }

  @Test func `Hidden assets are in Hidden if hidden assets are shown`() {
    store.add(changed("a") { $0.isHidden = true }, album: "Lisbon")
    #expect(titles(.all).isEmpty)
    var options = FetchOptions()
    options.includeHiddenAssets = true
    #expect(titles(.default, options) == ["Hidden", "Lisbon"])
    #expect(titles(.default, FetchOptions(filter: .matching(.hidden))) == ["Hidden", "Lisbon"])
    #expect(names(options, in: SmartAlbum.hidden.localIdentifier) == ["a"])
  }

  @Test func `A filter does not change the division into moments`() throws {
    for (name, hour) in [("a", 8), ("b", 11), ("c", 14)] {
      store.add(
        changed(name) {
          $0.creationDate = AssetDate(year: 2024, month: 5, day: 1, hour: hour)
          $0.isFavorite = name != "b"
        })
    }
    let all = store.collections(of: .moment, options: FetchOptions())
    let favorites = store.collections(of: .moment, options: FetchOptions(filter: .matching(.favorites)))
    #expect(all.map(\.id) == favorites.map(\.id))
    #expect(all.map(\.estimatedAssetCount) == [3])
    #expect(favorites.map(\.estimatedAssetCount) == [2])
  }

  @Test func `Assets are returned in the order of the identifiers`() {
    for name in ["a", "b", "c"] { store.add(.photo(name)) }
    store.add(changed("h") { $0.isHidden = true })
    store.add(changed("s") { $0.burstIdentifier = "b" })
    let identifiers = ["c", "x", "h", "s", "a", "c"].map { LocalIdentifier($0) }
    var options = FetchOptions(sort: .name)
    let found = store.assets(withLocalIdentifiers: identifiers, options: options)
    #expect(found.map(\.id.rawValue) == ["c", "s", "a"])
    options.fetchLimit = 1
    #expect(store.assets(withLocalIdentifiers: identifiers, options: options).map(\.id.rawValue) == ["c"])
  }

  @Test func `A burst counts as one photo unless all are requested`() {
    for name in ["a", "b", "c"] {
      store.add(
        changed(name) {
          $0.burstIdentifier = "burst"
          $0.representsBurst = name == "b"
        })
    }
    store.add(.photo("single"))
    #expect(names() == ["b", "single"])
    #expect(names(FetchOptions(filter: .matching(.bursts))) == ["b"])
    #expect(names(in: SmartAlbum.bursts.localIdentifier) == ["b"])
    let siblings = store.assets(ofBurst: "burst", options: FetchOptions())
    #expect(siblings.map(\.id.rawValue) == ["a", "b", "c"])
  }

  @Test func `The newest three displayable photos represent a collection`() {
    for day in 1...5 { store.add(.photo("\(day)", day: day)) }
    store.add(changed("9", day: 9) { $0.defect = "the file is empty" })
    let key = store.keyAssets(in: AssetCollection.recents, options: FetchOptions(sort: .oldest))
    #expect(key.map(\.id.rawValue) == ["5", "4", "3"])
  }

  static let searches: [(String, [String])] = [
    ("beach", ["beach.jpg"]), ("lisbon", ["beach.jpg", "tram.jpg"]), ("canon", ["tram.jpg"]),
    ("lisbon canon", ["tram.jpg"]), ("ana", ["tram.jpg"]), ("sunset", ["beach.jpg"]),
    ("rating:5", ["tram.jpg"]),
    ("-canon", ["beach.jpg"]), ("EF50", ["tram.jpg"]), ("yellow", ["tram.jpg"]), ("fado", ["tram.jpg"]),
    ("rating:>=1 beach", []), ("album:lisbon camera:canon", ["tram.jpg"]), ("xyzzy", []),
    ("trips", ["beach.jpg", "tram.jpg"]), ("album:trips", ["beach.jpg", "tram.jpg"]),
    ("person:ana", ["tram.jpg"]), ("keyword:sun", ["beach.jpg"]), ("2024", ["beach.jpg", "tram.jpg"]),
    ("favorite", []), ("beach photos", ["beach.jpg"]),
    ("path:p/be", ["beach.jpg"]), ("path:lisbon", []), ("ext:jpg", ["beach.jpg", "tram.jpg"]),
    ("ext:png", []),
    ("lens:ef50", ["tram.jpg"]), ("title:fado", ["tram.jpg"]), ("title:tram", []),
    ("sunset or canon", ["beach.jpg", "tram.jpg"]), ("(sunset or xyzzy) lisbon", ["beach.jpg"]),
    ("-(sunset or xyzzy)", ["tram.jpg"]), ("rating:5 or sunset", ["beach.jpg", "tram.jpg"]),
    ("(rating:5 sunset) or xyzzy", []),
  ]

  @Test(arguments: searches)
  func `Search words match every text of an asset`(text: String, expected: [String]) throws {
    var details = AssetDetails()
    details.keywords = ["sunset"]
    store.add(.photo("beach.jpg"), album: "Trips/Lisbon", details: details)
    details.keywords = []
    details.camera = "Canon EOS 90D"
    details.lens = "EF50mm"
    details.people = ["Ana"]
    details.title = "Yellow"
    details.caption = "After the fado"
    store.add(changed("tram.jpg") { $0.rating = 5 }, album: "Trips/Lisbon", details: details)
    var options = FetchOptions(sort: .name)
    options.search = try SearchQuery(parsing: text)
    #expect(names(options) == expected)
    #expect(store.assets(in: AssetCollection.recents, options: options).count == expected.count)
  }

  @Test func `Changes are made completely or not at all, and observers are notified`() throws {
    store.add(.photo("a"))
    store.add(.photo("b"))
    let told = Counter()
    store.observeChanges { _ in told.increment() }
    let (a, b) = (LocalIdentifier("a"), LocalIdentifier("b"))
    try store.perform([.setFavorite(a, true), .setHidden(b, true)])
    #expect(names(FetchOptions(filter: .matching(.favorites))) == ["a"])
    #expect(names(FetchOptions(filter: .matching(.hidden))) == ["b"])
    #expect(told.count == 1)
    #expect(throws: AssetError("x", "no such asset", code: .notFound)) {
      try store.perform([.setFavorite(a, false), .setHidden(LocalIdentifier("x"), true)])
    }
    #expect(names(FetchOptions(filter: .matching(.favorites))) == ["a"])
    #expect(told.count == 1)
    try store.perform([.setFavorite(a, false)])
    #expect(names(FetchOptions(filter: .matching(.favorites))).isEmpty)
  }

  @Test func `Bytes become an asset with its marks, once, and undo deletes it`() throws {
    var creation = AssetCreation(name: "new")
    creation.addResource(.photo, .data([1, 2, 3]))
    creation.addResource(.pairedVideo, .data([4]))
    let new = try store.prepareAsset(creation, comparedWith: FetchOptions())
    #expect(names(FetchOptions()).isEmpty)
    let undo = try store.perform([.createAsset(new), .setFavorite(new, true), .setHidden(new, false)])
    #expect(undo == [.delete([new])])
    let asset = try #require(store.assets(in: nil, options: FetchOptions()).first)
    #expect(asset.id == new && asset.isFavorite && asset.resources.count == 2)
    let reader = try store.reader(for: asset.resources[1])
    #expect(try reader.bytes(in: 0..<reader.count) == [4])
    // The same bytes are the same asset.
    #expect(try store.prepareAsset(creation, comparedWith: FetchOptions()) == new)
    #expect(try store.perform([.createAsset(new)]).isEmpty)
    let redo = try store.perform(undo)
    #expect(store.assets(in: nil, options: FetchOptions()).isEmpty && redo == [.restore([new])])
    #expect(throws: AssetError.self) { try store.perform([.createAsset(LocalIdentifier("other"))]) }
    var files = AssetCreation()
    files.addResource(.photo, .file("/a.jpg"))
    #expect(throws: AssetError.self) { try store.prepareAsset(files, comparedWith: nil) }
  }

  @Test func `A resource may be a part of its file`() throws {
    let asset = Asset.photo("a")
    store.add(asset, bytes: [1, 2, 3, 4, 5])
    var resource = try #require(asset.primaryResource)
    resource.byteRange = 2..<4
    let reader = try store.reader(for: resource)
    #expect(try reader.bytes(in: 0..<reader.count) == [3, 4])
  }
}
