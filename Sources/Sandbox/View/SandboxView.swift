/// What a program in the sandbox sees of the machine; nothing else is there.
package struct SandboxView: Equatable, Sendable {
  /// A file or folder of the machine, by another path.
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

  /// A folder of the root that holds programs and libraries, `/bin` or `/lib64`.
  package enum SystemFolder: Equatable, Sendable {
    case folder(String)
    /// A link, as where all of them lie below /usr.
    case link(String, target: [UInt8])
  }

  package var system: [SystemFolder] = []
  /// Files and folders below /etc; those that are not there are left out.
  package var configuration: [String] = SandboxView.configuration
  /// Read-only files: tpick's programs and their libraries.
  package var programs: [Binding] = []
  /// The folder outside that stands at `SandboxPlace.photos`.
  package var photos: [UInt8]
  /// Files outside by the names that they have there; each needs an empty file of its name in that folder.
  package var granted: [Binding] = []
  /// The folder outside that stands at `SandboxPlace.session`.
  package var session: [UInt8]
  /// The folder outside that stands at `SandboxPlace.results`.
  package var writable: [UInt8]?
  package var hasNetwork = false
  /// Sockets and files that a program with windows needs; empty where it may show none.
  package var display: [Binding] = []
  /// The variables that are set, and no others.
  package var environment: [SandboxEnvironment.Variable] = []

  /// - Parameters:
  ///   - photos: the folder that stands at `SandboxPlace.photos`.
  ///   - session: the folder that stands at `SandboxPlace.session`.
  package init(photos: [UInt8], session: [UInt8]) {
    self.photos = photos
    self.session = session
  }

  /// The most files that can be bound one by one: bubblewrap takes 9000 arguments, three for each.
  package static let mostGranted = 2500

  /// What programs need of /etc to find libraries, locale, fonts and their own settings.
  package static let configuration = [
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "locale.alias", "alternatives",
    "terminfo", "inputrc", "bash.bashrc", "zsh", "vim", "nanorc", "mime.types", "magic", "fonts", "papersize",
    "ImageMagick-6", "ImageMagick-7", "OpenCL", "perl", "python3", "gnutls",
  ].map { "/etc/\($0)" }

  /// What of /proc changes the machine (proc(5)).
  private static let kernelSettings = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr"].map
  {
    "/proc/\($0)"
  }

  /// What programs need of it besides where there is a network.
  package static let networkConfiguration = [
    "resolv.conf", "hosts", "host.conf", "nsswitch.conf", "gai.conf", "services", "protocols", "ssl/certs",
    "ssl/openssl.cnf", "ca-certificates.conf", "pki",
  ].map { "/etc/\($0)" }
}

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

/// Where things stand in the sandbox, for every program and every user the same.
///
/// The paths that they have outside are not used: names of folders tell of the library.
package enum SandboxPlace {
  /// The granted photos.
  package static let photos = "/photos"
  /// The folder that results can be written into.
  package static let results = "/results"
  package static let home = "/home/user"
  /// What tpick and the command share: the socket of the portal and the list of granted photos.
  package static let session = "/tpick/session"
  package static let portal = "\(session)/\(portalName)"
  package static let granted = "\(session)/\(grantedName)"
  /// Which files and folders were checked before they were bound.
  package static let bound = "\(session)/\(boundName)"
  /// tpick's own programs, where they don't lie below /usr.
  package static let programs = "/tpick/bin"
  /// Sockets of the screen.
  package static let waylandSocket = "/tmp/.tpick-wayland"
  package static let xAuthority = "\(home)/.Xauthority"

  // The names of files in the session's folder.
  package static let portalName = "portal"
  package static let grantedName = "granted"
  package static let boundName = "bound"
  package static let usersName = "passwd"
  package static let groupsName = "group"
}

/// The command that runs in the sandbox, word by word; no shell reads it.
package struct GrantedCommand: Equatable, Sendable {
  package static let placeholder = Array("{}".utf8)

  package var words: [[UInt8]]

  package init(words: [[UInt8]]) { self.words = words }

  /// The words with the paths of the granted photos in place of `{}`, one word each.
  package func arguments(_ paths: [[UInt8]]) -> [[UInt8]] {
    words.flatMap { $0 == Self.placeholder ? paths : [$0] }
  }
}

/// What a granted photo is called inside.
package enum GrantedName {
  /// A name whose every byte can stand in a list of lines and on a terminal: control characters become `_`.
  package static func cleaned(_ name: [UInt8]) -> [UInt8] {
    var cleaned: [UInt8] = []
    var previous: UInt8 = 0
    for byte in name {
      // Also those of ISO 6429 from U+0080 on, in UTF-8.
      let isControl = byte < 0x20 || byte == 0x7F || previous == 0xC2 && (0x80..<0xA0).contains(byte)
      if previous == 0xC2, isControl, !cleaned.isEmpty, byte >= 0x80 { cleaned.removeLast() }
      cleaned.append(isControl ? UInt8(ascii: "_") : byte)
      previous = byte
    }
    let isNoName = cleaned.isEmpty || cleaned.allSatisfy { $0 == UInt8(ascii: ".") }
    return isNoName ? Array("photo".utf8) : cleaned
  }
}

/// The environment of a program in the sandbox: a short list passes, the rest tells of the user and of sockets.
package enum SandboxEnvironment {
  /// A variable; its value may be any bytes.
  package struct Variable: Equatable, Sendable {
    package var name: String
    package var value: [UInt8]

    package init(_ name: String, _ value: [UInt8]) {
      self.name = name
      self.value = value
    }

    package init(_ name: String, _ value: String) { self.init(name, Array(value.utf8)) }
  }

  /// What programs need to know of the terminal, the language and the user's habits.
  private static let passed: Set<String> = [
    "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE",
    "LANG",
    "LANGUAGE", "TZ", "EDITOR", "VISUAL", "PAGER", "LESS",
  ]

  /// The folders whose programs are visible.
  private static let visible = ["/usr/", "/bin", "/sbin"]
  private static let usualPath = "/usr/local/bin:/usr/bin:/bin"

  /// What passes of an environment, and what the sandbox adds.
  /// - Parameters:
  ///   - outer: the environment of tpick.
  ///   - programs: where tpick's own programs stand; nil where those are on the usual path.
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

  /// A search path without what is not there inside, relative folders among it.
  static func visiblePath(_ path: String) -> String {
    let folders = path.split(separator: ":").map(String.init).filter { folder in
      visible.contains { folder.hasPrefix($0) } && !folder.split(separator: "/").contains("..")
    }
    return folders.isEmpty ? usualPath : folders.joined(separator: ":")
  }
}
