import AssetLibrary
import Fixtures
import FolderLibrary
import Foundation
import Imaging
import Pixels
import RemoteLibrary
import Synchronization
import SystemPackage
import TestScheduling
import Testing

/// A library on another kind of server than rclone's: one file beside this one, and one line here.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct AnotherServerTests {
  private let photos: TemporaryFolder
  private let cache: TemporaryFolder
  private let server: SlowFolderServer

  init() throws {
    photos = try TemporaryFolder()
    cache = try TemporaryFolder()
    server = SlowFolderServer(serving: photos)
    for (number, name) in ["2024/a.jpg", "2024/b.jpg", "2025/c.jpg"].enumerated() {
      var photo = TestPhoto(width: 2560, height: 1920, date: .day(1 + number))
      photo.quality = 95
      photo.embedThumbnail()
      try photos.write(try photo.bytes(), to: name)
      try photos.setModificationTime(1_700_000_000 + number, of: name)
    }
    try photos.write(Array("no photo".utf8), to: "2024/notes.txt")
  }

  /// - Parameter words: Addresses.
  private func open(_ words: [String], isOffline: Bool = false) throws -> RemoteAssetStore {
    // The line that registers it.
    let kinds = ServerKinds([SlowFolders(server: server)])
    var settings = RemoteAssetStore.Settings()
    settings.isOffline = isOffline
    let addresses = try words.map { try #require(kinds.address($0)) }
    let home = FilePath(cache.path)
    let kept = LibraryLocations(cache: home.appending("index"), data: home.appending("data"))
    let store = RemoteAssetStore(addresses, of: kinds, settings, cache: home) {
      FolderAssetStore(sources: [], locations: kept, candidates: nil, remotes: $0)
    }
    store.start()
    store.waitUntilComplete()
    return store
  }

  private func assets(_ store: RemoteAssetStore) -> [Asset] {
    store.assets(in: nil, options: FetchOptions()).map { $0 }.sorted { Self.name(of: $0) < Self.name(of: $1) }
  }

  private static func name(of asset: Asset) -> String {
    asset.primaryResource?.remoteName ?? ""
  }

  @Test func `It is listed with folders and dates, and only headers are read`() throws {
    let store = try open(["slow:"])
    let found = assets(store)
    #expect(found.allSatisfy { $0.pixelSize == PixelSize(width: 2560, height: 1920) })
    #expect(found.map(Self.name) == ["slow:2024/a.jpg", "slow:2024/b.jpg", "slow:2025/c.jpg"])
    #expect(found.first?.primaryResource.map(store.isLocal) == false)
    #expect(store.status.issues.isEmpty)
    let albums = store.collections(of: .all, options: FetchOptions()).map(\.title)
    #expect(Set(albums).isSuperset(of: ["2024", "2025"]))
    for asset in found {
      let name = Self.name(of: asset)
      let count = try #require(server.bytesRead[String(name.dropFirst("slow:".count))])
      #expect(count < asset.byteCount, "\(name)")
    }
  }

  @Test func `Thumbnails are made without the original`() throws {
    let store = try open(["slow:2025"])
    let asset = try #require(assets(store).first)
    #expect(asset.primaryResource?.hasLocalThumbnail == true)
    let answers = Mutex<[ImageResult]>([])
    let pipeline = ImagePipeline(reading: store)
    _ = pipeline.requestImage(
      ImageRequest(asset: asset, targetSize: .square(100), contentMode: .aspectFit), priority: .visible
    ) { answer in answers.withLock { $0.append(answer) } }
    #expect(eventually { answers.withLock { $0.contains(where: \.isLast) } })
    let picture = answers.withLock { answers in
      answers.lazy.compactMap { answer in
        if case .image(let picture, _, _) = answer.content { picture } else { nil }
      }.last
    }
    let drawn = try #require(picture)
    #expect(drawn.width >= 100)
    #expect(TestPicture.Corner(of: drawn[drawn.width / 8, drawn.height / 8]) == .topLeft)
    #expect(asset.primaryResource.map(store.isLocal) == false)
  }

  @Test func `An original is downloaded unchanged, with its date, and is available without the server`()
    throws
  {
    let store = try open(["slow:2024"])
    let asset = try #require(assets(store).last)
    let original = try #require(asset.primaryResource)
    let heard = Mutex<[Double]>([])
    try store.download(original) { fraction in
      heard.withLock { $0.append(fraction) }
      return .proceed
    }
    #expect(heard.withLock { $0.last } == 1)
    #expect(store.isLocal(original))
    server.isGone = true
    let reader = try store.reader(for: original)
    let expected = try Data(contentsOf: URL(filePath: "\(photos.path)/2024/b.jpg"))
    #expect(try reader.bytes(in: 0..<reader.count) == Array(expected))
    let facts = try FileManager.default.attributesOfItem(atPath: original.path.string)
    #expect(facts[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_700_000_001))
    // The stored state is shown by a run that is offline, and found by its address.
    let later = try open(["slow:2024"], isOffline: true)
    #expect(assets(later).map(\.id).contains(asset.id))
    #expect(try later.identifiers(at: "slow:2024/b.jpg") == [asset.id])
  }

  @Test func `A changed file is not downloaded, and its folder is listed again`() throws {
    let store = try open(["slow:2025"])
    let asset = try #require(assets(store).first)
    let original = try #require(asset.primaryResource)
    try photos.write(try TestPhoto(width: 32, height: 24).bytes(), to: "2025/c.jpg")
    try photos.setModificationTime(1_800_000_000, of: "2025/c.jpg")
    #expect(throws: AssetError.self) { try store.download(original) { _ in .proceed } }
    #expect(!store.isLocal(original))
    #expect(eventually { assets(store).first?.pixelSize == PixelSize(width: 32, height: 24) })
  }

  @Test func `An unreachable server is reported once, with its own message`() throws {
    server.isGone = true
    let store = try open(["slow:2025"])
    #expect(store.status.issues.map(\.description) == ["slow:2025: the folder can't be reached"])
    #expect(store.status.issues.first?.isTransient == true)
  }

  @Test func `A file on it is found by its name in the index`() throws {
    let kinds = ServerKinds([SlowFolders(server: server)])
    let address = try #require(kinds.address("slow:2024/"))
    #expect(kinds.place("slow:disk:/2024/a.jpg")?.address(among: []) == address.at("2024/a.jpg"))
    #expect(kinds.place("slow:other:/2024/a.jpg")?.address(among: []) == nil)
    #expect(kinds.place("/home/ada/slow:disk:/a.jpg") == nil && kinds.place("rclone:nas:/a.jpg") == nil)
    #expect(kinds.isMarked("slow:x".utf8) && !kinds.isMarked("slow/x".utf8) && !kinds.isMarked("slo".utf8))
  }

  @Test func `A file in another location is stored with that`() {
    func root(_ name: String) -> ServerAddress {
      ServerAddress(scheme: "slow", server: name, serverName: name, volume: name, path: "")
    }
    let (nas, other) = (root("nas:"), root("other:"))
    let places = ["a/b/c", "ab", "a", "a/b", "a", "ab/d"].map(nas.at) + [other.at("a")]
    #expect(ServerAddress.outermost(places).map(\.text) == ["nas:ab", "nas:a", "other:a"])
    #expect(ServerAddress.outermost([nas.at("x"), nas]) == [nas])
  }
}
