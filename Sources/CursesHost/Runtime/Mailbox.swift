import Dispatch
import Synchronization

/// Messages from any thread for the one that waits.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let arrival = DispatchSemaphore(value: 0)

  func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    arrival.signal()
  }

  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  func removeAll(where isMeant: (Message) -> Bool) {
    messages.withLock { $0.removeAll(where: isMeant) }
  }

  func contains(where isMeant: (Message) -> Bool) -> Bool {
    messages.withLock { $0.contains(where: isMeant) }
  }

  /// Everything that has come, in order; waits for a while at most until there is something.
  func takeAll(within patience: Duration) -> [Message] {
    let (seconds, fraction) = max(.zero, patience).components
    let deadline =
      DispatchTime.now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(fraction / 1_000_000_000))
    while isEmpty, arrival.wait(timeout: deadline) == .success {}
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }

  /// Everything that has come, in order; waits until there is something.
  func takeAll() -> [Message] {
    while true {
      let taken = messages.withLock { messages in
        defer { messages = [] }
        return messages
      }
      if !taken.isEmpty { return taken }
      arrival.wait()
    }
  }
}
