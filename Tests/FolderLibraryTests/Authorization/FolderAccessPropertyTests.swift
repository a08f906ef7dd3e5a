import AssetLibrary
import Fixtures
import SystemPackage
import Testing

@testable import FolderLibrary

/// No answer of a folder library to a client with limited access contains other photos.
@Suite struct FolderAccessPropertyTests {
  @Test(arguments: 0..<12 as Range<UInt64>)
  func `No answer reveals a photo that is not allowed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let library = try TestLibrary()
    let folders = ["", "trip/", "trip/beach/", "secretalbum/"]
    let count = Int.random(in: 4...14, using: &random)
    for number in 0..<count {
      let folder = folders.randomElement(using: &random) ?? ""
      try library.photos.writePhoto(
        "\(folder)\(number % 5 == 0 ? "." : "")secret\(number)x.jpg", day: .random(in: 1...28, using: &random)
      )
    }
    let store = library.open()
    var everything = FetchOptions()
    everything.includeHiddenAssets = true
    everything.includeAllBurstAssets = true
    let all = Array(store.assets(in: nil, options: everything))
    #expect(all.count == count)
    let allowed = Set(all.filter { _ in .random(using: &random) }.map(\.id))
    let access = LibraryAccessController(
      store: store, images: NoImages(),
      decision: AccessDecision(readWrite: .limited, allowed: AllowedAssets(allowed)),
      consentRequest: ConsentRequest(client: "test"), consent: NoConsentPresenter())
    let client = access.manager
    let others = all.filter { !allowed.contains($0.id) }
    let names =
      others.map { String(decoding: $0.nameBytes, as: UTF8.self) } + ["secretalbum"]

    func check(_ what: String, _ answer: some Any, place: SourceLocation = #_sourceLocation) {
      let text = String(reflecting: answer)
      for name in names {
        #expect(!text.contains(name), "\(what): \(name)", sourceLocation: place)
      }
    }
    func check(_ what: String, assets: FetchResult<Asset>, place: SourceLocation = #_sourceLocation) {
      #expect(allowed.isSuperset(of: assets.identifiers), "\(what)", sourceLocation: place)
      #expect(assets.count <= allowed.count, sourceLocation: place)
      check(what, assets.map { String(decoding: $0.nameBytes, as: UTF8.self) }, place: place)
    }

    let collections =
      store.collections(of: .all, options: everything).map(\.id)
      + store.collectionLists(options: everything).map(\.id) + SmartAlbum.allCases.map(\.localIdentifier)
    for var options in [FetchOptions(), everything] {
      options.fetchLimit = [0, 2].randomElement(using: &random) ?? 0
      check("all", assets: client.fetchAssets(in: nil, options: options))
      #expect(client.assetCount(in: nil, options: options) <= allowed.count)
      check(
        "by identifier", assets: client.fetchAssets(withLocalIdentifiers: all.map(\.id), options: options))
      check("burst", assets: client.fetchAssets(ofBurst: "b", options: options))
      for collection in collections {
        check("in \(collection)", assets: client.fetchAssets(in: collection, options: options))
        check("key assets", assets: client.fetchKeyAssets(in: collection, options: options))
        #expect(client.assetCount(in: collection, options: options) <= allowed.count)
      }
      let found = client.fetchCollections(of: .all, options: options)
      #expect(found.allSatisfy { $0.type == .smartAlbum })
      #expect(found.allSatisfy { $0.estimatedAssetCount ?? 0 <= allowed.count })
      check("collections", Array(found))
      #expect(client.fetchCollectionLists(options: options).isEmpty)
      for prefix in ["", "s", "secret", "trip", "c"] {
        check(
          "search texts",
          client.searchTexts(in: .all, beginningWith: prefix, collection: nil, options: options))
      }
      for word in ["secretalbum", "album:secretalbum", "beach"] {
        var search = options
        search.search = try SearchQuery(parsing: word, in: SearchVocabulary())
        check("search \(word)", assets: client.fetchAssets(in: nil, options: search))
      }
    }
    check("status", client.libraryStatus)
    #expect(client.libraryStatus.assetCount == allowed.count)
    for asset in others {
      #expect(throws: AssetError.self) { try client.details(of: asset) }
      #expect(throws: AssetError.self) { try client.performChanges([.setFavorite(asset.id, true)]) }
    }
  }
}
