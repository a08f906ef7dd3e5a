import Dispatch
import Synchronization

/// Messages from any thread for the one that waits.
package final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let arrival = DispatchSemaphore(value: 0)
  private let clock: any RuntimeClock

  package init(clock: any RuntimeClock = SystemClock()) {
    self.clock = clock
  }

  package func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    arrival.signal()
  }

  package var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Whether a message of some kind is there.
  package func contains(where isMeant: (Message) -> Bool) -> Bool {
    messages.withLock { $0.contains(where: isMeant) }
  }

  package func removeAll(where isMeant: (Message) -> Bool) {
    messages.withLock { $0.removeAll(where: isMeant) }
  }

  /// Everything that has come, in order; waits until there is something.
  package func takeAll() -> [Message] {
    while true {
      let taken = take()
      if !taken.isEmpty { return taken }
      arrival.wait()
    }
  }

  /// Everything that has come, in order; waits for a while at most until there is something.
  package func takeAll(within patience: Duration) -> [Message] {
    wait(within: patience) { _ in true }
    return take()
  }

  /// Waits for a while at most until there is a message of some kind, which stays.
  package func wait(within patience: Duration, for isMeant: (Message) -> Bool) {
    let deadline = clock.now + patience
    while !messages.withLock({ $0.contains(where: isMeant) }), clock.now < deadline {
      clock.wait(for: arrival, until: deadline)
    }
  }

  private func take() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
