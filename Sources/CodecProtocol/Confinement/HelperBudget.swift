import Synchronization
import System

/// The memory that all helpers of a process may use together; every caller that waits for a helper checks all of
/// them.
///
/// It counts resident memory, not address space, which costs nothing.
package final class HelperBudget: Sendable {
  private struct State {
    var living: Set<pid_t> = []
    /// Helpers that were killed for exceeding the budget.
    var ended: Set<pid_t> = []
    var lastCheck: ContinuousClock.Instant?
  }

  /// The budget of this process: half of the machine's memory, between 1 GiB and 8 GiB.
  package static let shared = HelperBudget(byteCount: min(8 << 30, max(1 << 30, ProcessMemory.ofMachine / 2)))

  /// Minimum interval between checks, regardless of the number of waiting callers.
  private static let pause: Duration = .milliseconds(10)

  private let byteCount: Int
  private let state = Mutex(State())

  package init(byteCount: Int) {
    self.byteCount = byteCount
  }

  func add(_ process: pid_t) {
    state.withLock { _ = $0.living.insert(process) }
  }

  /// Removes a helper; call before it is reaped, after which its process ID may be reused.
  func remove(_ process: pid_t) {
    state.withLock { state in
      state.living.remove(process)
      state.ended.remove(process)
    }
  }

  /// Kills the largest helper if all together exceed the budget.
  func check() {
    state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.lastCheck, now - last < Self.pause { return }
      state.lastCheck = now
      let sizes = state.living.subtracting(state.ended).map {
        (process: $0, size: ProcessMemory(of: $0).resident)
      }
      guard sizes.reduce(0, { $0 + $1.size }) > byteCount,
        let largest = sizes.max(by: { $0.size < $1.size })
      else { return }
      kill(-largest.process, SIGKILL)
      state.ended.insert(largest.process)
    }
  }

  /// Returns whether a helper was killed for exceeding the budget.
  func hasEnded(_ process: pid_t) -> Bool { state.withLock { $0.ended.contains(process) } }
}

/// Memory figures of a process, from proc(5), statm.
struct ProcessMemory: Hashable, Sendable {
  /// Address space in bytes.
  var addresses = 0
  /// Resident memory in bytes.
  var resident = 0

  /// Reads the figures of a process; zeros if it has exited.
  init(of process: pid_t) {
    let file = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = max(0, read(file, &text, text.count))
    let words = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
    guard words.count >= 2, let addresses = Int(words[0]), let resident = Int(words[1]) else { return }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    (self.addresses, self.resident) = (addresses * page, resident * page)
  }

  /// Physical memory of the machine in bytes; 0 if unknown.
  static var ofMachine: Int {
    let (pages, size) = (Int(sysconf(Int32(_SC_PHYS_PAGES))), Int(sysconf(Int32(_SC_PAGESIZE))))
    return max(0, pages) * max(0, size)
  }
}
