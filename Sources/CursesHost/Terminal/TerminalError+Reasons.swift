import TerminalGraphics

extension TerminalError {
  static func unknownTerminal(_ name: String) -> TerminalError {
    .unusable("terminal '\(name)': not known to ncurses; is TERM right?")
  }

  static func poorTerminal(_ name: String) -> TerminalError {
    .unusable("terminal '\(name)': it can't place text on a screen")
  }
}
