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
