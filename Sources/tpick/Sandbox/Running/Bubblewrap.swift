import SystemPackage
import System

/// The program that makes sandboxes, bubblewrap's `bwrap`.
struct Bubblewrap {
  let path: String

  /// Finds it, and has it make a sandbox once, before the user is asked for anything.
  /// - Throws: `Failure` where it is not there, or can't make one.
  init() throws(Failure) {
    guard let path = Self.find() else {
      throw .error("run: bwrap is not there, which makes the sandbox; the package is called bubblewrap")
    }
    self.path = path
    try check()
  }

  private static func find() -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").lazy.map { "\($0)/bwrap" }.first { access($0, X_OK) == 0 }
  }

  /// - Throws: `Failure` with what bwrap says.
  private func check() throws(Failure) {
    let words = [
      "bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "--",
      "/usr/bin/true",
    ]
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .error("run: \(Errno(rawValue: errno))") }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    var process: pid_t = 0
    let error = ByteStrings.withPointers(words.map { Array($0.utf8) }) { pointers in
      posix_spawn(
        &process, path, &actions, nil, pointers, environ)
    }
    close(ends[1])
    guard error == 0 else { throw .error("run: bwrap: \(Errno(rawValue: error))") }
    let said = DescriptorText.read(ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      let line = String(decoding: said, as: UTF8.self).split(separator: "\n").first.map(String.init)
      throw .error(
        "run: no sandbox can be made here: \(line ?? "bwrap ended with status \(status >> 8)")"
          + "; it needs bubblewrap 0.8 and user namespaces (sysctl user.max_user_namespaces)")
    }
  }
}
