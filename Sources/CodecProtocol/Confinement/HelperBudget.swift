import Synchronization
import System

/// The memory that all helpers of a process may have together: who waits for one looks at all of them.
///
/// What is counted is what they have, not what they may have: addresses cost nothing.
package final class HelperBudget: Sendable {
  private struct State {
    var living: Set<pid_t> = []
    /// Those of them that were ended for it.
    var ended: Set<pid_t> = []
    var lastLook: ContinuousClock.Instant?
  }

  /// That of this process: half of the machine's memory, between 1 GiB and 8 GiB.
  package static let shared = HelperBudget(byteCount: min(8 << 30, max(1 << 30, ProcessMemory.ofMachine / 2)))

  /// How often somebody looks, however many wait.
  private static let pause: Duration = .milliseconds(10)

  private let byteCount: Int
  private let state = Mutex(State())

  /// - Parameter byteCount: of memory.
  package init(byteCount: Int) {
    self.byteCount = byteCount
  }

  func add(_ process: pid_t) {
    state.withLock { _ = $0.living.insert(process) }
  }

  /// Forgets a helper: called before it is reaped, and somebody else may get its number.
  func remove(_ process: pid_t) {
    state.withLock { state in
      state.living.remove(process)
      state.ended.remove(process)
    }
  }

  /// Ends the largest helper where all have more than they may.
  func check() {
    state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.lastLook, now - last < Self.pause { return }
      state.lastLook = now
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

  /// Whether a helper was ended because there was not enough for all.
  func hasEnded(_ process: pid_t) -> Bool { state.withLock { $0.ended.contains(process) } }
}

/// What a process has of memory, as the kernel says (proc(5), statm).
struct ProcessMemory: Hashable, Sendable {
  /// Bytes of addresses.
  var addresses = 0
  /// Bytes of memory.
  var resident = 0

  /// That of a process; nothing where it is gone.
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

  /// That of the machine in bytes; 0 where it is not known.
  static var ofMachine: Int {
    let (pages, size) = (Int(sysconf(Int32(_SC_PHYS_PAGES))), Int(sysconf(Int32(_SC_PAGESIZE))))
    return max(0, pages) * max(0, size)
  }
}
