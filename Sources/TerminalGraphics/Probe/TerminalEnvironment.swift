import System

/// The environment's hints about the terminal, which prove nothing.
///
/// They decide what to query and how long to wait for answers; only answers decide what is drawn.
package struct TerminalEnvironment: Hashable, Sendable {
  /// A program with a screen of its own between this one and the terminal.
  package enum Multiplexer: String, Hashable, Sendable {
    case tmux, screen
  }

  /// The relevant variables, in the order of a report.
  package static let names = [
    "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL", "KITTY_WINDOW_ID", "TMUX",
    "TMUX_PANE", "STY", "VIM_TERMINAL", "NVIM", "SSH_CONNECTION", "SSH_TTY", "TPICK_LINK", "NO_COLOR",
  ]

  /// The variables that are set and not empty.
  package let variables: [String: String]

  /// - Parameter value: returns the value of a variable; nil if it is not set.
  package init(_ value: (String) -> String?) {
    var variables: [String: String] = [:]
    for name in Self.names {
      if let value = value(name), !value.isEmpty { variables[name] = value }
    }
    self.variables = variables
  }

  /// Creates an environment with only these variables.
  package init(_ variables: [String: String] = [:]) {
    self.init { variables[$0] }
  }

  /// Whether text may have colors (https://no-color.org).
  package var allowsColors: Bool { variables["NO_COLOR"] == nil }

  /// The terminal's name in the terminfo database.
  package var term: String { variables["TERM"] ?? "" }

  /// What the terminal is by its own TERM; nil for one that uses another terminal's, as most do.
  ///
  /// Unlike other variables, TERM is not inherited by a terminal that runs in another one.
  var terminalType: TerminalDatabase.TerminalType? {
    let type = TerminalDatabase.types.first { $0.names.contains { term == $0 || term.hasPrefix($0 + "-") } }
    // TERM=screen-256color is both tmux's and screen's.
    return multiplexer == .screen ? nil : type
  }

  /// Whether it was inherited from, or set by, a terminal that draws kitty's pictures.
  var hintsAtKitty: Bool {
    variables["KITTY_WINDOW_ID"] != nil
      || ["kitty", "ghostty", "wezterm", "iterm.app", "rio", "warpterminal"].contains(
        variables["TERM_PROGRAM"]?.lowercased())
  }

  /// Returns the names to try in the terminfo database, best first.
  ///
  /// TERM=xterm claims eight colors for terminals that have had 256 for decades.
  /// - Parameter isModern: whether the terminal is known to have 256 colors, whatever TERM says.
  package func terminfoNames(isModern: Bool) -> [String] {
    isModern && !term.isEmpty && !term.contains("color") && !term.contains("direct")
      ? ["\(term)-256color", term] : [term]
  }

  /// Whether the terminal is on another machine: answers take longer, and no files are shared with it.
  package var isRemote: Bool { variables["SSH_CONNECTION"] != nil || variables["SSH_TTY"] != nil }

  /// The user's word on the link to the terminal, where measuring it is wrong; nil = it is measured.
  package var link: LinkSpeed.Setting? { variables["TPICK_LINK"].flatMap(LinkSpeed.Setting.init) }

  /// Whether the environment claims true color.
  package var hasTrueColor: Bool { ["truecolor", "24bit"].contains(variables["COLORTERM"]) }

  /// The usual number of text colors for a terminal of this name, for callers that do not use the terminfo
  /// database.
  package var usualColorCount: Int {
    if term.contains("256color") || term.contains("direct") || term.contains("kitty") { return 256 }
    return term.isEmpty || term == "dumb" || term.hasPrefix("vt") ? 0 : 8
  }

  /// The multiplexer, if any; tmux is also recognized by TERM, which is passed on over SSH.
  package var multiplexer: Multiplexer? {
    if variables["TMUX"] != nil || term.hasPrefix("tmux") { return .tmux }
    return variables["STY"] != nil || term.hasPrefix("screen") ? .screen : nil
  }

  /// Whether this runs in a pane of tmux: in a popup, TMUX_PANE is not set.
  package var isInTmuxPane: Bool { variables["TMUX"] != nil && variables["TMUX_PANE"] != nil }

  /// Whether this runs in a popup of tmux.
  package var isTmuxPopup: Bool { variables["TMUX"] != nil && variables["TMUX_PANE"] == nil }

  /// How long to wait for answers.
  package var patience: Duration { isRemote ? .seconds(3) : .seconds(1) }
}

extension TerminalEnvironment {
  /// The environment of this process.
  package static var ofProcess: TerminalEnvironment {
    TerminalEnvironment { name in getenv(name).map { String(cString: $0) } }
  }
}

/// The character encoding of the process's locale.
package enum TerminalLocale {
  /// Locales with only ASCII.
  private static let standard = ["C", "POSIX"]

  /// Sets the environment's locale.
  ///
  /// Without one, or if it is not installed, the terminal is assumed to use UTF-8, as practically all do;
  /// `LC_ALL=C` requests ASCII. Not safe while other threads use the locale: call it first.
  package static func adopt() {
    setlocale(LC_ALL, "")
    if let asked = getenv("LC_ALL"), standard.contains(String(cString: asked)) { return }
    if !isUTF8, standard.contains(String(cString: setlocale(LC_CTYPE, nil))) {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
  }

  /// Whether the process's locale would use UTF-8 after `adopt()`.
  ///
  /// Does not change the locale: safe on any thread.
  package static var environmentIsUTF8: Bool {
    if let asked = getenv("LC_ALL"), standard.contains(String(cString: asked)) { return false }
    guard let locale = newlocale(LC_CTYPE_MASK, "", nil) else { return true }
    defer { freelocale(locale) }
    let characters = nl_langinfo_l(Int32(CODESET), locale).map { String(cString: $0) }
    // An uninstalled locale is the standard one.
    return characters == "UTF-8" || characters == "ANSI_X3.4-1968"
  }

  /// Whether the process's locale uses UTF-8.
  package static var isUTF8: Bool {
    nl_langinfo(Int32(CODESET)).map { String(cString: $0) } == "UTF-8"
  }
}
