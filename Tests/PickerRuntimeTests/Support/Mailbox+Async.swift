import Foundation
import PickerRuntime

extension Mailbox {
  /// Receives the next message on a thread of its own: Dispatch has 32 for all tests together, and what they wait for
  /// needs some of them.
  func taken() async -> [Message] {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.takeAll()) }
    }
  }
}
