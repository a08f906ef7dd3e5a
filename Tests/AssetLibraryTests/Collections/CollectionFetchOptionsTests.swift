import AssetLibrary
import Fixtures
import SystemPackage
import Testing

/// Predicates and sort descriptors of collections, and the collections that contain an asset.
@Suite struct CollectionFetchOptionsTests {
  private let store = MemoryAssetStore()
  private let favorites = UserAlbum.newIdentifier()

  init() throws {
    for (index, album) in ["Trips/Lisbon", "Trips/Oslo 10", "Trips/Oslo 2", "Trips/Oslo 2", "Home"]
      .enumerated()
    {
      store.add(
        Asset(
          localIdentifier: LocalIdentifier("\(index)"), mediaType: index == 4 ? .video : .image,
          pixelSize: .zero,
          creationDate: AssetDate(year: 2020 + index, month: 1, day: 1),
          resources: [
            AssetResource(
              type: .photo, path: FilePath("/\(index).jpg"), uniformTypeIdentifier: "public.jpeg",
              byteCount: 1)
          ]), album: album)
    }
    try store.perform([
      .createAlbum(favorites, title: "Favorite trips"),
      .addAssets([LocalIdentifier("0"), LocalIdentifier("2")], to: favorites),
    ])
  }

  private func manager(
    _ decision: AccessDecision = AccessDecision(readWrite: .authorized)
  ) -> any AssetManager {
    LibraryAccessController(
      store: store, images: NoImages(), decision: decision, consentRequest: ConsentRequest(client: "test"),
      consent: NoConsentPresenter()
    ).manager
  }

  private func titles(_ body: (inout CollectionFetchOptions) -> Void) -> [String] {
    var options = CollectionFetchOptions(types: .album)
    body(&options)
    return manager().fetchCollections(options).map(\.title)
  }

  @Test func `Collections are filtered by type, subtype, title, asset count and dates`() {
    #expect(titles { _ in } == ["Favorite trips", "Home", "Trips", "Lisbon", "Oslo 10", "Oslo 2"])
    #expect(titles { $0.predicate = .title(contains: "OSLO") } == ["Oslo 10", "Oslo 2"])
    #expect(titles { $0.predicate = .title(contains: "oslo") && .assetCount >= 2 } == ["Oslo 2"])
    #expect(titles { $0.predicate = !(.assetCount > 1) } == ["Home", "Lisbon", "Oslo 10"])
    let newYear = AssetDate(year: 2022, month: 1, day: 1)
    #expect(titles { $0.predicate = .date(.startDate, .greaterOrEqual, newYear) } == ["Home", "Oslo 2"])
    #expect(
      titles { $0.predicate = .date(.endDate, .less, newYear) || .title(contains: "home") }
        == ["Home", "Lisbon", "Oslo 10"])
    #expect(titles { $0.subtypes = [.smartAlbumVideos] } == [])
    let smart = CollectionFetchOptions(types: .all, subtypes: [.smartAlbumVideos])
    #expect(manager().fetchCollections(smart).map(\.title) == ["Videos"])
    #expect(titles { $0.assets.filter = .matching(.videos) } == ["Home"])
  }

  @Test func `Collections are sorted by every key in both directions, and limited afterwards`() {
    func sorted(_ key: CollectionSortDescriptor.Key, _ ascending: Bool, limit: Int = 0) -> [String] {
      titles {
        $0.predicate = .title(contains: "o")
        $0.sortDescriptors = [CollectionSortDescriptor(key, ascending: ascending)]
        $0.fetchLimit = limit
      }
    }
    #expect(sorted(.title, true) == ["Favorite trips", "Home", "Lisbon", "Oslo 2", "Oslo 10"])
    #expect(sorted(.title, false, limit: 2) == ["Oslo 10", "Oslo 2"])
    #expect(sorted(.startDate, true) == ["Favorite trips", "Lisbon", "Oslo 10", "Oslo 2", "Home"])
    #expect(sorted(.endDate, false, limit: 1) == ["Home"])
    // Collections with equal counts keep the library's order.
    #expect(sorted(.assetCount, false) == ["Favorite trips", "Oslo 2", "Home", "Lisbon", "Oslo 10"])
  }

  @Test func `The collections of an asset are those it can be fetched from, and count all their assets`() {
    let all = manager()
    for asset in all.fetchAssets(in: nil, options: FetchOptions()) {
      let found = all.fetchCollections(containing: asset.id, of: .all, options: FetchOptions())
      let expected = all.fetchCollections(of: .all, options: FetchOptions()).filter {
        all.fetchAssets(in: $0.id, options: FetchOptions()).identifiers.contains(asset.id)
      }
      #expect(Array(found) == Array(expected))
    }
    let two = all.fetchCollections(containing: LocalIdentifier("2"), of: .album, options: FetchOptions())
    #expect(
      two.map { "\($0.title) \($0.estimatedAssetCount ?? 0)" } == ["Favorite trips 2", "Trips 4", "Oslo 2 2"])
    #expect(all.fetchCollections(containing: LocalIdentifier("9"), of: .all, options: FetchOptions()).isEmpty)
  }

  @Test func `A client with limited access gets no albums`() {
    let limited = manager(AccessDecision(readWrite: .limited, allowed: AllowedAssets([LocalIdentifier("2")])))
    let found = limited.fetchCollections(containing: LocalIdentifier("2"), of: .all, options: FetchOptions())
    #expect(found.map(\.title) == ["Recents"])
    #expect(
      limited.fetchCollections(containing: LocalIdentifier("0"), of: .all, options: FetchOptions()).isEmpty)
  }
}
