import AssetLibrary
import Fixtures
import Pixels
import Synchronization
import TestScheduling
import Testing

/// Under limited access a library appears to contain only the allowed assets.
@Suite struct LimitedAccessPropertyTests {
  private static let now = AssetDate(year: 2024, month: 6, day: 1)

  /// A random library with some allowed assets, and another with only those, in no album.
  private struct World {
    let store = MemoryAssetStore(now: { now })
    let confined = MemoryAssetStore(now: { now })
    var allowed: Set<LocalIdentifier> = []
    var others: [Asset] = []
    let access: LibraryAccessController
    let twin: any AssetManager

    init(_ random: inout some RandomNumberGenerator) {
      for number in 0..<Int.random(in: 1...30, using: &random) {
        var asset = Asset.photo("secret\(number)", day: .random(in: 1...31, using: &random))
        asset.isFavorite = .random(using: &random)
        asset.isHidden = Int.random(in: 0..<5, using: &random) == 0
        if Int.random(in: 0..<3, using: &random) == 0 {
          asset.burstIdentifier = "burst\(Int.random(in: 0..<3, using: &random))"
          asset.representsBurst = .random(using: &random)
        }
        let album = ["Lisbon", "Trips/Porto", "Trips/2024/Rome", nil].randomElement(using: &random) ?? nil
        store.add(asset, album: album, details: AssetDetails())
        if .random(using: &random) {
          allowed.insert(asset.id)
          confined.add(asset, details: AssetDetails())
        } else {
          others.append(asset)
        }
      }
      access = LibraryAccessController(
        store: store, images: OpenImages(), status: .limited, allowed: allowed,
        consentRequest: ConsentRequest(client: "test"), consent: NoConsentPresenter())
      twin =
        LibraryAccessController(
          store: confined, images: NoImages(), status: .authorized,
          consentRequest: ConsentRequest(client: "test"), consent: NoConsentPresenter()
        ).manager
    }

    static func options(_ random: inout some RandomNumberGenerator) -> FetchOptions {
      var options = FetchOptions(
        filter: [nil, .matching(.favorites), .matching(.images), .matching(.hidden)].randomElement(
          using: &random)
          ?? nil, sort: [AssetSort.newest, .oldest, .name].randomElement(using: &random) ?? .newest)
      options.fetchLimit = [0, 0, 3].randomElement(using: &random) ?? 0
      options.includeHiddenAssets = .random(using: &random)
      options.includeAllBurstAssets = .random(using: &random)
      return options
    }
  }

