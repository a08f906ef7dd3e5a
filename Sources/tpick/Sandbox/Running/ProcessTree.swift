import SystemPackage
import System

/// The processes below another one, as /proc tells of them (proc(5), `stat`).
enum ProcessTree {
  /// A process that has not been waited for.
  private struct Entry {
    var parent: pid_t
    /// Those of its threads, as letters; one whose first thread has ended may run on.
    var states: [Substring]

    /// Whether a thread of it runs, or may at any moment.
    var isRunning: Bool { states.contains { !["T", "t", "Z", "X"].contains($0) } }
    var hasEnded: Bool { states.allSatisfy { ["Z", "X"].contains($0) } }
    /// Whether what runs of it waits for a disk or a server, and heeds the next signal before it does anything else.
    var isBusy: Bool { states.allSatisfy { ["T", "t", "Z", "X", "D"].contains($0) } }
  }

  /// What was stopped.
  struct Stop {
    fileprivate let root: pid_t
    /// Those that were stopped before, and stay so.
    fileprivate var before: Set<pid_t>
  }

  /// How long nothing may have run until all counts as stopped: those that wake each other do so at once.
  private static let calm: Duration = .milliseconds(50)

  /// Stops all processes below one, those that they start meanwhile too, again and again until none runs any more.
  ///
  /// A process that waits in read(2) for the terminal gets what is typed even when another group has the terminal by then;
  /// one that is stopped waits again, and finds that it has not.
  /// - Parameter time: how long it is tried: processes can let each other go on (`kill(-1, SIGCONT)`).
  /// - Returns: nil where some run on.
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
        // A signal reaches what waits for a disk or a server when that has answered.
        if now >= end {
          return running.values.allSatisfy(\.isBusy) ? Stop(root: root, before: before) : nil
        }
      }
      Waiting.pause(.milliseconds(1))
    }
    return nil
  }

  /// Whether what was stopped still is.
  static func isStopped(_ stop: Stop) -> Bool {
    descendants(of: stop.root)?.values.allSatisfy { !$0.isRunning || $0.isBusy } ?? false
  }

  /// Lets what was stopped go on.
  static func goOn(_ stop: Stop) {
    for process in (descendants(of: stop.root) ?? [:]).keys where !stop.before.contains(process) {
      kill(process, SIGCONT)
    }
  }

  /// Ends all processes below one, and looks whether they have ended; no longer than a second.
  static func end(below root: pid_t) {
    let end = ContinuousClock.now + .seconds(1)
    while let running = descendants(of: root)?.filter({ !$0.value.hasEnded }), !running.isEmpty {
      for process in running.keys { kill(process, SIGKILL) }
      if .now >= end { return }
      Waiting.pause(.milliseconds(1))
    }
  }

  /// The state of a thread as a letter; nil where it has ended.
  static func state(ofThread thread: pid_t) -> Substring? { fields(of: "/proc/\(thread)/stat")?[0] }

  /// - Returns: nil where /proc does not tell of the process.
  private static func descendants(of root: pid_t) -> [pid_t: Entry]? {
    let all = entries()
    guard all[root] != nil else { return nil }
    return all.filter { _, entry in
      var parent = entry.parent
      // Processes may end while they are looked at, and their numbers be given again: no way is longer than all of them.
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
    // The number of threads; the state is that of the first one alone.
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

  /// The fields behind the name, which may hold blanks and parentheses.
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
