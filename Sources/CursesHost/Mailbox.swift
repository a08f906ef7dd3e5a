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
