import Fixtures
import Glibc
import SystemPackage
import Testing

@testable import FolderLibrary

/// Events as inotify(7) lays them out.
@Suite struct FolderWatchTests {
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

  @Test func `Every event says that its folder has changed`() {
    let state = state(event(1, Int(IN_CREATE), name: "a.jpg"), event(2, Int(IN_MOVED_FROM), name: "b.jpg"))
    #expect(state.changed == [10, 20])
    #expect(!state.hasOverflowed)
  }

  @Test func `When the system lost count, anything may have changed`() {
    let state = state(event(1, Int(IN_CREATE), name: "a.jpg"), event(-1, Int(IN_Q_OVERFLOW)))
    #expect(state.hasOverflowed)
  }

  @Test func `A watch that the system gave up says nothing any more`() {
    let state = state(event(1, Int(IN_IGNORED)), event(1, Int(IN_CREATE), name: "a.jpg"))
    #expect(state.folders == [2: 20])
    #expect(state.changed.isEmpty)
  }

  @Test func `An event that is cut short is left out`() {
    let whole = event(1, Int(IN_CREATE))
    #expect(state(Array(whole.dropLast())).changed.isEmpty)
  }
}
