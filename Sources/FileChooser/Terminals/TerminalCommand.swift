package import Results

/// The command that opens a terminal window.
package struct TerminalCommand: Hashable, Sendable {
  /// Columns and rows of a window.
  package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  package let terminal: TerminalProgram

  /// Chooses the user's terminal, or else the first one that is installed.
  /// - Parameters:
  ///   - setting: a name from `TerminalProgram.all`, a path that ends with one, or a command line, which is
  ///     split into words as a shell does.
  ///   - isInstalled: whether a program of this name is in the search path.
  /// - Returns: nil if no known terminal is installed.
  /// - Throws: `FormatError` if the setting is not a command line.
  package init?(setting: [UInt8]?, isInstalled: (String) -> Bool) throws(FormatError) {
    guard let setting else {
      guard let terminal = TerminalProgram.all.first(where: { isInstalled($0.name) }) else { return nil }
      self.terminal = terminal
      return
    }
    let words = try CommandWords.words(of: setting).map { String(decoding: $0, as: UTF8.self) }
    guard let program = words.first else { throw FormatError("the terminal has no name") }
    let name = program.split(separator: "/").last.map(String.init)
    if words.count == 1, var known = TerminalProgram.all.first(where: { $0.name == name }) {
      known.name = program
      terminal = known
    } else {
      terminal = TerminalProgram(command: words)
    }
  }

  /// Returns the words that run a command in a window.
  package func words(running command: [[UInt8]], title: String, size: Size) -> [[UInt8]] {
    let options = terminal.options.map { option in
      // The title last, because it may contain braces.
      option.replacing("{columns}", with: "\(size.columns)").replacing("{rows}", with: "\(size.rows)")
        .replacing("{title}", with: title)
    }
    return ([terminal.name] + options).map { Array($0.utf8) } + command
  }
}

/// A terminal emulator, and how to pass it a command.
package struct TerminalProgram: Hashable, Sendable {
  package var name: String
  /// Options before the command, with `{title}`, `{columns}` and `{rows}` as placeholders.
  package var options: [String]
  /// Whether the started process may exit although the window is open, because another process owns the
  /// window.
  package var returnsAtOnce: Bool

  private init(_ name: String, _ options: [String], returnsAtOnce: Bool = false) {
    self.name = name
    self.options = options
    self.returnsAtOnce = returnsAtOnce
  }

  /// A terminal that the user configured with a command line.
  init(command: [String]) { self.init(command[0], Array(command.dropFirst()), returnsAtOnce: true) }

  /// The known terminals in order of preference; the first one opens the desktop's default terminal.
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
