/// Everything that a program in the sandbox can access; nothing else is visible to it.
package struct SandboxView: Equatable, Sendable {
  /// A file or folder outside and its path inside the sandbox.
  package struct Binding: Equatable, Sendable {
    package var source: [UInt8]
    package var place: [UInt8]

    package init(_ source: [UInt8], at place: [UInt8]) {
      self.source = source
      self.place = place
    }

    package init(_ source: String, at place: String) {
      self.init(Array(source.utf8), at: Array(place.utf8))
    }
  }

  /// A top-level folder with programs and libraries, such as `/bin` or `/lib64`.
  package enum SystemFolder: Equatable, Sendable {
    case folder(String)
    /// A symbolic link, as on systems where all of these are below /usr.
    case link(String, target: [UInt8])
  }

  package var system: [SystemFolder] = []
  /// Files and folders below /etc; missing ones are skipped.
  package var configuration: [String] = SandboxView.configuration
  /// Read-only files: tpick's programs and their libraries.
  package var programs: [Binding] = []
  /// The folder outside that is mounted at `SandboxPlace.photos`.
  package var photos: [UInt8]
  /// The granted photos that are mounted one by one.
  ///
  /// Each needs a mount point: an empty file of the same name in the folder `photos`.
  package var granted: [Binding] = []
  /// The folder outside that is mounted at `SandboxPlace.session`.
  package var session: [UInt8]
  /// The folder outside that is mounted at `SandboxPlace.results`, writable; nil = none.
  package var writable: [UInt8]?
  package var hasNetwork = false
  /// Sockets and files for programs with windows; empty if the program may not open any.
  package var display: [Binding] = []
  /// The complete environment of the program.
  package var environment: [SandboxEnvironment.Variable] = []

  /// - Parameters:
  ///   - photos: the folder that is mounted at `SandboxPlace.photos`.
  ///   - session: the folder that is mounted at `SandboxPlace.session`.
  package init(photos: [UInt8], session: [UInt8]) {
    self.photos = photos
    self.session = session
  }

  /// The maximum number of individually bound files: bubblewrap accepts 9000 arguments, and each file takes
  /// three.
  package static let maximumGranted = 2500

  /// What programs need from /etc: library lookup, locale, fonts and their own settings.
  package static let configuration = [
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "locale.alias", "alternatives",
    "terminfo", "inputrc", "bash.bashrc", "zsh", "vim", "nanorc", "mime.types", "magic", "fonts", "papersize",
    "ImageMagick-6", "ImageMagick-7", "OpenCL", "perl", "python3", "gnutls",
  ].map { "/etc/\($0)" }

  /// Files below /proc that change settings of the machine (proc(5)).
  private static let kernelSettings = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr"].map
  {
    "/proc/\($0)"
  }

  /// What programs need from /etc in addition if they have network access.
  package static let networkConfiguration = [
    "resolv.conf", "hosts", "host.conf", "nsswitch.conf", "gai.conf", "services", "protocols", "ssl/certs",
    "ssl/openssl.cnf", "ca-certificates.conf", "pki",
  ].map { "/etc/\($0)" }
}

extension SandboxView {
  /// The options for bubblewrap (bwrap(1), version 0.8 or later) in the form its `--args` reads: each
  /// terminated by NUL.
  ///
  /// The sandbox has its own namespaces, and nothing in it has capabilities or can create a user namespace.
  /// It ends with tpick. It stays in the terminal's session; the system call filter keeps it from inserting
  /// input into the terminal.
  package var arguments: [[UInt8]] {
    var words = Words()
    // --unshare-all treats the user namespace as optional; --unshare-user with --disable-userns does not.
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
    // Root owns these files: a command that root runs could write to them without any capability.
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

    /// Makes a file or folder visible, read-only.
    mutating func bind(_ binding: Binding) {
      add([Array("--ro-bind".utf8), binding.source, binding.place])
    }
  }
}

/// Paths inside the sandbox, the same for every program and user.
///
/// The photos don't keep their original paths, because folder names reveal details of the library.
package enum SandboxPlace {
  /// The granted photos.
  package static let photos = "/photos"
  /// The folder into which the program can write results.
  package static let results = "/results"
  package static let home = "/home/user"
  /// Files shared by tpick and the command: the portal's socket and the list of granted photos.
  package static let session = "/tpick/session"
  package static let portal = "\(session)/\(portalName)"
  package static let granted = "\(session)/\(grantedName)"
  /// Lists the verified files and folders; the launcher checks that bubblewrap has mounted exactly these.
  package static let bound = "\(session)/\(boundName)"
  /// tpick's own programs, if they are not below /usr.
  package static let programs = "/tpick/bin"
  /// Sockets of the display server.
  package static let waylandSocket = "/tmp/.tpick-wayland"
  package static let xAuthority = "\(home)/.Xauthority"

  // Names of files in the session folder.
  package static let portalName = "portal"
  package static let grantedName = "granted"
  package static let boundName = "bound"
  package static let usersName = "passwd"
  package static let groupsName = "group"
}

