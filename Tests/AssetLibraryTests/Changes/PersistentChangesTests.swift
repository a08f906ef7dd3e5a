import Fixtures
import SystemPackage
import Testing

@testable import AssetLibrary

/// The differences of a library since a token.
@Suite struct PersistentChangesTests {
  private let store = MemoryAssetStore()

  private func asset(_ name: String, day: Int = 1) -> Asset {
    Asset(
      localIdentifier: LocalIdentifier("id-\(name)"), mediaType: .image, pixelSize: .zero,
      creationDate: AssetDate(year: 2024, month: 5, day: day),
      resources: [
        AssetResource(
          type: .photo, path: FilePath("/photos/\(name).jpg"), uniformTypeIdentifier: "public.jpeg",
          byteCount: 10)
      ])
  }

  /// Returns the changes since a token as text, and the next token.
  private func words(
    since token: PersistentChangeToken?
  ) throws -> (words: [String], token: PersistentChangeToken) {
    let answer = try store.persistentChanges(since: token)
    return (answer.changes.map { "\($0.kind.rawValue) \($0.identifier)" }, answer.token)
  }

  @Test func `Each call returns the differences since its token, even if later calls were made`() throws {
    store.add(asset("a"))
    let first = try words(since: nil)
    #expect(first.words == ["inserted id-a"])
    #expect(try words(since: first.token).words == [])
    store.add(asset("b"))
    let second = try words(since: first.token)
    #expect(second.words == ["inserted id-b"])
    store.add(asset("a", day: 2))
    store.remove(LocalIdentifier("id-b"))
    #expect(try words(since: second.token).words == ["updated id-a", "deleted id-b"])
    #expect(try words(since: first.token).words == ["updated id-a"])
    let third = try words(since: nil)
    #expect(third.words == ["inserted id-a"])
    #expect(try words(since: third.token).words == [])
  }

