import AssetLibrary
import Dispatch
import Synchronization

/// The answer to a synchronous request, which its caller waits for.
final class SynchronousAnswer: Sendable {
  private let answer = Mutex<ImageResult?>(nil)
  private let ready = DispatchSemaphore(value: 0)

  func set(_ result: ImageResult) {
    answer.withLock { $0 = result }
    ready.signal()
  }

  func wait() -> ImageResult {
    ready.wait()
    guard let result = answer.withLock({ $0 }) else {
      preconditionFailure("the semaphore is signalled only after the answer is set")
    }
    return result
  }
}