/// The command that runs in the sandbox, one argument per element; no shell interprets it.
package struct GrantedCommand: Equatable, Sendable {
  package static let placeholder = Array("{}".utf8)

  package var words: [[UInt8]]

  package init(words: [[UInt8]]) { self.words = words }

  /// Returns the arguments with `{}` replaced by the paths of the granted photos, one argument each.
  package func arguments(_ paths: [[UInt8]]) -> [[UInt8]] {
    words.flatMap { $0 == Self.placeholder ? paths : [$0] }
  }
}

/// Names of granted photos inside the sandbox.
package enum GrantedName {
  /// Returns a name that is safe in lists of lines and on a terminal: control characters become `_`.
  package static func cleaned(_ name: [UInt8]) -> [UInt8] {
    var cleaned: [UInt8] = []
    var previous: UInt8 = 0
    for byte in name {
      // Includes the C1 controls (ISO 6429) from U+0080 on, encoded in UTF-8.
      let isControl = byte < 0x20 || byte == 0x7F || previous == 0xC2 && (0x80..<0xA0).contains(byte)
      if previous == 0xC2, isControl, !cleaned.isEmpty, byte >= 0x80 { cleaned.removeLast() }
      cleaned.append(isControl ? UInt8(ascii: "_") : byte)
      previous = byte
    }
    let isNoName = cleaned.isEmpty || cleaned.allSatisfy { $0 == UInt8(ascii: ".") }
    return isNoName ? Array("photo".utf8) : cleaned
  }
}

/// The environment of a program in the sandbox.
///
/// Only the listed variables are passed on, because others reveal details of the user or the paths of
/// sockets.
package enum SandboxEnvironment {
  /// A variable, whose value may contain any bytes but NUL.
  package struct Variable: Equatable, Sendable {
    package var name: String
    package var value: [UInt8]

    package init(_ name: String, _ value: [UInt8]) {
      self.name = name
      self.value = value
    }

    package init(_ name: String, _ value: String) { self.init(name, Array(value.utf8)) }
  }

  /// What programs need to know about the terminal, the language and the user's preferences.
  private static let passed: Set<String> = [
    "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE",
    "LANG",
    "LANGUAGE", "TZ", "EDITOR", "VISUAL", "PAGER", "LESS",
  ]

  /// The beginnings of paths of programs that are visible in the sandbox.
  private static let visible = ["/usr/", "/bin", "/sbin"]
  private static let usualPath = "/usr/local/bin:/usr/bin:/bin"

  /// Returns the variables to pass on, and those that the sandbox adds.
  /// - Parameters:
  ///   - outer: the environment of the tpick process.
  ///   - programs: the folder of the programs of tpick itself; nil if they are on the default path.
  package static func variables(of outer: [Variable], programs: String? = nil) -> [Variable] {
    var variables = outer.filter { passes($0.name) }
    let path = outer.last { $0.name == "PATH" }.map { String(decoding: $0.value, as: UTF8.self) } ?? ""
    variables.append(Variable("PATH", visiblePath(path) + (programs.map { ":\($0)" } ?? "")))
    return variables + [
      Variable("HOME", SandboxPlace.home), Variable("USER", "user"), Variable("LOGNAME", "user"),
      Variable("SHELL", "/bin/sh"), Variable("TPICK_GRANTED", SandboxPlace.granted),
      Variable("TPICK_PORTAL", SandboxPlace.portal),
    ]
  }

  private static func passes(_ name: String) -> Bool {
    passed.contains(name) || name.hasPrefix("LC_")
  }

  /// Removes from a search path the folders that are not visible inside, such as relative ones.
  static func visiblePath(_ path: String) -> String {
    let folders = path.split(separator: ":").map(String.init).filter { folder in
      visible.contains { folder.hasPrefix($0) } && !folder.split(separator: "/").contains("..")
    }
    return folders.isEmpty ? usualPath : folders.joined(separator: ":")
  }
}
