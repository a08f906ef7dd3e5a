import Fixtures
import Synchronization
import TestScheduling
import Testing

@testable import FolderLibrary

/// When observers are notified of changes.
@Suite(.onOwnThreads) struct LibraryModelTests {
  private let model = LibraryModel()

  /// Makes a change and returns how often observers have been notified in all.
  private func told(by body: () -> Void) -> Int {
    let count = Atomic(0)
    let observer = model.observers.add { _ in count.add(1, ordering: .relaxed) }
    defer { model.observers.remove(observer) }
    body()
    return count.load(ordering: .relaxed)
  }

  @Test func `Without a change observers are not notified, and the next change is not delayed`() {
    #expect(told { for _ in 0..<10 { model.announce(now: true) } } == 0)
    #expect(
      told {
        model.change { $0.note("news") }
        model.announce()
      } == 1)
  }

  @Test func `An urgent announcement ends the delay, whether anything changed or not`() {
    for hasNews in [true, false] {
      model.hold(for: .seconds(600))
      if hasNews { model.change { $0.note("news") } }
      #expect(told { model.announce() } == 0)
      #expect(told { model.announce(now: true) } == (hasNews ? 1 : 0))
      model.change { $0.note("more") }
      #expect(eventually { told { model.announce() } == 1 })
    }
  }
}

/// When observers of a store are called.
@Suite(.onOwnThreads) struct ChangeDeliveryTests {
  @Test func `A running change holds back only its own notification`() {
    let delivery = ChangeDelivery()
    let heard = Mutex<[LibraryChange]>([])
    let observer = delivery.observers.add { change in heard.withLock { $0.append(change) } }
    delivery.add(.contents)
    delivery.hold {
      delivery.add(.status)
      delivery.add(.access)
      delivery.flush()
      #expect(heard.withLock { $0 } == [.contents])
    }
    delivery.flush()
    #expect(heard.withLock { $0 } == [.contents, [.status, .access]])
    delivery.observers.remove(observer)
  }
}
