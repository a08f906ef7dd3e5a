import TerminalGraphics

extension TerminalError {
  static func unknownTerminal(_ name: String) -> TerminalError {
    .unusable(
      name.isEmpty
        ? "TERM is not set, and the terminal does not answer; try TERM=xterm-256color tpick"
        : "terminal '\(name)': not known to ncurses, and it does not answer; try TERM=xterm-256color tpick")
  }

  static func poorTerminal(_ name: String) -> TerminalError {
    .unusable("terminal '\(name)': it can't place text on a screen")
  }
}
