/// A terminal emulator, and how it is given a command.
package struct TerminalProgram: Hashable, Sendable {
  package var name: String
  /// What stands before the command: `{title}`, `{columns}` and `{rows}` are replaced.
  package var options: [String]
  /// Whether its process may end while the window stays, because another process of it has the window.
  package var returnsAtOnce: Bool

  private init(_ name: String, _ options: [String], returnsAtOnce: Bool = false) {
    self.name = name
    self.options = options
    self.returnsAtOnce = returnsAtOnce
  }

  /// A command line of the user's, of which nothing is known.
  init(command: [String]) { self.init(command[0], Array(command.dropFirst()), returnsAtOnce: true) }

  /// In the order in which they are looked for: first what the user has chosen for the desktop, then those that show
  /// pictures as pixels.
  package static let all = [
    TerminalProgram("xdg-terminal-exec", [], returnsAtOnce: true),
    TerminalProgram(
      "kitty",
      [
        "--title={title}", "--override=remember_window_size=no",
        "--override=initial_window_width={columns}c", "--override=initial_window_height={rows}c",
      ], returnsAtOnce: true),
    TerminalProgram("foot", ["--title={title}", "--window-size-chars={columns}x{rows}"]),
    TerminalProgram(
      "wezterm",
      [
        "--config", "initial_cols={columns}", "--config", "initial_rows={rows}", "start",
        "--always-new-process", "--",
      ]),
    TerminalProgram(
      "alacritty",
      [
        "--title={title}", "--option=window.dimensions.columns={columns}",
        "--option=window.dimensions.lines={rows}", "-e",
      ]),
    TerminalProgram(
      "ghostty",
      [
        "--title={title}", "--window-width={columns}", "--window-height={rows}",
        "--gtk-single-instance=false",
        "-e",
      ]),
    TerminalProgram(
      "konsole",
      [
        "--separate", "--nofork", "-p", "TerminalColumns={columns}", "-p", "TerminalRows={rows}", "-e",
      ]),
    TerminalProgram(
      "gnome-terminal", ["--title={title}", "--geometry={columns}x{rows}", "--"], returnsAtOnce: true),
    TerminalProgram(
      "xterm", ["-ti", "vt340", "-title", "{title}", "-geometry", "{columns}x{rows}", "-e"]),
    TerminalProgram("x-terminal-emulator", ["-T", "{title}", "-e"], returnsAtOnce: true),
  ]
}
