import Dispatch
import Synchronization
import System

/// Runs jobs on several threads, and delivers their results in the order of the jobs on the calling thread.
///
/// A job that exceeds the budget runs alone. At most two jobs per worker wait for delivery.
struct OrderedWork: Sendable {
  var workers: Int
  /// The maximum total cost of jobs that run in parallel.
  var budget: Int

  private struct State<Answer: Sendable>: Sendable {
    var answers: [Int: Answer] = [:]
    var running = 0
    var cost = 0
    var fractions: [Int: Double] = [:]
  }

  /// - Parameters:
  ///   - perform: executes a job; reports the completed fraction.
  ///   - watch: called now and then with the sum of the completed fractions of jobs that are not delivered
  ///     yet.
  ///   - receive: receives the result of a job; if it returns false, jobs that have not started are skipped.
  func run<Job: Sendable, Answer: Sendable>(
    _ jobs: [Job], cost: (Job) -> Int, perform: @escaping @Sendable (Job, (Double) -> Void) -> Answer,
    watch: (Double) -> Void, receive: (Job, Answer) -> Bool
  ) {
    let state = Mutex(State<Answer>())
    // A class holds the lock, because job threads may outlive this stack frame.
    let shared = Shared(state)
    let finished = DispatchSemaphore(value: 0)
    let queue = WorkQueue(width: workers)
    var (begun, done, goesOn) = (0, 0, true)
    while done < jobs.count {
      while goesOn, begun < jobs.count, begun - done < 2 * workers {
        let job = jobs[begun]
        let price = min(cost(job), budget)
        let mayRun = shared.state.withLock { state in
          guard state.running < workers, state.running == 0 || state.cost + price <= budget else {
            return false
          }
          state.running += 1
          state.cost += price
          return true
        }
        guard mayRun else { break }
        let index = begun
        begun += 1
        queue.async {
          let answer = perform(job) { fraction in
            shared.state.withLock { $0.fractions[index] = fraction }
          }
          shared.state.withLock { state in
            state.answers[index] = answer
            state.fractions[index] = 1
            state.running -= 1
            state.cost -= price
          }
          finished.signal()
        }
      }
      if done == begun { return }
      if finished.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
        watch(shared.state.withLock { $0.fractions.values.reduce(0, +) })
        continue
      }
      while let answer = shared.state.withLock({ state in
        state.fractions[done] = nil
        return state.answers.removeValue(forKey: done)
      }) {
        let takesMore = receive(jobs[done], answer)
        done += 1
        goesOn = goesOn && takesMore
        if !goesOn, done == begun { return }
      }
    }
  }

  private final class Shared<Answer: Sendable>: Sendable {
    let state: Mutex<State<Answer>>

    init(_ state: consuming Mutex<State<Answer>>) {
      self.state = state
    }
  }
}
