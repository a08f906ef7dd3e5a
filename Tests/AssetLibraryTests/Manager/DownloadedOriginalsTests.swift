import AssetLibrary
import Fixtures
import Synchronization
import SystemPackage
import TestScheduling
import Testing

/// Originals that asynchronous code fetches.
@Suite struct DownloadedOriginalsTests {
  private static func resource(_ name: String, _ byteCount: Int = 6) -> AssetResource {
    AssetResource(
      type: .photo, path: FilePath("/web/\(name)"), uniformTypeIdentifier: "public.jpeg",
      byteCount: Int64(byteCount))
  }

  /// Fetches the name of a file twice, in two parts.
  private static let names: DownloadedOriginals.Fetch = { resource, file in
    try file.write(Array(resource.originalFilename.utf8))
    await Task.yield()
    try file.write(Array(resource.originalFilename.utf8))
  }

  private static func text(_ reader: any ResourceReader) throws -> String {
    String(decoding: try reader.bytes(in: 0..<reader.count), as: UTF8.self)
  }

  @Test func `A file is remote until it was fetched`() async throws {
    let originals = DownloadedOriginals(fetch: Self.names)
    let resource = Self.resource("a.j")
    #expect(!originals.isLocal(resource))
    let error = #expect(throws: AssetError.self) { try originals.reader(for: resource) }
    #expect(error?.code == .networkRequired)
    let fractions = Mutex<[Double]>([])
    try await originals.load(resource) { fraction in fractions.withLock { $0.append(fraction) } }
    #expect(originals.isLocal(resource) && fractions.withLock { $0 } == [0.5, 1])
    let reader = try originals.reader(for: resource)
    #expect(try Self.text(reader) == "a.ja.j")
    // Formats that another process decodes need it.
    #expect(reader.descriptor != nil)
    originals.invalidate(resource)
    #expect(!originals.isLocal(resource))
    // The reader has the file as long as it wants.
    #expect(try Self.text(reader) == "a.ja.j")
  }

  @Test func `A part of a file is read from the whole file`() async throws {
    let originals = DownloadedOriginals(fetch: Self.names)
    var clip = Self.resource("a.j", 2)
    clip.byteRange = 2..<4
    try await originals.load(clip)
    #expect(try Self.text(originals.reader(for: clip)) == "ja")
    #expect(originals.isLocal(Self.resource("a.j")))
  }

  @Test func `The files that were not used for the longest time make room, but not held ones`() async throws {
    let store = NamesStore(limit: 12)
    let (a, b, c) = (Self.resource("a.j"), Self.resource("b.j"), Self.resource("c.j"))
    for resource in [a, b] { try await store.loadOriginal(of: resource, progressHandler: nil) }
    _ = try await store.loadReader(for: a)
    try await store.loadOriginal(of: c, progressHandler: nil)
    #expect([a, b, c].map(store.isLocal) == [true, false, true])
    store.hold(a)
    _ = try store.reader(for: c)
    try await store.loadOriginal(of: b, progressHandler: nil)
    #expect([a, b, c].map(store.isLocal) == [true, true, false])
    #expect(store.hasRoom(for: a) && !store.hasRoom(for: Self.resource("d", 13)))
  }

  @Test func `Errors of the fetch are errors of the file`() async throws {
    struct Refused: Error {}
    let originals = DownloadedOriginals { resource, file in
      try file.write([1])
      if resource.originalFilename == "gone" { throw AssetError("gone", "no such photo", code: .notFound) }
      throw Refused()
    }
    let gone = await #expect(throws: AssetError.self) { try await originals.load(Self.resource("gone")) }
    #expect(gone?.code == .notFound)
    let refused = await #expect(throws: AssetError.self) { try await originals.load(Self.resource("a")) }
    #expect(refused?.isTransient == true && refused?.subject == "/web/a")
    #expect(!originals.isLocal(Self.resource("a")))
  }

  @Test func `Cancelling the task stops the fetch`() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let originals = DownloadedOriginals { _, file in
      try file.write([1])
      begin.yield()
      // Ends only because it is cancelled.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      try file.write([2])
    }
    let loading = Task { try await originals.load(Self.resource("a")) }
    for await _ in begun { break }
    loading.cancel()
    let error = await #expect(throws: AssetError.self) { try await loading.value }
    #expect(error?.code == .cancelled && !originals.isLocal(Self.resource("a")))
  }

  @Test(.onOwnThreads) func `A thread that downloads hears the progress and can stop`() throws {
    let store = NamesStore()
    let resource = Self.resource("a.j")
    var fractions: [Double] = []
    try store.download(resource) { fraction in
      fractions.append(fraction)
      return .proceed
    }
    // Fractions that were not taken yet are replaced; while nothing arrives, the last one is repeated.
    #expect(fractions.allSatisfy { [0, 0.5, 1].contains($0) } && store.isLocal(resource))
    let other = Self.resource("b.j")
    let silent = NamesStore(waits: true)
    let error = #expect(throws: AssetError.self) {
      // It never ends by itself.
      try silent.download(other) { _ in .stop }
    }
    #expect(error?.code == .cancelled && !silent.isLocal(other))
  }

  @Test(.onOwnThreads) func `A download without progress can be stopped`() {
    let originals = DownloadedOriginals { _, _ in
      // Ends only because it is cancelled.
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }
    let store = NamesStore(originals)
    let error = #expect(throws: AssetError.self) { try store.download(Self.resource("a")) { _ in .stop } }
    #expect(error?.code == .cancelled && !originals.isLocal(Self.resource("a")))
  }

  @Test func `Small files do not use up the descriptors of the process`() async throws {
    let originals = DownloadedOriginals(fetch: Self.names)
    let resources = (0..<258).map { Self.resource("\($0)") }
    for resource in resources { try await originals.load(resource) }
    #expect(resources.map(originals.isLocal) == resources.indices.map { $0 >= 2 })
  }
}

/// A store that fetches names, and otherwise is what `NetworkAssetStore` makes of it.
private final class NamesStore: NetworkAssetStore {
  let originals: DownloadedOriginals

  init(_ originals: DownloadedOriginals) { self.originals = originals }

  /// - Parameters:
  ///   - limit: the limit of the originals.
  ///   - waits: whether a download ends only when it is cancelled.
  init(limit: Int = 100, waits: Bool = false) {
    originals = DownloadedOriginals(limit: limit) { resource, file in
      try file.write(Array(resource.originalFilename.utf8))
      while waits, !Task.isCancelled { await Task.yield() }
      try file.write(Array(resource.originalFilename.utf8))
    }
  }

  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> { FetchResult() }
  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> { FetchResult() }
  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection> {
    FetchResult()
  }
  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> { FetchResult() }
  func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange] { [] }
  var status: LibraryStatus { LibraryStatus(isComplete: true, assetCount: 0) }
  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    ObserverID(rawValue: 1)
  }
  func stopObserving(_ observer: ObserverID) {}
}
