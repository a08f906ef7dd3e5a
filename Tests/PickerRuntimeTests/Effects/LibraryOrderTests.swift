import AssetLibrary
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// What a running picker asks of its library, and when.
@Suite(.serialized, .timeLimit(.minutes(120))) struct LibraryOrderTests {
  @Test func `Background work starts after the library's answer, once all visible pictures are there`()
    async throws
  {
    let library = NotedLibrary(.numbered(4))
    let run = LoopRun(library: library)
    try run.loop.begin()
    try run.loop.draw()
    #expect(library.orders.isEmpty)
    try await run.turnUntilListed()
    #expect(!run.visible.isEmpty && library.orders.isEmpty)
    run.make(run.visible)
    try run.turn()
    #expect(library.orders.contains(.allowBackgroundWork))
  }

  @Test func `Stopped reading is resumed when everything is redrawn`() async throws {
    let library = NotedLibrary(.numbered(4))
    library.status.isStopped = true
    let run = LoopRun(library: library)
    try await run.open()
    #expect(!library.orders.contains(.resumeReading))
    try run.send(.key(.control("l")))
    #expect(library.orders.contains(.resumeReading))
  }

  @Test func `Esc stops reading that takes long`() async throws {
    let library = NotedLibrary(.numbered(4))
    library.status.isComplete = false
    library.status.progress = LibraryProgress(phase: .reading, fraction: 0.1, elapsed: 60)
    let run = LoopRun(library: library)
    try await run.open()
    try run.send(.key(.escape))
    #expect(library.orders.contains(.stopReading))
  }

  @Test func `Changes of the library after the end are ignored`() async throws {
    let library = NotedLibrary(.numbered(4))
    let run = LoopRun(library: library)
    try await run.open()
    run.loop.close()
    var changes = 0
    let countChanges = { (event: LoopEvent) in
      if case .message(.libraryChanged) = event { changes += 1 }
      return true
    }
    run.mailbox.removeAll(where: countChanges)
    changes = 0
    library.memory.add(.photo("new"))
    // Answers to what was asked before the end may still arrive.
    run.mailbox.removeAll(where: countChanges)
    #expect(changes == 0)
  }

  @Test func `Bursts and posters respect the client's access unless the user is choosing photos`()
    async throws
  {
    var (first, second) = (Asset.photo("p0", day: 1), Asset.photo("p1"))
    (first.burstIdentifier, second.burstIdentifier) = ("burst", "burst")
    second.representsBurst = true
    let third = Asset.photo("p2", day: 5)
    let access = LibraryAccessController(
      store: MemoryAssetStore([first, second, third]), images: ScriptedImages(), status: .limited,
      allowed: [second.id], consentRequest: ConsentRequest(client: "test"), consent: NoConsentPresenter())
    let messages = Mailbox<PickerMessage>()
    let reader = LibraryReader(PickerLibrary(access)) { messages.post($0) }
    for (mode, names) in [(AccessMode.picking, ["p1"]), (.managing, ["p0", "p1"])] {
      reader.loadBurst("burst", FetchOptions(), mode)
      guard case .burst(_, let members) = try #require(await messages.taken().first) else {
        Issue.record("no burst")
        return
      }
      #expect(members.map(\.id.rawValue).sorted() == names)
      reader.fetchPosters(
        PosterQuery(collections: [AssetCollection.recents], options: FetchOptions(sort: .newest), mode: mode))
      guard case .posters(let answer) = try #require(await messages.taken().first) else {
        Issue.record("no posters")
        return
      }
      #expect(answer.posters.values.map(\.id) == [mode == .picking ? second.id : third.id])
    }
  }
}
