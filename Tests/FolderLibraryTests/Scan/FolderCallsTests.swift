import AssetLibrary
import Dispatch
import Fixtures
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// Folders that do not answer, as on a dead network disk.
@Suite(.onOwnThreads) struct FolderCallsTests {
  private let photos: TemporaryFolder

  init() throws {
    photos = try TemporaryFolder()
    for name in ["a", "dead", "dead/below", "z"] { try photos.writePhoto("\(name)/\(name.last ?? "x").jpg") }
  }

  @Test func `A folder that does not answer is reported, the others are read, and its known contents stay`()
    throws
  {
    let dead = photos.filePath(of: "dead")
    let isDead = Gate()
    // A working disk is waited for as long as a busy machine takes, a dead one only once.
    let calls = FolderCalls { path in
      if path == dead { isDead.waitUntilOpen() }
    } patience: { path in
      path == dead && isDead.isClosed ? .milliseconds(100) : .seconds(600)
    }
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: nil, helper: nil, calls: calls)
    let names = { model.table.assets(in: nil, options: FetchOptions()).map(\.name).sorted() }
    scan.run(LibrarySources([photos.filePath]))
    #expect(names() == ["a.jpg", "d.jpg", "w.jpg", "z.jpg"])
    // The disk dies: it is probed once, and not again until it answers.
    isDead.close()
    try photos.writePhoto("z/new.jpg")
    for _ in 1...3 {
      scan.run(LibrarySources([photos.filePath]))
      #expect(names() == ["a.jpg", "d.jpg", "new.jpg", "w.jpg", "z.jpg"])
      #expect(model.status.issues == [AssetError(dead.string, "does not answer", isTransient: true)])
    }
    let known = model.read { state in state.folders.present.filter { state.folders[$0].path == dead } }
    scan.revisit(Set(known))
    #expect(names().contains("d.jpg"))
    // The disk works again.
    isDead.open()
    #expect(
      eventually {
        scan.run(LibrarySources([photos.filePath]))
        return model.status.issues.isEmpty
      })
    #expect(names() == ["a.jpg", "d.jpg", "new.jpg", "w.jpg", "z.jpg"])
  }
}

/// Lets threads pass while it is open.
private final class Gate: Sendable {
  private let condition = DispatchSemaphore(value: 1)
  private let closed = Atomic(false)

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  func waitUntilOpen() {
    condition.wait()
    condition.signal()
  }

  func close() {
    condition.wait()
    closed.store(true, ordering: .releasing)
  }

  func open() {
    closed.store(false, ordering: .releasing)
    condition.signal()
  }
}
