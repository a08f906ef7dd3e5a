extension VirtualTerminal {
  /// The text of a row, without trailing blanks; wide characters appear once.
  package func line(_ row: Int) -> String { screen.line(row) }

  /// The cell at a position.
  package func cell(row: Int, column: Int) -> TerminalCell { screen.cell(row: row, column: column) }

  /// The first position where the screen shows this text within one line.
  package func find(_ text: String) -> (row: Int, column: Int)? {
    let wanted = Array(text.utf8)
    guard !wanted.isEmpty else { return nil }
    for row in 0..<rows where screen.line(row).contains(text) || text.hasSuffix(" ") {
      var (bytes, origins): ([UInt8], [Int]) = ([], [])
      for column in 0..<columns {
        let text = screen.cell(row: row, column: column).text
        bytes += text.utf8
        origins += Array(repeating: column, count: text.utf8.count)
      }
      for start in bytes.indices where bytes[start...].starts(with: wanted) {
        return (row, origins[start])
      }
    }
    return nil
  }

  /// Whether the screen shows this text within one line.
  package func contains(_ text: String) -> Bool { find(text) != nil }

  /// Whether the cursor is visible.
  package var cursorVisible: Bool { modes.cursorVisible }
  /// Whether the alternate screen is shown.
  package var altScreenActive: Bool { modes.altScreenActive }
  /// Whether the mouse is reported.
  package var mouseActive: Bool { modes.mouseActive }
  /// Whether pasted text is bracketed.
  package var bracketedPasteActive: Bool { modes.bracketedPasteActive }
  /// Whether a synchronized update is in progress.
  package var insideSynchronizedUpdate: Bool { modes.insideSynchronizedUpdate }
  /// How many synchronized updates were begun and ended.
  package var synchronizedFrames: Int { modes.synchronizedFrames }

  /// Whether the modes are those that a shell expects: main screen, cursor shown, no reports.
  package var isGivenBack: Bool {
    !altScreenActive && cursorVisible && !modes.sendsReports && !insideSynchronizedUpdate
      && !modes.applicationCursorKeys && !isInsideSequence
  }

  /// The two colors that a cell shows, reversed if it is.
  package func colors(of cell: TerminalCell) -> (foreground: TerminalRGB, background: TerminalRGB) {
    let foreground = rgb(cell.foreground, default: profile.foreground)
    let background = rgb(cell.background, default: profile.background)
    return cell.reverse ? (background, foreground) : (foreground, background)
  }

  private func rgb(_ color: TerminalColor, default own: TerminalRGB) -> TerminalRGB {
    switch color {
    case .default: own
    case .indexed(let index): screen.paletteColor(index)
    case .rgb(let red, let green, let blue): TerminalRGB(red, green, blue)
    }
  }
}
