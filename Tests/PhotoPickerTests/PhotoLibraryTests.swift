import AssetLibrary
import Export
import Fixtures
import Foundation
import FolderLibrary
import Permissions
import PhotoPicker
import Synchronization
import SystemPackage
import TestScheduling
import Testing

/// A library in code, without a screen.
///
/// The stores keep nothing, and no thumbnails are made, so that nothing of the user's is written.
@Suite struct PhotoLibraryTests {
  private let folder: TemporaryFolder
  private let photo: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    photo = try TestPhoto(width: 64, height: 48, date: .day(1)).bytes()
    _ = try folder.write(photo, to: "a.jpg")
    _ = try folder.write(try TestPhoto(width: 64, height: 48, date: .day(2)).bytes(), to: "b.jpg")
  }

  private func path(_ name: String) -> FilePath { FilePath("\(folder.path)/\(name)") }

  private var store: FolderAssetStore { FolderAssetStore(sources: [FilePath(folder.path)]) }

  @Test func `A store of one's own is started and waited for`() async {
    let library = PhotoLibrary(store)
    await library.manager.waitUntilComplete()
    #expect(library.manager.libraryStatus.isComplete && library.manager.fetchAssets().count == 2)
  }

  @Test func `A missing reader is named, before anything is read`() throws {
    let error = #expect(throws: AssetError.self) {
      try PhotoLibrary(folders: [FilePath(folder.path)], reader: "/nonexistent/reader")
    }
    #expect(error?.code == .helperMissing)
    #expect(error?.reason == "'/nonexistent/reader' is not a program: name tpick-reader")
    // A path that does not exist comes first.
    let gone = #expect(throws: AssetError.self) {
      try PhotoLibrary(folders: [path("gone")], reader: "/nonexistent/reader")
    }
    #expect(gone?.code == .notFound)
  }

  @Test func `A source is a path or the address of a server`() throws {
    let gone = #expect(throws: AssetError.self) {
      try PhotoLibrary(sources: ["nas:Pictures", path("gone").string], reader: "/nonexistent/reader")
    }
    #expect(gone?.code == .notFound && gone?.subject == path("gone").string)
    // The address is not looked up as a path, so the reader is what is missing.
    let error = #expect(throws: AssetError.self) {
      try PhotoLibrary(sources: ["nas:Pictures", path("a.jpg").string], reader: "/nonexistent/reader")
    }
    #expect(error?.code == .helperMissing)
  }

  @Test func `A client sees nothing before the user has decided`() async throws {
    let decided = Mutex<[AccessDecision]>([])
    let library = PhotoLibrary(
      store, decision: AccessDecision(readWrite: .notDetermined),
      consentRequest: ConsentRequest(client: "mail", purpose: "to attach photos"), consent: Consent(),
      record: { decision in decided.withLock { $0.append(decision) } })
    #expect(library.manager.fetchAssets().isEmpty)
    #expect(await library.manager.requestAuthorization(for: .readWrite) == .authorized)
    await library.manager.waitUntilComplete()
    #expect(library.manager.fetchAssets().count == 2)
    #expect(decided.withLock { $0.map(\.readWrite) } == [.authorized])
  }

  private struct Consent: ConsentPresenter {
    func decision(for request: ConsentRequest) async -> ConsentDecision? {
      request.client == "mail" ? .allowFullAccess : nil
    }
  }

  @Test func `A picker without a reader does not start`() async {
    let picker = PhotoPicker(library: PhotoLibrary(store, reader: "/nonexistent/reader"))
    // Nothing is on the terminal.
    picker.dismiss()
    let present: () throws(PhotoPickerError) -> PhotoPicker.Outcome = { () throws(PhotoPickerError) in
      try picker.present()
    }
    for error in [
      #expect(throws: PhotoPickerError.self) { _ = try present() },
      await #expect(throws: PhotoPickerError.self) { _ = try await picker.present() },
    ] {
      guard case .library(let cause) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(cause.code == .helperMissing)
    }
  }

  @Test func `The selections end with a picker that could not be shown`() async {
    let picker = PhotoPicker(library: PhotoLibrary(store, reader: "/nonexistent/reader"))
    let (first, second) = (picker.selections, picker.selections)
    await #expect(throws: PhotoPickerError.self) { _ = try await picker.present() }
    for await _ in first { Issue.record("nothing was selected") }
    for await _ in second { Issue.record("nothing was selected") }
    // Without a picker they do nothing.
    picker.deselectAssets(withIdentifiers: ["a"])
    picker.updatePicker(using: PickerConfiguration.Update(selectionLimit: 2))
    #expect(picker.unknownPreselectedAssetIdentifiers.isEmpty)
  }

  @Test func `A fetched asset has a provider`() async throws {
    let library = PhotoLibrary(store)
    await library.manager.waitUntilComplete()
    let asset = try #require(library.manager.fetchAssets(with: FetchOptions(sort: .oldest)).firstObject)
    let provider = try library.itemProvider(for: asset)
    #expect(provider.suggestedName == "a")
    #expect(try await provider.loadData(for: "public.jpeg") == photo)
    var unknown = asset
    unknown.localIdentifier = "unknown"
    let error = #expect(throws: AssetError.self) { try library.itemProvider(for: unknown) }
    #expect(error?.code == .notFound)
  }

  @Test func `A file is read in chunks`() async throws {
    let library = PhotoLibrary(store)
    await library.manager.waitUntilComplete()
    let asset = try #require(library.manager.fetchAssets(with: FetchOptions(sort: .oldest)).firstObject)
    let resource = try #require(asset.primaryResource)
    let bytes = Mutex<[UInt8]>([])
    let fractions = Mutex<[Double]>([])
    try await library.requestData(
      for: resource, of: asset, progressHandler: { fraction in fractions.withLock { $0.append(fraction) } }
    ) { chunk in
      bytes.withLock { $0 += chunk }
    }
    #expect(bytes.withLock { $0 } == photo && fractions.withLock { $0 } == [1])
    var other = resource
    other.path = path("b.jpg")
    let error = await #expect(throws: AssetError.self) {
      try await library.requestData(for: other, of: asset) { _ in }
    }
    #expect(error?.code == .notFound)
  }

  @Test func `Paths have the identifiers that the client may see`() async throws {
    let store = store
    let library = PhotoLibrary(store)
    let found = await library.identifiers(at: [path("a.jpg"), path("gone")])
    #expect(found.count == 2 && (try? found[0].get().count) == 1 && (try? found[1].get()) == nil)
    library.access.apply(AccessDecision(readWrite: .limited))
    let hidden = await library.identifiers(at: [path("a.jpg")])
    // Not even whether the file exists.
    let hiddenErrors = (hidden + (await library.identifiers(at: [path("gone")]))).map { answer in
      #expect(throws: AssetError.self) { try answer.get() }
    }
    #expect(hiddenErrors.map { $0?.code } == [.accessDenied, .accessDenied])
    #expect(hiddenErrors[0]?.reason == hiddenErrors[1]?.reason)
    let asset = try #require(store.assets(in: nil, options: FetchOptions()).first)
    let error = #expect(throws: AssetError.self) { try library.itemProvider(for: asset) }
    #expect(error?.code == .accessDenied)
  }

  @Test func `The resource manager reads what the client may see`() async throws {
    let library = PhotoLibrary(store)
    await library.manager.waitUntilComplete()
    let asset = try #require(library.manager.fetchAssets(with: FetchOptions(sort: .oldest)).firstObject)
    let resource = try #require(asset.primaryResource)
    let copy = path("copy.bin")
    try await library.resourceManager.writeData(for: resource, toFile: copy)
    #expect(FileManager.default.contents(atPath: copy.string).map(Array.init) == photo)
    var foreign = resource
    foreign.path = "/etc/hostname"
    let error = await #expect(throws: AssetError.self) {
      try await library.resourceManager.requestData(for: foreign) { _ in }
    }
    #expect(error?.code == .notFound)
    library.access.apply(AccessDecision(readWrite: .limited))
    let refused = await #expect(throws: AssetError.self) {
      try await library.resourceManager.requestData(for: resource) { _ in }
    }
    #expect(refused?.code == .accessDenied)
  }

  @Test(.onOwnThreads) func `A closure that loads a file may throw`() async throws {
    struct Refused: Error {}
    let library = PhotoLibrary(store)
    await library.manager.waitUntilComplete()
    let provider = try library.itemProvider(for: try #require(library.manager.fetchAssets().firstObject))
    var lent: FilePath?
    #expect(throws: Refused.self) {
      try provider.loadFileRepresentation(for: "public.jpeg") { path in
        lent = path
        throw Refused()
      }
    }
    #expect(!FileManager.default.fileExists(atPath: try #require(lent).string))
    let fractions = Mutex<[Double]>([])
    let count = Mutex<Int?>(nil)
    provider.loadDataRepresentation(
      forTypeIdentifier: "public.jpeg",
      progressHandler: { fraction in fractions.withLock { $0.append(fraction) } },
      completionHandler: { bytes, _ in count.withLock { $0 = bytes?.count } })
    #expect(eventually { count.withLock { $0 } != nil && fractions.withLock { $0.last } == 1 })
  }

  @Test func `Every photo of a burst has its content, and a video the chosen part`() throws {
    func asset(_ name: String, _ media: MediaType, _ kind: AssetResource.Kind, _ type: String) -> Asset {
      Asset(
        localIdentifier: LocalIdentifier(name), mediaType: media, pixelSize: PixelSize(width: 64, height: 48),
        creationDate: AssetDate(year: 2024, month: 5, day: 1),
        resources: [
          AssetResource(type: kind, path: FilePath("/\(name)"), uniformTypeIdentifier: type, byteCount: 8)
        ])
    }
    let store = MemoryAssetStore()
    var burst = asset("burst.jpg", .image, .photo, "public.jpeg")
    burst.burstIdentifier = "b"
    var video = asset("video.mov", .video, .video, "com.apple.quicktime-movie")
    video.duration = 10
    store.add(burst)
    store.add(video)
    let library = PhotoLibrary(store)
    #expect(try library.itemProvider(for: burst).suggestedName == "burst")
    let type = "com.apple.quicktime-movie"
    #expect(try library.itemProvider(for: video).registeredTypeIdentifiers.contains(type))
    // The unchanged file is more than the part.
    video.trim = .seconds(1)..<(.seconds(2))
    #expect(try !library.itemProvider(for: video).registeredTypeIdentifiers.contains(type))
  }

  @Test func `A decision is stored with the paths of the allowed photos, and read back`() throws {
    let store = store
    store.waitUntilComplete()
    let asset = try #require(store.assets(in: nil, options: FetchOptions(sort: .oldest)).firstObject)
    let permissions = PermissionStore(in: path("state"))
    let client = StoredClient("mail", purpose: "to attach photos")
    let decision = AccessDecision(readWrite: .limited, allowed: AllowedAssets([asset.localIdentifier]))
    try client.record(decision, in: store, permissions)
    let stored = try #require(try permissions.permission(of: "mail"))
    #expect(stored.decision == decision && stored.purpose == "to attach photos")
    #expect(stored.allowed.map(\.path) == [path("a.jpg")] && stored.decided != nil)
    // A purpose that is not given stays.
    try StoredClient("mail").record(AccessDecision(readWrite: .denied), in: store, permissions)
    #expect(try permissions.permission(of: "mail")?.purpose == "to attach photos")
  }

  @Test func `The choice of a limited client needs limited access, a reader and a terminal`() async {
    func failure(_ library: PhotoLibrary) async -> PhotoPickerError? {
      await #expect(throws: PhotoPickerError.self) { try await library.presentLimitedLibraryPicker() }
    }
    func library(_ status: AuthorizationStatus, reader: String? = nil) -> PhotoLibrary {
      PhotoLibrary(
        store, decision: AccessDecision(readWrite: status), consentRequest: ConsentRequest(client: "mail"),
        consent: PickerConsent(), reader: reader)
    }
    #expect(await failure(library(.authorized)) == .access(.authorized))
    guard case .library(let error) = await failure(library(.limited, reader: "/nonexistent/reader")) else {
      Issue.record("no error about the reader")
      return
    }
    #expect(error.code == .helperMissing)
  }

  @Test func `Without a picker the user can't be asked`() async {
    let library = PhotoLibrary(
      store, decision: AccessDecision(readWrite: .notDetermined),
      consentRequest: ConsentRequest(client: "mail"), consent: PickerConsent())
    #expect(await library.manager.requestAuthorization(for: .readWrite) == .notDetermined)
  }
}
