import Dispatch
import Fixtures
import Glibc
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// Events in the layout of inotify(7).
@Suite(.onOwnThreads) struct FolderWatchTests {
  private func event(_ watch: Int32, _ mask: Int, name: String = "") -> [UInt8] {
    var name = Array(name.utf8)
    if !name.isEmpty { name += [UInt8](repeating: 0, count: 16 - name.count % 16) }
    return [UInt32(bitPattern: watch), UInt32(mask), 0, UInt32(name.count)].flatMap { number in
      withUnsafeBytes(of: number) { Array($0) }
    } + name
  }

  private func state(_ events: [UInt8]...) -> FolderWatch.State {
    var state = FolderWatch.State(folders: [1: 10, 2: 20])
    state.record(events.flatMap { $0 }[...])
    return state
  }

  @Test func `Every event marks its folder as changed`() {
    let state = state(event(1, Int(IN_CREATE), name: "a.jpg"), event(2, Int(IN_MOVED_FROM), name: "b.jpg"))
    #expect(state.changed == [10, 20])
    #expect(!state.hasOverflowed)
  }

  @Test func `After a queue overflow everything counts as changed`() {
    let state = state(event(1, Int(IN_CREATE), name: "a.jpg"), event(-1, Int(IN_Q_OVERFLOW)))
    #expect(state.hasOverflowed)
  }

  @Test func `A watch that the system removed is ignored afterwards`() {
    let state = state(event(1, Int(IN_IGNORED)), event(1, Int(IN_CREATE), name: "a.jpg"))
    #expect(state.folders == [2: 20])
    #expect(state.changed.isEmpty)
  }

  @Test func `An event that arrives before its watch is registered is not lost`() {
    var state = state(event(3, Int(IN_MOVE_SELF)), event(4, Int(IN_MOVE_SELF)), event(4, Int(IN_IGNORED)))
    #expect(state.changed.isEmpty)
    state.note(watch: 3, failure: 0, folder: 30)
    state.note(watch: 4, failure: 0, folder: 40)
    #expect(state.changed == [30])
  }

  @Test func `A folder that was briefly registered under another watch is reported under both`() {
    var state = state()
    state.note(watch: 1, failure: 0, folder: 20)
    state.record(event(1, Int(IN_CREATE), name: "a.jpg")[...])
    #expect(state.changed == [10, 20])
  }

  @Test func `A name is never parsed as an event`() {
    // A file whose name is the number of the other folder's watch.
    let state = state(event(1, Int(IN_CREATE), name: "\u{2}"), event(1, Int(IN_CREATE), name: "\u{2}.jpg"))
    #expect(state.changed == [10])
  }

  @Test(arguments: [(ENOSPC, true), (ENOMEM, true), (ENOENT, false), (EACCES, false), (ENOTDIR, false)])
  func `Only a system without free watches makes it full`(failure: Int32, isFull: Bool) {
    var state = FolderWatch.State(folders: [1: 10])
    state.note(watch: -1, failure: failure, folder: 20)
    #expect(state.isFull == isFull)
    #expect(state.folders == [1: 10])
    // errno of an earlier call means nothing after a success.
    state = FolderWatch.State(folders: [1: 10])
    state.note(watch: 2, failure: failure, folder: 20)
    #expect(!state.isFull && state.folders == [1: 10, 2: 20])
  }

  @Test func `A folder that is watched already never exceeds the limit`() throws {
    let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
    let watch = try #require(FolderWatch(FolderWatch.Settings(limit: 1)))
    for _ in 0..<2 { watch.add(try OpenFolder(one.filePath), folder: 1) }
    #expect(!watch.isFull)
    watch.add(try OpenFolder(other.filePath), folder: 2)
    #expect(watch.isFull)
  }

  @Test(arguments: [false, true])
  func `A folder that is renamed or removed before it is watched is reported`(isRemoved: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("new")
    let watch = try #require(FolderWatch(FolderWatch.Settings(patience: .milliseconds(1))))
    let reported = Mutex<Set<Int>>([])
    watch.start { news in
      if case .folders(let folders) = news { reported.withLock { $0.formUnion(folders) } }
    }
    do {
      let opened = try OpenFolder(folder.filePath(of: "new"))
      if isRemoved { folder.remove("new") } else { try folder.rename("new", to: "away") }
      // The folder that now has the name is another one.
      try folder.makeFolder("new")
      watch.add(opened, folder: 1)
    }
    if !isRemoved { try folder.makeFolder("away/below") }
    #expect(eventually { reported.withLock { $0 } == [1] })
  }

  @Test func `A reported change is not reported again`() throws {
    let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
    let watch = try #require(FolderWatch(FolderWatch.Settings(patience: .milliseconds(1))))
    watch.add(try OpenFolder(one.filePath), folder: 1)
    watch.add(try OpenFolder(other.filePath), folder: 2)
    let reports = Mutex<[Set<Int>]>([])
    watch.start { news in
      if case .folders(let folders) = news { reports.withLock { $0.append(folders) } }
    }
    // Creating a folder is one event.
    try one.makeFolder("new")
    #expect(eventually { reports.withLock { $0 } == [[1]] })
    try other.makeFolder("new")
    #expect(eventually { reports.withLock { $0.count } == 2 })
    #expect(reports.withLock { $0 } == [[1], [2]])
  }

  @Test func `A truncated event is ignored`() {
    let whole = event(1, Int(IN_CREATE))
    #expect(state(Array(whole.dropLast())).changed.isEmpty)
  }
}
