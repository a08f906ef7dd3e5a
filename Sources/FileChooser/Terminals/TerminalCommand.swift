package import Results

/// The command that opens a window with a terminal in it.
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

  /// Takes the user's terminal, or else the first one that is installed.
  /// - Parameters:
  ///   - setting: a name of the table, a path that ends with one, or a command line, split into words as a shell does.
  ///   - isInstalled: whether a program of this name is in the search path.
  /// - Returns: nil where no terminal is known.
  /// - Throws: `FormatError` for a setting that is no command line.
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

  /// The words that run a command in a window.
  package func words(running command: [[UInt8]], title: String, size: Size) -> [[UInt8]] {
    let options = terminal.options.map { option in
      // The title last: braces in it are the program's.
      option.replacing("{columns}", with: "\(size.columns)").replacing("{rows}", with: "\(size.rows)")
        .replacing("{title}", with: title)
    }
    return ([terminal.name] + options).map { Array($0.utf8) } + command
  }
}
