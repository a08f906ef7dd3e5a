import Foundation
package import Testing

/// Runs each test of a suite on a thread of its own, at most ``TestSize/waitingTests`` of all such tests at once.
///
/// Swift's pool has one thread for each processor. A test that blocks on a program, a server or a callback without
/// suspending keeps one of them from all others: suites of such tests have this trait. A time limit of such a suite
/// includes the wait for a slot, which may be as long as the whole run.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Slots.shared.acquire()
    let result: Result<Void, any Error>
    do {
      result = .success(try await onOwnThread { try await function() })
    } catch {
      result = .failure(error)
    }
    await Slots.shared.release()
    try result.get()
  }
}

extension Trait where Self == OwnThreads {
  package static var onOwnThreads: Self { OwnThreads() }
}

/// Runs a long blocking operation on a thread of its own.
/// - Parameter body: Issues that it records belong to the calling test.
package func onOwnThread<Success: Sendable>(
  _ body: @Sendable () async throws -> Success
) async throws -> Success {
  try await withTaskExecutorPreference(ThreadExecutor()) { try await body() }
}

private final class ThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// A semaphore on which tasks wait without blocking a thread.
private actor Slots {
  static let shared = Slots(TestSize.waitingTests)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func acquire() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func release() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
