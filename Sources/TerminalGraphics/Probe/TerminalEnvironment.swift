import System

/// What the environment says of the terminal: hints, never proof.
///
/// It decides what is asked and how long answers are waited for; only answers decide what is drawn.
package struct TerminalEnvironment: Hashable, Sendable {
  /// A program between this one and the terminal, which has a screen of its own.
  package enum Multiplexer: String, Hashable, Sendable {
    case tmux, screen
  }

  /// The variables that count, in the order in which a report names them.
  package static let names = [
    "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL", "KITTY_WINDOW_ID", "TMUX",
    "TMUX_PANE", "STY", "SSH_CONNECTION", "SSH_TTY", "NO_COLOR",
  ]

  /// The variables that are set and not empty.
  package let variables: [String: String]

  /// - Parameter value: the value of a variable; nil = not set.
  package init(_ value: (String) -> String?) {
    var variables: [String: String] = [:]
    for name in Self.names {
      if let value = value(name), !value.isEmpty { variables[name] = value }
    }
    self.variables = variables
  }

  /// An environment of these variables alone.
  package init(_ variables: [String: String] = [:]) {
    self.init { variables[$0] }
  }

  /// The terminal's name in the terminfo database.
  package var term: String { variables["TERM"] ?? "" }

  /// The names to look for in the terminfo database, the best one first.
  ///
  /// TERM=xterm claims eight colours for terminals that have had 256 for decades.
  /// - Parameter isModern: whether the terminal is known to have 256 colours, whatever TERM says.
  package func terminfoNames(isModern: Bool) -> [String] {
    isModern && !term.isEmpty && !term.contains("color") && !term.contains("direct")
      ? ["\(term)-256color", term] : [term]
  }

  /// Whether the terminal is on another machine: answers take longer, and no files are shared with it.
  package var isRemote: Bool { variables["SSH_CONNECTION"] != nil || variables["SSH_TTY"] != nil }

  /// Whether the terminal is said to show any colour.
  package var hasTrueColor: Bool { ["truecolor", "24bit"].contains(variables["COLORTERM"]) }

  /// How many colors text usually has on a terminal of this name, for those who don't ask the terminfo database.
  package var usualColorCount: Int {
    if term.contains("256color") || term.contains("direct") || term.contains("kitty") { return 256 }
    return term.isEmpty || term == "dumb" || term.hasPrefix("vt") ? 0 : 8
  }

  /// What stands between; tmux is also told by its TERM, which comes along over SSH.
  package var multiplexer: Multiplexer? {
    if variables["TMUX"] != nil || term.hasPrefix("tmux") { return .tmux }
    return variables["STY"] != nil || term.hasPrefix("screen") ? .screen : nil
  }

  /// Whether tmux shows this in a pane: one that names no pane does so in a popup.
  package var isInTmuxPane: Bool { variables["TMUX"] != nil && variables["TMUX_PANE"] != nil }

  /// Whether the terminal is a popup of tmux.
  package var isTmuxPopup: Bool { variables["TMUX"] != nil && variables["TMUX_PANE"] == nil }

  /// How long answers are waited for.
  package var patience: Duration { isRemote ? .seconds(3) : .seconds(1) }
}

extension TerminalEnvironment {
  /// The environment of this process.
  package static var ofProcess: TerminalEnvironment {
    TerminalEnvironment { name in getenv(name).map { String(cString: $0) } }
  }
}

/// The characters of the process's locale.
package enum TerminalLocale {
  /// The locales that have ASCII alone.
  private static let standard = ["C", "POSIX"]

  /// Takes the environment's locale.
  ///
  /// Without one, or with one that is not installed, the terminal is taken for one that speaks UTF-8, as practically
  /// all do; `LC_ALL=C` asks for ASCII. Not safe beside other threads that use the locale: call it first.
  package static func adopt() {
    setlocale(LC_ALL, "")
    if let asked = getenv("LC_ALL"), standard.contains(String(cString: asked)) { return }
    if !isUTF8, standard.contains(String(cString: setlocale(LC_CTYPE, nil))) {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
  }

  /// Whether the characters would be Unicode's in UTF-8 once the environment's locale were adopted.
  ///
  /// The process's locale stays as it is: safe on any thread.
  package static var environmentIsUTF8: Bool {
    if let asked = getenv("LC_ALL"), standard.contains(String(cString: asked)) { return false }
    guard let locale = newlocale(LC_CTYPE_MASK, "", nil) else { return true }
    defer { freelocale(locale) }
    let characters = nl_langinfo_l(Int32(CODESET), locale).map { String(cString: $0) }
    // The locale of no name is the standard one.
    return characters == "UTF-8" || characters == "ANSI_X3.4-1968"
  }

  /// Whether the characters are Unicode's in UTF-8.
  package static var isUTF8: Bool {
    nl_langinfo(Int32(CODESET)).map { String(cString: $0) } == "UTF-8"
  }
}