  @Test func `Moved assets, marks and albums are reported as changes`() throws {
    store.add(asset("a"))
    let start = try words(since: nil).token
    var moved = asset("a")
    moved.resources[0].path = FilePath("/other/a.jpg")
    store.add(moved)
    let album = UserAlbum.newIdentifier()
    try store.perform([.createAlbum(album, title: "Sea")])
    let answer = try store.persistentChanges(since: start)
    #expect(
      answer.changes == [
        PersistentChange(
          .moved, moved.id, path: FilePath("/other/a.jpg"), previousPath: FilePath("/photos/a.jpg")),
        PersistentChange(.inserted, album),
      ])
    let undo = try store.perform([.setFavorite(moved.id, true), .addAssets([moved.id], to: album)])
    #expect(try words(since: answer.token).words == ["updated id-a", "updated \(album)"])
    try store.perform(undo)
    #expect(try words(since: answer.token).words == [])
    try store.perform([.deleteAlbum(album), .delete([moved.id])])
    #expect(try words(since: answer.token).words == ["deleted id-a", "deleted \(album)"])
  }

  @Test func `A token can be converted to text and back, and other text is rejected`() throws {
    let token = try store.persistentChanges(since: nil).token
    #expect(PersistentChangeToken(token.description) == token)
    for text in [
      "", "start", "-", "0123456789abcdef", "0123456789abcdef-", "0123456789abcdef-x", "0123456789ABCDEF-1",
      "0123456789abcdef-9223372036854775808", "0123456789abcdef--1", "0123456789abcde-1",
      "0123456789abcdef-1-2",
      " 0123456789abcdef-1", "0123456789abcdef-+1", "0123456789abcdef-1\n",
    ] {
      #expect(PersistentChangeToken(text) == nil, "\(text)")
    }
    for position in [token.position + 1, .max] {
      #expect(throws: PersistentChangeError.tokenExpired) {
        try store.persistentChanges(since: PersistentChangeToken(history: token.history, position: position))
      }
    }
    #expect(throws: PersistentChangeError.tokenExpired) {
      try store.persistentChanges(since: PersistentChangeToken(history: "0123456789abcdef", position: 0))
    }
  }

  @Test func `The history is bounded, and a token from before its start expires`() throws {
    var history = ChangeHistory()
    let many = ChangeHistory.capacity / 2 + 1
    func entries(_ fingerprint: UInt64) -> [LocalIdentifier: HistoryEntry] {
      Dictionary(
        uniqueKeysWithValues: (0..<many).map {
          (LocalIdentifier("\($0)"), HistoryEntry(path: nil, fingerprint: fingerprint))
        })
    }
    let first = try history.changes(since: nil, now: entries(1)).token
    let second = try history.changes(since: first, now: entries(2)).token
    #expect(try history.changes(since: second, now: entries(3)).changes.count == many)
    #expect(throws: PersistentChangeError.tokenExpired) { try history.changes(since: first, now: entries(3)) }
    #expect(try history.changes(since: second, now: entries(3)).changes.count == many)
  }

  @Test func `With limited access a client gets changes of visible assets only, without access none`() throws
  {
    for name in ["a", "b", "c"] { store.add(asset(name)) }
    var decision = AccessDecision(readWrite: .limited)
    decision.allowed = AllowedAssets([LocalIdentifier("id-a"), LocalIdentifier("id-b")])
    let controller = LibraryAccessController(
      store: store, images: NoImages(), decision: decision, consentRequest: ConsentRequest(client: "mail"),
      consent: NoConsentPresenter())
    let manager = controller.manager
    let first = try manager.fetchPersistentChanges(since: nil)
    #expect(first.changes.map(\.identifier.rawValue) == ["id-a", "id-b"])
    try store.perform([
      .setFavorite(LocalIdentifier("id-c"), true), .setFavorite(LocalIdentifier("id-a"), true),
    ])
    try store.perform([.createAlbum(UserAlbum.newIdentifier(), title: "Secret")])
    store.remove(LocalIdentifier("id-b"))
    let second = try manager.fetchPersistentChanges(since: first.token)
    #expect(second.changes.map { "\($0.kind) \($0.identifier)" } == ["updated id-a", "deleted id-b"])
    controller.apply(AccessDecision(readWrite: .denied))
    #expect(throws: PersistentChangeError.accessDenied) { try manager.fetchPersistentChanges(since: nil) }
  }

  @Test(arguments: [UInt64](1...20))
  func `The changes since any token lead from the old to the current state`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var history = ChangeHistory()
    var state: [LocalIdentifier: HistoryEntry] = [:]
    var known: [(token: PersistentChangeToken, state: [LocalIdentifier: HistoryEntry])] = []
    for _ in 0..<30 {
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let key = LocalIdentifier("\(Int.random(in: 0..<8, using: &random))")
        state[key] =
          Bool.random(using: &random)
          ? nil
          : HistoryEntry(
            path: FilePath("/\(Int.random(in: 0..<3, using: &random))"),
            fingerprint: UInt64.random(in: 0..<3, using: &random))
      }
      known.append((try history.changes(since: known.last?.token, now: state).token, state))
      let from = try #require(known.randomElement(using: &random))
      var kinds: [LocalIdentifier: Set<PersistentChange.Kind>] = [:]
      for change in try history.changes(since: from.token, now: state).changes {
        #expect(kinds[change.identifier, default: []].insert(change.kind).inserted)
        #expect(change.path == (state[change.identifier] ?? from.state[change.identifier])?.path)
        #expect(change.previousPath == (change.kind == .moved ? from.state[change.identifier]?.path : nil))
      }
      for key in Set(state.keys).union(from.state.keys) {
        let (before, after) = (from.state[key], state[key])
        var expected: Set<PersistentChange.Kind> = []
        if before == nil, after != nil { expected = [.inserted] }
        if before != nil, after == nil { expected = [.deleted] }
        if let before, let after {
          if before.path != after.path { expected.insert(.moved) }
          if before.fingerprint != after.fingerprint { expected.insert(.updated) }
        }
        #expect(kinds[key] ?? [] == expected)
      }
    }
  }
}
