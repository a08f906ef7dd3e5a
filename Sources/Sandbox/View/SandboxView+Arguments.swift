extension SandboxView {
  /// The options for bubblewrap (bwrap(1), version 0.8 and later), as its `--args` reads them: each ends with NUL.
  ///
  /// Every namespace is the sandbox's own, nobody in it has a capability or can make another namespace of users, and it
  /// ends with tpick. It stays in the terminal's session: what a program could do to that is for the filter of
  /// system calls.
  package var arguments: [[UInt8]] {
    var words = Words()
    // --unshare-all takes namespaces of users for optional; --disable-userns does not.
    words.add("--unshare-all", "--unshare-user", "--disable-userns")
    if hasNetwork { words.add("--share-net") }
    words.add("--die-with-parent", "--cap-drop", "ALL")
    words.add("--ro-bind", "/usr", "/usr")
    for folder in system {
      switch folder {
      case .folder(let path): words.add("--ro-bind", path, path)
      case .link(let path, let target): words.add([Array("--symlink".utf8), target, Array(path.utf8)])
      }
    }
    for path in configuration + (hasNetwork ? Self.networkConfiguration : []) {
      words.add("--ro-bind-try", path, path)
    }
    words.add("--proc", "/proc", "--dev", "/dev")
    // root's processes own these, and no capability is asked for.
    for path in Self.kernelSettings { words.add("--ro-bind-try", path, path) }
    words.add("--perms", "1777", "--tmpfs", "/tmp", "--symlink", "../tmp", "/var/tmp")
    words.add("--perms", "0700", "--tmpfs", SandboxPlace.home)
    words.bind(Binding(session, at: Array(SandboxPlace.session.utf8)))
    for (name, path) in [
      (SandboxPlace.usersName, "/etc/passwd"), (SandboxPlace.groupsName, "/etc/group"),
    ] {
      words.bind(Binding(session + Array("/\(name)".utf8), at: Array(path.utf8)))
    }
    programs.forEach { words.bind($0) }
    words.bind(Binding(photos, at: Array(SandboxPlace.photos.utf8)))
    granted.forEach { words.bind($0) }
    if let writable { words.add([Array("--bind".utf8), writable, Array(SandboxPlace.results.utf8)]) }
    display.forEach { words.bind($0) }
    words.add("--remount-ro", "/", "--chdir", SandboxPlace.home, "--clearenv")
    for variable in environment {
      words.add([Array("--setenv".utf8), Array(variable.name.utf8), variable.value])
    }
    return words.all
  }

  /// Options and their values, in order.
  private struct Words {
    private(set) var all: [[UInt8]] = []

    mutating func add(_ words: String...) { all += words.map { Array($0.utf8) } }
    mutating func add(_ words: [[UInt8]]) { all += words }

    /// Makes something visible that can't be changed from inside.
    mutating func bind(_ binding: Binding) {
      add([Array("--ro-bind".utf8), binding.source, binding.place])
    }
  }
}
