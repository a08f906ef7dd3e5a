import SystemPackage
import System

/// A control group of a sandbox's own (cgroups(7), version 2), which the kernel holds as a whole.
///
/// No signal wakes what is held by it, and no process in a sandbox can leave it: its file system is not there. It lies in the
/// group of this process, where that may be written: a user's own session, root, and most containers. Used by one thread.
final class ControlGroup {
  /// The file by which processes enter.
  let members: Int32
  private let parent: Int32
  private let folder: Int32
  private let name: String

  private static let prefix = "tpick-"

  /// - Returns: nil where this process may make none.
  init?() {
    guard let path = Self.ownFolder else { return nil }
    let parent = SandboxStage.call(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard parent >= 0 else { return nil }
    Self.removeAbandoned(in: parent)
    let name = "\(Self.prefix)\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
    guard mkdirat(parent, name, 0o755) == 0 else {
      close(parent)
      return nil
    }
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let members = openat(folder, "cgroup.procs", O_RDWR | O_CLOEXEC)
    // Kernels before 5.2 have the group and can't hold it.
    guard members >= 0, faccessat(folder, "cgroup.freeze", W_OK, 0) == 0 else {
      for descriptor in [members, folder] where descriptor >= 0 { close(descriptor) }
      unlinkat(parent, name, AT_REMOVEDIR)
      close(parent)
      return nil
    }
    (self.parent, self.folder, self.members, self.name) = (parent, folder, members, name)
  }

  /// Removes the group, once what was in it has ended.
  deinit {
    _ = waitFor("populated 0", for: .seconds(1))
    unlinkat(parent, name, AT_REMOVEDIR)
    [members, folder, parent].forEach { close($0) }
  }

  /// Whether a process is in it.
  func contains(_ process: pid_t) -> Bool { numbers(in: "cgroup.procs").contains(process) }

  /// Holds all that is in it, and looks whether that has worked.
  /// - Returns: false where something still runs after a while.
  func freeze(within time: Duration) -> Bool {
    guard write("1", to: "cgroup.freeze") else { return false }
    // What waits for a disk or a server is held before it does anything else.
    return waitFor("frozen 1", for: time)
      || !numbers(in: "cgroup.threads").contains { ProcessTree.state(ofThread: $0) == "R" }
  }

  /// Lets it go on.
  func thaw() -> Bool { write("0", to: "cgroup.freeze") }

  /// The folder of this process's own group; nil where there is no second version of groups.
  private static var ownFolder: [UInt8]? {
    let groups = lines(of: "/proc/self/cgroup")
    guard let own = groups.first(where: { $0.hasPrefix("0::/") })?.dropFirst(3),
      !own.hasPrefix("/..")
    else {
      return nil
    }
    for line in lines(of: "/proc/self/mountinfo") {
      // proc_pid_mountinfo(5): the root of the mount, where it is; behind a dash the kind.
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash > 4,
        fields[dash...].dropFirst().first == "cgroup2"
      else {
        continue
      }
      let root = fields[3] == "/" ? "" : fields[3]
      guard root.isEmpty || own == root || own.hasPrefix("\(root)/") else { continue }
      return Array("\(fields[4])\(own.dropFirst(root.count))".utf8)
    }
    return nil
  }

  private static func lines(of path: String) -> [String] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return String(decoding: DescriptorText.read(file), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  /// Removes what a killed process has left; a group in which something runs stays.
  private static func removeAbandoned(in parent: Int32) {
    for name in SandboxStage.entries(at: parent) {
      let name = String(decoding: name, as: UTF8.self)
      guard name.hasPrefix(prefix),
        let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      unlinkat(parent, name, AT_REMOVEDIR)
    }
  }

  private func write(_ word: String, to name: String) -> Bool {
    let file = openat(folder, name, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return Glibc.write(file, word, word.utf8.count) == word.utf8.count
  }

  private func numbers(in name: String) -> [pid_t] {
    let file = openat(folder, name, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return String(decoding: DescriptorText.read(file), as: UTF8.self).split(separator: "\n")
      .compactMap {
        pid_t($0)
      }
  }

  /// Waits until the group's events have a line.
  private func waitFor(_ line: Substring, for time: Duration) -> Bool {
    let file = openat(folder, "cgroup.events", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let end = ContinuousClock.now + time
    while true {
      lseek(file, 0, SEEK_SET)
      let events = String(decoding: DescriptorText.read(file), as: UTF8.self)
      if events.split(separator: "\n").contains(line) { return true }
      let left = (end - .now) / .milliseconds(1)
      guard left > 0 else { return false }
      var change = pollfd(fd: file, events: Int16(POLLPRI), revents: 0)
      _ = poll(&change, 1, Int32(left.rounded(.up)))
    }
  }
}
