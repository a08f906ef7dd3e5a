import AssetLibrary
import SystemPackage
import Testing

@Suite struct MemoryAssetStoreTests {
  private let store = MemoryAssetStore()

  private func names(_ collection: LocalIdentifier? = nil, _ options: FetchOptions = .init()) -> [String] {
    store.assets(in: collection, options: options).map(\.id.rawValue)
  }

  @Test func `Albums contain their added assets, Recents everything`() {
    store.add(.photo("a", day: 1), album: "Lisbon")
    store.add(.photo("b", day: 2))
    #expect(names() == ["b", "a"])
    #expect(names(AssetCollection.recents) == ["b", "a"])
    #expect(names(LocalIdentifier("Lisbon")) == ["a"])
    let collections = store.collections(options: FetchOptions())
    #expect(collections.map(\.title) == ["Recents", "Lisbon"])
    #expect(collections.map(\.type) == [.smartAlbum, .album])
  }

  @Test func `An unknown album is empty`() {
    store.add(.photo("a"), album: "Lisbon")
    #expect(names(LocalIdentifier("Porto")).isEmpty)
    #expect(names(LocalIdentifier("Lisbon")) == ["a"])
  }

  @Test func `An empty album is not listed`() {
    store.add(.photo("a"), album: "Lisbon")
    #expect(store.collections(options: FetchOptions()).map(\.title) == ["Recents", "Lisbon"])
    store.remove(LocalIdentifier("a"))
    #expect(store.collections(options: FetchOptions()).isEmpty)
  }

  @Test func `An asset replaces the one with the same identifier`() {
    store.add(.photo("a", size: 1))
    store.add(.photo("a", size: 2))
    #expect(store.assets(in: nil, options: FetchOptions()).map { $0.primaryResource?.byteCount } == [2])
  }

  @Test func `A path yields its asset, a folder all assets below it`() throws {
    let photo = Asset.photo("a")
    store.add(photo)
    store.add(.photo("b"))
    let path = try #require(photo.primaryResource?.path)
    #expect(try store.identifiers(at: path) == [photo.id])
    #expect(try store.identifiers(at: path.removingLastComponent()).count == 2)
    #expect(throws: AssetError("nowhere", "no such file or folder", code: .notFound)) {
      try store.identifiers(at: "nowhere")
    }
  }

  @Test func `A file that another asset has, too, stays when a deleted one is deleted for good`() throws {
    let (old, new) = (Asset.photo("old"), Asset.photo("new"))
    store.add(old, bytes: [1])
    try store.perform([.delete([old.id])])
    var same = new
    same.resources = old.resources
    store.add(same, bytes: [2])
    let resource = try #require(old.primaryResource)
    try store.perform([.deletePermanently([old.id])])
    #expect(try store.reader(for: resource).count == 1)
    try store.perform([.delete([new.id])])
    try store.perform([.deletePermanently([new.id])])
    #expect(throws: AssetError.self) { try store.reader(for: resource) }
  }

  @Test func `A fetch result does not change later`() {
    store.add(.photo("a"))
    let before = store.assets(in: nil, options: FetchOptions())
    store.remove(LocalIdentifier("a"))
    #expect(before.count == 1)
    #expect(names().isEmpty)
  }

  @Test(arguments: [(0, 5), (3, 3), (9, 5)])
  func `A limit returns the first assets`(limit: Int, count: Int) {
    for number in 0..<5 { store.add(.photo("\(number)", day: 9 - number)) }
    var options = FetchOptions()
    options.fetchLimit = limit
    #expect(names(nil, options) == (0..<count).map(String.init))
  }

  static let reads: [(Range<Int>, [UInt8])] = [
    (0..<4, [1, 2, 3, 4]), (2..<9, [3, 4, 5]), (5..<9, []), (9..<12, []),
  ]

  @Test(arguments: reads)
  func `Bytes can be read at any offset`(range: Range<Int>, bytes: [UInt8]) throws {
    let asset = Asset.photo("a")
    store.add(asset, bytes: [1, 2, 3, 4, 5])
    let reader = try store.reader(for: try #require(asset.primaryResource))
    #expect(reader.count == 5)
    #expect(try reader.bytes(in: range) == bytes)
  }

  @Test func `A missing resource is an error`() throws {
    let resource = try #require(Asset.photo("gone").primaryResource)
    #expect(throws: AssetError("p/gone", "no such resource", code: .notFound)) {
      try store.reader(for: resource)
    }
  }

  @Test func `An element is found at any position`() {
    let result = FetchResult((0..<10).map { Asset.photo("\($0)") })
    for hint in [0, 3, 9, 10, -1] { #expect(result.index(of: LocalIdentifier("3"), near: hint) == 3) }
    #expect(result.index(of: LocalIdentifier("x")) == nil)
  }

  static let words: [(String, AuthorizationStatus?)] = [
    ("notDetermined", .notDetermined), ("not-determined", .notDetermined), ("LIMITED", .limited),
    ("authorized", .authorized), ("denied", .denied), ("Restricted", .restricted), ("granted", nil),
    ("", nil),
  ]

  @Test(arguments: words)
  func `Every status has a name`(word: String, status: AuthorizationStatus?) {
    #expect(AuthorizationStatus(word: word) == status)
  }
}
