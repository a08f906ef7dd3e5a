import Dispatch
import PickerRuntime

extension Mailbox {
  /// What arrives next, waited for on a thread of its own: those of tests are few.
  func taken() async -> [Message] {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "waiting").async { continuation.resume(returning: self.takeAll()) }
    }
  }
}
