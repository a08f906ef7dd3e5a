import AssetLibrary
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// What a running picker tells its library to do, and when.
@Suite(.serialized, .timeLimit(.minutes(30))) struct LibraryOrderTests {
  @Test func `What nobody waits for is done when the library has answered and all in sight is there`()
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

  @Test func `Reading that was stopped is resumed when all is drawn anew`() async throws {
    let library = NotedLibrary(.numbered(4))
    library.status.isStopped = true
    let run = LoopRun(library: library)
    try await run.open()
    #expect(!library.orders.contains(.resumeReading))
    try run.send(.key(.control("l")))
    #expect(library.orders.contains(.resumeReading))
  }

  @Test func `Esc stops a reading that takes long`() async throws {
    let library = NotedLibrary(.numbered(4))
    library.status.isComplete = false
    library.status.progress = LibraryProgress(phase: .reading, fraction: 0.1, elapsed: 60)
    let run = LoopRun(library: library)
    try await run.open()
    try run.send(.key(.escape))
    #expect(library.orders.contains(.stopReading))
  }

  @Test func `A library that changes after the end is not listened to`() async throws {
    let library = NotedLibrary(.numbered(4))
    let run = LoopRun(library: library)
    try await run.open()
    run.loop.close()
    run.mailbox.removeAll { _ in true }
    library.memory.add(.photo("new"))
    #expect(run.mailbox.isEmpty)
  }

  @Test func `Bursts and posters are of what the client may see, unless the user chooses that`() async throws
  {
    var (first, second) = (Asset.photo("p0", day: 1), Asset.photo("p1"))
    (first.burstIdentifier, second.burstIdentifier) = ("burst", "burst")
    second.representsBurst = true
    let third = Asset.photo("p2", day: 5)
    let access = LibraryAccessController(
      store: MemoryAssetStore([first, second, third]), images: ScriptedImages(), status: .limited,
      allowed: [second.id], consentRequest: ConsentRequest(client: "test"), consent: NobodyToAsk())
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
