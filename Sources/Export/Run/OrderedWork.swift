import Dispatch
import Synchronization
import System

/// Does jobs on several threads, and hands over what came of them in the order of the jobs on the thread that asked.
///
/// A job that costs more than the budget runs alone; no more than two jobs for each worker wait to be handed over.
struct OrderedWork: Sendable {
  var workers: Int
  /// What the costs of jobs that run at once may add up to.
  var budget: Int

  private struct State<Answer: Sendable>: Sendable {
    var answers: [Int: Answer] = [:]
    var running = 0
    var cost = 0
    var fractions: [Int: Double] = [:]
  }

  /// - Parameters:
  ///   - perform: does a job; hands on what fraction of it is done.
  ///   - watch: hears now and then how many jobs' worth is done and not yet handed over.
  ///   - receive: takes what came of a job; false ends it: jobs that have not begun are left out.
  func run<Job: Sendable, Answer: Sendable>(
    _ jobs: [Job], cost: (Job) -> Int, perform: @escaping @Sendable (Job, (Double) -> Void) -> Answer,
    watch: (Double) -> Void, receive: (Job, Answer) -> Bool
  ) {
    let state = Mutex(State<Answer>())
    // A class holds the lock: jobs run on threads that outlive this frame's view of it.
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
