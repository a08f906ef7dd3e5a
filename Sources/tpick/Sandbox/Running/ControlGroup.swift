import SystemPackage
import System

/// A control group for a sandbox (cgroups(7), version 2), which the kernel can freeze as a whole.
///
/// No signal wakes frozen processes, and no process in a sandbox can leave the group, because its file system is not
/// visible there. It is created in the group of this process if that is writable: in a user's own session, for root,
/// and in most containers. Used by one thread.
final class ControlGroup {
  /// The file through which processes enter the group.
  let members: Int32
  private let parent: Int32
  private let folder: Int32
  private let name: String

  private static let prefix = "tpick-"

  /// - Returns: nil if this process can't create groups.
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
    // Kernels before 5.2 have groups, but can't freeze them.
    guard members >= 0, faccessat(folder, "cgroup.freeze", W_OK, 0) == 0 else {
      for descriptor in [members, folder] where descriptor >= 0 { close(descriptor) }
      unlinkat(parent, name, AT_REMOVEDIR)
      close(parent)
      return nil
    }
    (self.parent, self.folder, self.members, self.name) = (parent, folder, members, name)
  }

  /// Removes the group after its processes have ended.
  deinit {
    _ = waitFor("populated 0", for: .seconds(1))
    unlinkat(parent, name, AT_REMOVEDIR)
    [members, folder, parent].forEach { close($0) }
  }

  /// Whether a process is in it.
  func contains(_ process: pid_t) -> Bool { numbers(in: "cgroup.procs").contains(process) }

  /// Freezes all processes of the group, and checks the result.
  /// - Returns: false if a process still runs after some time.
  func freeze(within time: Duration) -> Bool {
    guard write("1", to: "cgroup.freeze") else { return false }
    // A process that waits for a disk or a server is frozen before it does anything else.
    return waitFor("frozen 1", for: time)
      || !numbers(in: "cgroup.threads").contains { ProcessTree.state(ofThread: $0) == "R" }
  }

  /// Thaws the group.
  func thaw() -> Bool { write("0", to: "cgroup.freeze") }

  /// The folder of this process's own group; nil without control groups of version 2.
  private static var ownFolder: [UInt8]? {
    let groups = lines(of: "/proc/self/cgroup")
    guard let own = groups.first(where: { $0.hasPrefix("0::/") })?.dropFirst(3),
      !own.hasPrefix("/..")
    else {
      return nil
    }
    for line in lines(of: "/proc/self/mountinfo") {
      // proc_pid_mountinfo(5): the root of the mount and its mount point; after a dash the file system type.
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

  /// Removes the groups of killed processes; a group with running processes stays.
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

  /// Waits until the group's events contain a line.
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
