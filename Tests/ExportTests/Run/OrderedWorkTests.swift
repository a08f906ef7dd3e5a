import Dispatch
import Synchronization
import TestScheduling
import Testing

@testable import Export
import Glibc

/// Jobs on several threads.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct OrderedWorkTests {
  @Test(arguments: 1...4) func `Results arrive in the order of the jobs`(workers: Int) {
    var order: [Int] = []
    OrderedWork(workers: workers, budget: 10).run(
      Array(0..<200), cost: { $0 % 4 }, perform: { job, _ in job * 2 }, watch: { _ in }
    ) { job, answer in
      #expect(answer == job * 2)
      order.append(job)
      return true
    }
    #expect(order == Array(0..<200))
  }

  @Test func `The number of concurrent jobs is limited, and a job with the full cost runs alone`() {
    let running = Mutex((now: 0, most: 0, besideGiant: 0, giant: false))
    OrderedWork(workers: 3, budget: 100).run(
      Array(0..<300), cost: { $0 % 10 == 0 ? .max : 30 },
      perform: { job, _ in
        running.withLock { state in
          state.now += 1
          state.most = max(state.most, state.now)
          if state.giant || (job % 10 == 0 && state.now > 1) { state.besideGiant += 1 }
          if job % 10 == 0 { state.giant = true }
        }
        // Other jobs have time to start in between. On a busy machine each of these may take milliseconds.
        for _ in 0..<(job % 10 == 0 ? 60 : 6) {
          sched_yield()
          running.withLock { state in
            if state.giant, state.now > 1 { state.besideGiant += 1 }
          }
        }
        running.withLock { state in
          state.now -= 1
          if job % 10 == 0 { state.giant = false }
        }
      }, watch: { _ in }
    ) { _, _ in true }
    running.withLock { state in
      #expect(state.now == 0 && state.most <= 3 && state.besideGiant == 0)
    }
  }

  @Test func `A finished job frees its cost, so that later ones run in parallel as well`() {
    let arrivals = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let haveMet = Mutex(0)
    OrderedWork(workers: 2, budget: 2).run(
      Array(0..<6), cost: { _ in 1 },
      perform: { job, _ in
        // The last two wait for each other.
        guard job >= 4 else { return }
        arrivals[job - 4].signal()
        if arrivals[5 - job].wait(timeout: .now() + 600) == .success { haveMet.withLock { $0 += 1 } }
      }, watch: { _ in }
    ) { _, _ in true }
    #expect(haveMet.withLock { $0 } == 2)
  }

  @Test func `After cancellation no job starts`() {
    let begun = Mutex(0)
    var received = 0
    OrderedWork(workers: 2, budget: 10).run(
      Array(0..<1000), cost: { _ in 1 }, perform: { _, _ in begun.withLock { $0 += 1 } }, watch: { _ in }
    ) { job, _ in
      received += 1
      return job < 5
    }
    // Jobs that had started are returned.
    #expect(begun.withLock { $0 } == received && received < 20)
  }
}
