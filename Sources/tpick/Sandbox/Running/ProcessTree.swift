import SystemPackage
import System

/// The descendants of a process, from /proc (proc(5), `stat`).
enum ProcessTree {
  /// A process that has not been waited for.
  private struct Entry {
    var parent: pid_t
    /// The states of its threads, as letters; a process whose first thread has ended may still run.
    var states: [Substring]

    /// Whether a thread of it runs, or may run at any moment.
    var isRunning: Bool { states.contains { !["T", "t", "Z", "X"].contains($0) } }
    var hasEnded: Bool { states.allSatisfy { ["Z", "X"].contains($0) } }
    /// Whether its running threads wait for a disk or a server, and handle the next signal before they do anything
    /// else.
    var isBusy: Bool { states.allSatisfy { ["T", "t", "Z", "X", "D"].contains($0) } }
  }

  /// The stopped processes.
  struct Stop {
    fileprivate let root: pid_t
    /// Processes that were stopped before, and remain so.
    fileprivate var before: Set<pid_t>
  }

  /// The time without running processes after which all count as stopped: processes that wake each other do so at once.
  private static let calm: Duration = .milliseconds(50)

  /// Stops all descendants of a process, including those that are started meanwhile, repeatedly until none runs.
  ///
  /// A process that waits in read(2) for the terminal gets the input even if another group has the terminal by then;
  /// after a stop it waits again and finds that it has lost the terminal.
  /// - Parameter time: the timeout, because processes can wake each other (`kill(-1, SIGCONT)`).
  /// - Returns: nil if some are still running.
  static func stop(below root: pid_t, within time: Duration) -> Stop? {
    guard let found = descendants(of: root) else { return nil }
    let before = Set(found.filter { !$0.value.isRunning }.keys)
    let end = ContinuousClock.now + time
    var calmSince: ContinuousClock.Instant?
    while let running = descendants(of: root)?.filter({ $0.value.isRunning }) {
      let now = ContinuousClock.now
      if running.isEmpty {
        let since = calmSince ?? now
        if now - since >= calm { return Stop(root: root, before: before) }
        calmSince = since
      } else {
        calmSince = nil
        for process in running.keys { kill(process, SIGSTOP) }
        // A process that waits for a disk or a server handles a signal only after that.
        if now >= end {
          return running.values.allSatisfy(\.isBusy) ? Stop(root: root, before: before) : nil
        }
      }
      Waiting.pause(.milliseconds(1))
    }
    return nil
  }

  /// Whether the stopped processes are still stopped.
  static func isStopped(_ stop: Stop) -> Bool {
    descendants(of: stop.root)?.values.allSatisfy { !$0.isRunning || $0.isBusy } ?? false
  }

  /// Continues the stopped processes.
  static func goOn(_ stop: Stop) {
    for process in (descendants(of: stop.root) ?? [:]).keys where !stop.before.contains(process) {
      kill(process, SIGCONT)
    }
  }

  /// Ends all descendants of a process, and waits for their end for at most a second.
  static func end(below root: pid_t) {
    let end = ContinuousClock.now + .seconds(1)
    while let running = descendants(of: root)?.filter({ !$0.value.hasEnded }), !running.isEmpty {
      for process in running.keys { kill(process, SIGKILL) }
      if .now >= end { return }
      Waiting.pause(.milliseconds(1))
    }
  }

  /// The state of a thread as a letter; nil if it has ended.
  static func state(ofThread thread: pid_t) -> Substring? { fields(of: "/proc/\(thread)/stat")?[0] }

  /// - Returns: nil if the process is not in /proc.
  private static func descendants(of root: pid_t) -> [pid_t: Entry]? {
    let all = entries()
    guard all[root] != nil else { return nil }
    return all.filter { _, entry in
      var parent = entry.parent
      // Processes may end meanwhile and their numbers be reused; no chain of parents is longer than the number of
      // processes.
      for _ in all where parent > 1 {
        if parent == root { return true }
        parent = all[parent]?.parent ?? 0
      }
      return false
    }
  }

  private static func entries() -> [pid_t: Entry] {
    var found: [pid_t: Entry] = [:]
    for process in numbers(in: "/proc") {
      if let entry = entry(of: process) { found[process] = entry }
    }
    return found
  }

  private static func entry(of process: pid_t) -> Entry? {
    guard let fields = fields(of: "/proc/\(process)/stat"), let parent = pid_t(fields[1]) else {
      return nil
    }
    var entry = Entry(parent: parent, states: [fields[0]])
    // The number of threads; the state is that of the first thread only.
    if fields.count > 17, let count = Int(fields[17]), count > 1 {
      entry.states += numbers(in: "/proc/\(process)/task").compactMap { thread in
        self.fields(of: "/proc/\(process)/task/\(thread)/stat")?[0]
      }
    }
    return entry
  }

  private static func numbers(in folder: String) -> [pid_t] {
    SandboxStage.entries(of: Array(folder.utf8)).compactMap {
      pid_t(String(decoding: $0, as: UTF8.self))
    }
  }

  /// The fields after the name, which may contain blanks and parentheses.
  private static func fields(of path: String) -> [Substring]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let text = String(decoding: DescriptorText.read(file), as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 1 ? fields : nil
  }
}
