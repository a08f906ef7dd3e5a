import Fixtures
import Synchronization
import Testing

@testable import AssetLibrary

/// What the user is asked before a client changes the library.
@Suite struct ChangeConsentTests {
  /// A user who answers questions about changes, and records them.
  private final class Answering: ConsentPresenter {
    private let answer: @Sendable (ChangeConsentRequest) -> Bool
    private let heard = Mutex<[ChangeConsentRequest]>([])

    init(_ answer: @escaping @Sendable (ChangeConsentRequest) -> Bool) {
      self.answer = answer
    }

    var questions: [String] { heard.withLock { $0.map(\.text) } }

    func decision(for request: ConsentRequest) async -> ConsentDecision? { nil }

    func allows(_ request: ChangeConsentRequest) async -> Bool {
      heard.withLock { $0.append(request) }
      return answer(request)
    }
  }

  private let store = MemoryAssetStore()
  private let a = LocalIdentifier("a")
  private let b = LocalIdentifier("b")

  init() {
    store.add(.photo("a"))
    store.add(.photo("b"))
  }

  private func access(
    _ consent: any ConsentPresenter, _ status: AuthorizationStatus = .authorized,
    allowed: Set<LocalIdentifier> = []
  ) -> LibraryAccessController {
    LibraryAccessController(
      store: store, images: NoImages(), status: status, allowed: allowed,
      consentRequest: ConsentRequest(client: "mutt", purpose: "to sort"), consent: consent)
  }

  /// Calls the method that blocks: in an asynchronous test its name means the other one.
  @discardableResult
  private func perform(_ manager: any AssetManager, _ changes: [AssetChange]) throws -> [AssetChange] {
    try manager.performChanges(changes)
  }

  private var favorites: [LocalIdentifier] {
    store.assets(in: nil, options: FetchOptions(filter: .matching(.favorites))).map(\.id)
  }

  @Test func `Each kind of change is asked for once, with the number of photos`() async throws {
    let user = Answering { _ in true }
    let client = access(user).manager
    #expect(throws: AssetError.self) { try perform(client, [.setFavorite(a, true)]) }
    #expect(favorites.isEmpty)
    let album = UserAlbum.newIdentifier()
    try await client.performChanges([
      .setFavorite(a, true), .setHidden(a, false), .setLocation(b, .removed), .createAlbum(album, title: "A"),
    ])
    #expect(
      user.questions == [
        "mutt wants to change favorites, dates or other marks of 2 photos",
        "mutt wants to change your albums",
      ])
    #expect(favorites == [a] && store.userAlbums.all.count == 1)
    try perform(client, [.setFavorite(b, true), .addAssets([a], to: album)])
    try await client.performChanges([.deleteAlbum(album)])
    #expect(user.questions.count == 2)
  }

  @Test func `Each deletion is asked for`() async throws {
    let user = Answering { _ in true }
    let client = access(user).manager
    let undo = try await client.performChanges([.delete([a, b])])
    #expect(user.questions == ["mutt wants to delete 2 photos"])
    try await client.performChanges(undo)
    #expect(throws: AssetError.self) { try perform(client, [.delete([a])]) }
    try await client.performChanges([.delete([a])])
    #expect(
      user.questions == [
        "mutt wants to delete 2 photos", "mutt wants to restore 2 photos from the trash",
        "mutt wants to delete 1 photo",
      ])
    #expect(store.assets(in: nil, options: FetchOptions()).map(\.id) == [b])
  }

  @Test func `Deleting for good is asked for each time, whatever was allowed before`() async throws {
    let user = Answering { [a] in $0.kind != .permanentDeletion || $0.assets == [a] }
    let client = access(user).manager
    var deleted: [LocalIdentifier] {
      store.assets(in: SmartAlbum.recentlyDeleted.localIdentifier, options: FetchOptions()).map(\.id)
    }
    try await client.performChanges([.delete([a, b])])
    #expect(throws: AssetError.self) { try perform(client, [.deletePermanently([a])]) }
    await #expect(throws: AssetError.self) {
      try await client.performChanges([.deletePermanently([a, b])])
    }
    #expect(Set(deleted) == [a, b])
    try await client.performChanges([.deletePermanently([a])])
    #expect(deleted == [b])
    #expect(throws: AssetError.self) { try perform(client, [.deletePermanently([b])]) }
    #expect(
      user.questions.dropFirst() == [
        "mutt wants to delete 2 photos for good", "mutt wants to delete 1 photo for good",
      ])
  }

  @Test func `A refusal counts for the run, and nothing is changed`() async {
    let user = Answering { $0.kind != .marks }
    let client = access(user).manager
    let album = UserAlbum.newIdentifier()
    let changes: [AssetChange] = [.createAlbum(album, title: "A"), .setFavorite(a, true)]
    for _ in 0..<2 {
      await #expect(throws: AssetError.self) { try await client.performChanges(changes) }
    }
    #expect(user.questions.filter { $0.contains("marks") }.count == 1)
    #expect(favorites.isEmpty && store.userAlbums.all.isEmpty)
  }

  @Test func `Without a presenter that can ask, nothing is changed`() async {
    let client = access(NoConsentPresenter()).manager
    for change in [AssetChange.setFavorite(a, true), .delete([a]), .deleteAlbum(a), .revertToOriginal([a])] {
      #expect(throws: AssetError.self) { try perform(client, [change]) }
      await #expect(throws: AssetError.self) { try await client.performChanges([change]) }
    }
    #expect(favorites.isEmpty && store.assets(in: nil, options: FetchOptions()).count == 2)
  }

  @Test func `The user is not asked about what the client may not do, nor about own changes`() async throws {
    let user = Answering { _ in true }
    let limited = access(user, .limited, allowed: [a])
    await #expect(throws: AssetError.self) {
      try await limited.manager.performChanges([.setFavorite(b, true)])
    }
    await #expect(throws: AssetError.self) { try await limited.manager.performChanges([.restore([a])]) }
    try perform(limited.wholeLibrary, [.setFavorite(b, true)])
    #expect(user.questions.isEmpty && favorites == [b])
    try await limited.manager.performChanges([.setFavorite(a, true)])
    #expect(user.questions.count == 1)
    // After another decision by the user the client must ask again.
    limited.apply(AccessDecision(readWrite: .authorized))
    #expect(throws: AssetError.self) { try perform(limited.manager, [.setFavorite(a, false)]) }
  }

  @Test func `Saving needs no question, and neither do the marks of what is saved`() async throws {
    let user = Answering { _ in false }
    let client = access(user).manager
    var creation = AssetCreation(name: "new")
    creation.addResource(.photo, .data([1, 2, 3]))
    let new = try client.prepareAsset(creation)
    try perform(client, [.createAsset(new), .setFavorite(new, true)])
    #expect(favorites == [new] && user.questions.isEmpty)
    #expect(throws: AssetError.self) { try perform(client, [.setFavorite(new, false)]) }
  }
}
