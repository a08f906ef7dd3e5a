import Foundation

/// Does what blocks for long on a thread of its own.
///
/// Tests share the few threads of Swift's pool, one for each core: where all of them wait for servers, tests that are woken later
/// than they should be run out of time.
/// - Parameter body: what it records belongs to the test that calls.
package func onOwnThread<Success: Sendable>(_ body: @Sendable () throws -> Success) async throws -> Success {
  try await withTaskExecutorPreference(ThreadExecutor()) { try body() }
}

private final class ThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