  @Test(arguments: 0..<UInt64(TestSize.count(80, long: 200)))
  func `Every fetch, count and collection equals that of a library with only the allowed assets`(seed: UInt64)
  {
    var random = SeededGenerator(seed: seed)
    let world = World(&random)
    let (client, twin) = (world.access.manager, world.twin)
    let everything = (world.others.map(\.id) + world.allowed).sorted()
    for _ in 0..<6 {
      let options = World.options(&random)
      let smartAlbums = SmartAlbum.allCases.map(\.localIdentifier)
      for collection in [nil] + smartAlbums {
        #expect(
          client.fetchAssets(in: collection, options: options)
            == twin.fetchAssets(in: collection, options: options))
        #expect(
          client.assetCount(in: collection, options: options)
            == twin.assetCount(in: collection, options: options))
      }
      for album in smartAlbums {
        #expect(
          client.fetchKeyAssets(in: album, options: options)
            == twin.fetchKeyAssets(in: album, options: options))
      }
      for collection in world.store.collections(of: .all, options: options)
      where collection.type != .smartAlbum {
        #expect(client.fetchAssets(in: collection.id, options: options).isEmpty)
        #expect(client.fetchKeyAssets(in: collection.id, options: options).isEmpty)
      }
      #expect(
        client.fetchAssets(withLocalIdentifiers: everything, options: options)
          == twin.fetchAssets(withLocalIdentifiers: everything, options: options))
      for burst in ["burst0", "burst1", "burst2"] {
        #expect(
          client.fetchAssets(ofBurst: burst, options: options)
            == twin.fetchAssets(ofBurst: burst, options: options))
      }
      // Including counts and dates; titles are the same in every library.
      #expect(
        client.fetchCollections(of: .all, options: options)
          == twin.fetchCollections(of: .smartAlbum, options: options))
      #expect(client.fetchCollectionLists(options: options).isEmpty)
      for prefix in ["", "s", "lis"] {
        #expect(
          client.searchTexts(in: .all, beginningWith: prefix, collection: nil, options: options)
            == twin.searchTexts(in: .all, beginningWith: prefix, collection: nil, options: options))
      }
    }
    #expect(client.libraryStatus == twin.libraryStatus)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `Nothing of a disallowed asset is returned, even to a client that knows it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let world = World(&random)
    let client = world.access.manager
    for asset in world.others {
      let refusal = AssetError(
        asset.id.rawValue, "not among the photos that 'test' may see", code: .accessDenied)
      #expect(throws: refusal) { try client.details(of: asset) }
      #expect(throws: refusal) { try client.performChanges([.setFavorite(asset.id, true)]) }
      #expect(throws: refusal) {
        _ = try client.frames(
          of: FrameRequest(asset: asset, targetSize: .maximum), cancellation: Cancellation())
      }
      #expect(Self.answer(client, asset) == [refusal, refusal])
    }
    for identifier in world.allowed {
      let asset = client.fetchAssets(withLocalIdentifiers: [identifier], options: Self.all)[0]
      #expect(throws: Never.self) { try client.details(of: asset) }
      #expect(Self.answer(client, asset) == [nil, nil])
    }
  }

  private static var all: FetchOptions {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return options
  }

  /// Why a picture and the bytes of an asset were refused; nil if they were not.
  private static func answer(_ manager: any AssetManager, _ asset: Asset) -> [AssetError?] {
    let answers = Mutex<[AssetError?]>([])
    manager.requestImage(
      ImageRequest(asset: asset, targetSize: .maximum, contentMode: .aspectFit), priority: .visible
    ) { result in
      if case .failed(let error) = result.content {
        answers.withLock { $0.append(error) }
      } else {
        answers.withLock { $0.append(nil) }
      }
    }
    manager.requestImageData(ImageDataRequest(asset: asset), progressHandler: nil) { result in
      if case .failed(let error) = result.content {
        answers.withLock { $0.append(error) }
      } else {
        answers.withLock { $0.append(nil) }
      }
    }
    return answers.withLock { $0 }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `Only changes of allowed assets are reported`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = World(&random)
    let heard = Mutex<[LibraryChange]>([])
    world.access.manager.observeChanges { change in heard.withLock { $0.append(change) } }
    let whole = Counter()
    world.access.wholeLibrary.observeChanges { _ in whole.increment() }
    world.store.add(.photo("new"), album: "Berlin")
    for asset in world.others {
      try world.store.perform([.setFavorite(asset.id, !asset.isFavorite)])
      world.store.remove(asset.id)
    }
    #expect(heard.withLock { $0 }.isEmpty)
    #expect(whole.count == 1 + 2 * world.others.count)
    guard let identifier = world.allowed.sorted().first else { return }
    let asset = world.access.manager.fetchAssets(withLocalIdentifiers: [identifier], options: Self.all)[0]
    try world.store.perform([.setFavorite(identifier, !asset.isFavorite)])
    #expect(heard.withLock { $0 } == [.contents])
    world.store.remove(identifier)
    #expect(heard.withLock { $0 } == [.contents, [.contents, .status]])
  }
}

/// Returns every picture and all bytes, empty.
private struct OpenImages: ImageManager {
  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    resultHandler(ImageResult(requestID: ImageRequestID(rawValue: 1), content: .cancelled, isLast: true))
    return ImageRequestID(rawValue: 1)
  }

  func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID {
    resultHandler(ImageDataResult(requestID: ImageRequestID(rawValue: 1), content: .cancelled))
    return ImageRequestID(rawValue: 1)
  }

  func frames(of request: FrameRequest, cancellation: Cancellation) throws(AssetError) -> any FrameReader {
    throw AssetError("frames", "none")
  }

  func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {}
  func cancelImageRequest(_ request: ImageRequestID) {}
}
