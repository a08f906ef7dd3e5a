import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// The processes below another one, as /proc tells of them (proc(5), `stat`).
struct ProcessTree {
  /// A process that can run.
  private struct Entry {
    var parent: pid_t
    var isStopped: Bool
  }

  /// Stops all processes below one, those that they start meanwhile too.
  ///
  /// A process that waits in read(2) for the terminal gets what is typed even when another group has the terminal by then;
  /// one that is stopped waits again, and finds that it has not.
  /// - Returns: those that were not stopped before.
  static func stop(below root: pid_t) -> [pid_t] {
    var stopped: [pid_t] = []
    // Whoever starts processes quicker than this can be stopped with all of them, at the latest, by its limits.
    for _ in 0..<1000 {
      let running = descendants(of: root).filter { !$0.entry.isStopped && !stopped.contains($0.process) }
      if running.isEmpty { break }
      for (process, _) in running where kill(process, SIGSTOP) == 0 { stopped.append(process) }
    }
    waitUntilStopped(stopped)
    return stopped
  }

  /// A signal reaches a process when it next runs, and until then it takes what is typed.
  private static func waitUntilStopped(_ processes: [pid_t]) {
    // One that waits for a disk or a server stops only when that has answered: a second has to do.
    for _ in 0..<1000 where processes.contains(where: { entry(of: $0)?.isStopped == false }) { usleep(1000) }
  }

  private static func descendants(of root: pid_t) -> [(process: pid_t, entry: Entry)] {
    let all = entries()
    return all.filter { process, entry in
      var parent = entry.parent
      // Processes may end while they are looked at, and their numbers be given again: no way is longer than all of them.
      for _ in all where parent > 1 {
        if parent == root { return true }
        parent = all[parent]?.parent ?? 0
      }
      return false
    }.map { ($0.key, $0.value) }
  }

  private static func entries() -> [pid_t: Entry] {
    guard let folder = opendir("/proc") else { return [:] }
    defer { closedir(folder) }
    var found: [pid_t: Entry] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let process = pid_t(name), let entry = Self.entry(of: process) { found[process] = entry }
    }
    return found
  }

  private static func entry(of process: pid_t) -> Entry? {
    let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let text = String(decoding: DescriptorText.read(file), as: UTF8.self)
    // The name before may hold blanks and parentheses.
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 1, let parent = pid_t(fields[1]), !["Z", "X"].contains(fields[0]) else { return nil }
    return Entry(parent: parent, isStopped: fields[0] == "T" || fields[0] == "t")
  }
}
