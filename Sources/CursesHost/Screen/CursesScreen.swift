import CNcurses
import PickerRuntime
import PickerUI
import Pixels
import System
import TerminalGraphics

/// The text of the screen, drawn with ncurses.
///
/// Used only by the thread of the run loop.
///
/// Cells of a picture are given to ncurses as *invisible* blanks: an attribute that changes nothing about a
/// blank, but keeps ncurses from treating those cells as plain blanks, which it would clear with EL or
/// overwrite when it moves the cursor. See Docs/Decisions/0003.
final class CursesScreen: TextScreen {
  /// Sequence that takes over the screen.
  let enterSequence: [UInt8]
  /// Whether the terminal is missing in the terminfo database and used as
  /// `TerminalDescription.substituteName`.
  let isSubstitute: Bool
  private let screen: OpaquePointer
  private let output: CursesOutput
  private let input: UnsafeMutablePointer<FILE>
  private let colors: Int32
  private(set) var theme: Theme
  /// The look of a style, as ncurses has it.
  private typealias Ink = (attributes: attr_t, pair: Int16)
  /// Styles used so far.
  private var inks: [TextStyle: Ink] = [:]
  private var pairs: [[Int32]: Int16] = [:]

  /// Sets the modes of the terminal; sending `enterSequence` then takes over the screen: alternate screen,
  /// hidden cursor.
  /// - Parameters:
  ///   - names: names of the terminal in the terminfo database; the first one that exists is used.
  ///   - allowsSubstitute: whether a terminal missing in the database is used as xterm.
  ///   - keepsTitles: whether the terminal can save and restore its title.
  ///   - hasMouse: whether to turn mouse reports on.
  ///   - hasPixelMouse: whether mouse reports are in pixels instead of cells.
  ///   - reportsColorScheme: whether to turn on reports of a change to dark or light colors.
  init(
    on terminal: TerminalDevice, names: [String], allowsSubstitute: Bool, theme: Theme, keepsTitles: Bool,
    hasMouse: Bool, hasPixelMouse: Bool = false, reportsColorScheme: Bool = false
  ) throws(TerminalError) {
    let name = names.last ?? ""
    output = try CursesOutput(to: terminal.descriptor)
    let copy = fcntl(terminal.descriptor, F_DUPFD_CLOEXEC, 0)
    guard let input = fdopen(copy, "r") else { throw .outOfDescriptors }
    // Each name is tried once: newterm stores the state in which it found the terminal.
    var screen: OpaquePointer?
    for name in names where screen == nil && !name.isEmpty { screen = newterm(name, output.stream, input) }
    isSubstitute = screen == nil && allowsSubstitute
    if isSubstitute { screen = TerminalDescription.takeSubstitute(output.stream, input) }
    guard let screen else {
      fclose(input)
      throw .unknownTerminal(name)
    }
    self.theme = theme
    self.screen = screen
    self.input = input
    raw()
    noecho()
    nonl()
    do throws(TerminalError) {
      try output.leaveTerminal()
      guard tpick_can_move_cursor() else { throw .poorTerminal(name) }
    } catch {
      endwin()
      terminal.setModes(terminal.modes)
      throw error
    }
    // If terminfo contains the sequences, ncurses saves and restores the title itself.
    savesTitle = keepsTitles && !String(cString: tpick_enter_ca_mode()).contains(Self.titleSaving)
    hasTitle = savesTitle || String(cString: tpick_enter_ca_mode()).contains(Self.titleSaving)
    listening = TerminalReports(
      hasMouse: hasMouse, hasPixelMouse: hasPixelMouse, reportsColorScheme: reportsColorScheme,
      savesTitle: savesTitle)
    typeahead(-1)  // never stop in the middle of an update because a key is waiting
    idcok(tpick_stdscr(), false)  // inserting characters would move pictures as well
    idlok(tpick_stdscr(), false)  // inserting lines would move pictures on some terminals: see RowGroups
    var colors: Int32 = 0
    enterSequence =
      output.bytes {
        curs_set(0)
        guard TerminalEnvironment.ofProcess.allowsColors else { return }
        start_color()
        use_default_colors()
        colors = tpick_color_count()
      } + listening.beginning
    self.colors = colors
    pictureColorCount = TerminalDescription.count(of: Int(colors))
  }

  private let listening: TerminalReports

  // MARK: Title

  /// XTWINOPS, xterm's ctlseqs: saves and restores icon and title of the window.
  private static let titleSaving = "[22;0"
  private let savesTitle: Bool
  private let hasTitle: Bool
  private var title = ""

  /// Returns the sequence that sets the window title (OSC 2); empty if it is unchanged, or if the terminal
  /// cannot restore its old title.
  func setTitle(_ text: String) -> [UInt8] {
    guard hasTitle, text != title else { return [] }
    title = text
    let shown = TerminalLocale.isUTF8 ? text : String(text.map { $0.isASCII ? $0 : "?" })
    return Array("\u{1B}]2;\(shown)\u{1B}\\".utf8)
  }

  /// Returns the sequence that restores the terminal, except for its modes.
  func end() -> [UInt8] {
    listening.end + output.bytes { endwin() }
  }

  /// Returns the sequence that takes over the terminal again after `end` or after another program used it,
  /// except for its modes.
  func resume() -> [UInt8] {
    title = ""
    return output.bytes {
      curs_set(1)  // ncurses sends only what it considers a change
      curs_set(0)
      refresh()
    } + listening.beginning
  }

  deinit {
    delscreen(screen)
    fclose(input)
  }

  /// Number of colors that ncurses uses for text.
  var colorCount: Int { Int(colors) }
  /// Number of colors for pictures made of text, which ncurses does not write.
  let pictureColorCount: Int

  /// Sequence that leaves the alternate screen and turns reports off.
  var exitSequence: [UInt8] {
    listening.end
      + Array(String(cString: tpick_exit_ca_mode()).utf8)
  }

  /// Adopts another window size: the next frame must be drawn from scratch.
  func resize(to size: CellSize) { resizeterm(Int32(size.rows), Int32(size.columns)) }

  /// Returns the sequence that rings the terminal's bell.
  func ring() -> [UInt8] { output.bytes { beep() } }

  /// Returns the bytes that update the screen to the text of a frame.
  ///
  /// Must be sent before any later output of ncurses.
  /// - Parameters:
  ///   - shown: the frame on the screen; nil if the content is unknown.
  ///   - rows: the rows to update; nil means all.
  func bytes(
    for frame: ScreenFrame, from shown: ScreenFrame?, in rows: [Range<Int>]? = nil
  ) -> [UInt8] {
    guard let shown, shown.size == frame.size else { return bytesOfAll(frame) }
    let changed = (rows ?? [0..<frame.size.rows]).flatMap { $0 }
      .filter { shown.row($0) != frame.row($0) }
    let spans = Dictionary(
      uniqueKeysWithValues: changed.map { ($0, ChangedSpans(from: shown.row($0), to: frame.row($0)).spans) })
    let together = changed.filter { spans[$0]?.count == 1 }
    return output.bytes {
      for rows in RowGroups(of: together, from: shown, to: frame).groups {
        for row in rows { draw(frame.row(row), columns: spans[row]?.first, row: Int32(row)) }
        update()
      }
      // ncurses can't mistake a row for one that moved if it is the only changed one.
      for row in changed where spans[row]?.count != 1 {
        for span in spans[row] ?? [] {
          draw(frame.row(row), columns: span, row: Int32(row))
          update()
        }
      }
    }
  }

  /// Makes ncurses send what has changed.
  private func update() {
    wnoutrefresh(tpick_stdscr())
    doupdate()
  }

  /// Returns the bytes that clear the screen and draw a whole frame.
  ///
  /// To find rows that moved, ncurses compares hashes of their text. An update that clears the screen keeps
  /// the hashes of the previous update, and the next one would scroll rows that never existed. So an update
  /// that does not clear comes first, only for the hashes: its output is discarded.
  private func bytesOfAll(_ frame: ScreenFrame) -> [UInt8] {
    werase(tpick_stdscr())
    for row in 0..<frame.size.rows { draw(frame.row(row), row: Int32(row)) }
    _ = output.bytes {
      clearok(tpick_curscr(), false)
      wnoutrefresh(tpick_stdscr())
      doupdate()
    }
    return output.bytes {
      clearok(tpick_curscr(), true)
      doupdate()
    }
  }

  /// Sequence that puts the cursor, without attributes, where ncurses believes it to be after an update.
  var cursorReturn: [UInt8] {
    Array("\u{1B}[0m\u{1B}[\(getcury(tpick_curscr()) + 1);\(getcurx(tpick_curscr()) + 1)H".utf8)
  }

  /// Gives cells to ncurses.
  /// - Parameters:
  ///   - cells: a whole row.
  ///   - columns: those of the cells; nil = all.
  private func draw(_ cells: ArraySlice<FrameCell>, columns: Range<Int>? = nil, row: Int32) {
    // Neighbors mostly have the same style.
    var last: (style: TextStyle, ink: Ink)?
    for column in columns ?? 0..<cells.count {
      let cell = cells[cells.startIndex + column]
      switch cell.content {
      case .continuation: continue
      case .picture: putBlank(tpick_attr_invisible(), row: row, column: Int32(column))
      // If a line starts with blanks, ncurses clears them and writes the first other cell again, which must
      // not be a picture's. The dim attribute makes it differ from the cells of a picture that was there
      // before.
      case .text(" ") where cell.style == .plain && cells.dropFirst(column + 1).first?.content == .picture:
        putBlank(tpick_attr_invisible() | tpick_attr_dim(), row: row, column: Int32(column))
      case .text(let text):
        let ink = last.flatMap { $0.style == cell.style ? $0.ink : nil } ?? ink(of: cell.style)
        last = (cell.style, ink)
        put(text, row: row, column: Int32(column), attributes: ink.attributes, pair: ink.pair)
      }
    }
  }

  private func putBlank(_ attributes: attr_t, row: Int32, column: Int32) {
    put(" ", row: row, column: column, attributes: attributes, pair: ink(of: .plain).pair)
  }

  private func put(_ text: String, row: Int32, column: Int32, attributes: attr_t, pair: Int16) {
    let scalars = text.unicodeScalars
    let status = withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: scalars.count + 1) { wide in
      for (index, scalar) in scalars.enumerated() {
        wide.initializeElement(at: index, to: wchar_t(bitPattern: scalar.value))
      }
      wide.initializeElement(at: scalars.count, to: 0)
      return wide.baseAddress.map { tpick_put_cell(row, column, $0, attributes, pair) } ?? ERR
    }
    if status == ERR, text != "?" {
      // The last cell of the screen always returns ERR, although it is written; anything else that ncurses
      // rejects is a character missing in the locale.
      if mvwinch(tpick_stdscr(), row, column) == 0 {
        put("?", row: row, column: column, attributes: attributes, pair: pair)
      }
    }
  }

  // MARK: Styles

  /// Changes the theme: the next frame must be drawn from scratch.
  func use(_ theme: Theme) {
    (self.theme, inks) = (theme, [:])
  }

  private func ink(of style: TextStyle) -> Ink {
    if let known = inks[style] { return known }
    let ink = theme.attributes(for: style, colors: Int(colors))
    var attributes = tpick_attr_normal()
    for attribute in ink.attributes {
      switch attribute {
      case .bold: attributes |= tpick_attr_bold()
      case .faint: attributes |= tpick_attr_dim()
      case .underline: attributes |= tpick_attr_underline()
      case .reverse: attributes |= tpick_attr_reverse()
      }
    }
    let made = (attributes, pair(ink.foreground, ink.background))
    inks[style] = made
    return made
  }

  /// Returns the number of a color pair; 0, the terminal's default, if there is no room for more.
  private func pair(_ foreground: Int32, _ background: Int32) -> Int16 {
    if foreground < 0, background < 0 { return 0 }
    if let known = pairs[[foreground, background]] { return known }
    let number = Int16(pairs.count + 1)
    let isDefined = init_extended_pair(Int32(number), foreground, background) != ERR
    pairs[[foreground, background]] = isDefined ? number : 0
    return isDefined ? number : 0
  }
}

extension Theme {
  /// Returns the bytes that set the background of plain text on a terminal with `colors` colors; empty for
  /// the terminal's own.
  ///
  /// Format: SGR (ECMA-48, 8.3.117; 90 to 107, 48;5 and 48;2 as in xterm's ctlseqs).
  func groundSequence(colors: Int) -> [UInt8] {
    let number = attributes(for: .plain, colors: colors).background
    return Self.parameters(number, colors, isBackground: true).map { Array("\u{1B}[\($0)m".utf8) } ?? []
  }

  /// Returns the sequence that sets a style, independent of the previous one.
  func sequence(for style: TextStyle, colors: Int) -> String {
    let look = attributes(for: style, colors: colors)
    var parameters = ["0"]
    for (attribute, code) in [
      (ThemeLook.Attribute.bold, "1"), (.faint, "2"), (.underline, "4"), (.reverse, "7"),
    ]
    where look.attributes.contains(attribute) { parameters.append(code) }
    if let text = Self.parameters(look.foreground, colors, isBackground: false) { parameters.append(text) }
    if let ground = Self.parameters(look.background, colors, isBackground: true) { parameters.append(ground) }
    return "\u{1B}[\(parameters.joined(separator: ";"))m"
  }

  /// Returns the SGR parameters for a color; nil for the terminal's own.
  private static func parameters(_ number: Int32, _ colors: Int, isBackground: Bool) -> String? {
    let base: Int32 = isBackground ? 40 : 30
    switch number {
    case ..<0: return nil
    case 0..<8: return "\(base + number)"
    case _ where colors > 256:
      return "\(base + 8);2;\(number >> 16);\(number >> 8 & 0xFF);\(number & 0xFF)"
    case 8..<16: return "\(base + 52 + number)"
    default: return "\(base + 8);5;\(number)"
    }
  }
}

/// The changed rows of a frame, in groups that are given to ncurses one after the other.
///
/// ncurses looks for rows that moved and makes the terminal scroll them (hashmap.c and hardscroll.c of
/// ncurses 6; `idlok` only forbids inserting and deleting lines). Depending on the terminal, pictures would
/// scroll with them or stay behind.
///
/// ncurses treats a row as moved if its new text is unique, and was the unique text of another row before. So
/// rows are put into one group only if the new text of none was the old text of another. Unchanged rows do no
/// harm.
private struct RowGroups {
  private(set) var groups: [[Int]] = []

  /// - Parameters:
  ///   - rows: the rows that differ between the frames, which have the same size.
  init(of rows: [Int], from old: ScreenFrame, to new: ScreenFrame) {
    let before = Dictionary(uniqueKeysWithValues: rows.map { ($0, Self.look(of: old.row($0))) })
    let after = Dictionary(uniqueKeysWithValues: rows.map { ($0, Self.look(of: new.row($0))) })
    let places = Dictionary(grouping: rows) { before[$0] ?? [] }
    let moved = rows.filter { row in
      guard let found = after[row].flatMap({ places[$0] }) else { return false }
      return found != [row]
    }
    let others = Set(rows).subtracting(moved)
    if !others.isEmpty { groups.append(rows.filter(others.contains)) }
    let first = groups.count
    for row in moved {
      let free = groups.indices.dropFirst(first).first { index in
        !groups[index].contains { before[$0] == after[row] || after[$0] == before[row] }
      }
      if let free { groups[free].append(row) } else { groups.append([row]) }
    }
  }

  /// Returns what ncurses compares: the base character of every cell, without its style.
  private static func look(of cells: ArraySlice<FrameCell>) -> [Unicode.Scalar] {
    cells.map { cell in
      switch cell.content {
      case .text(let text): text.unicodeScalars.first ?? " "
      case .picture, .continuation: " "
      }
    }
  }
}

/// The parts of a changed row that are given to ncurses one after the other, without what is unchanged at its ends.
///
/// Between two changed cells, ncurses rewrites unchanged ones if that takes fewer bytes than moving the
/// cursor (PutRange of tty_update.c in ncurses 6). Cells of a picture are blanks to it: the picture would be
/// erased, such as a poster of two cells between the mark and the name of its album. So no update spans a
/// narrow picture.
private struct ChangedSpans {
  /// The columns of each part, from left to right.
  private(set) var spans: [Range<Int>] = []

  /// The most unchanged cells that ncurses rewrites: the number of bytes of the longest cursor movement,
  /// which is `CSI 999;999H`.
  private static let longestMove = 10

  /// - Precondition: both rows have the same length.
  init(from old: ArraySlice<FrameCell>, to new: ArraySlice<FrameCell>) {
    let (before, after) = (old.startIndex, new.startIndex)
    var start: Int?
    var last = 0
    for column in 0..<new.count where old[before + column] != new[after + column] {
      defer { last = column }
      guard let begun = start else {
        // The look of a blank depends on the cell after it.
        start = max(0, column - 1)
        continue
      }
      guard column - last - 1 <= Self.longestMove,
        let picture = (last + 1..<column).first(where: { new[after + $0].content == .picture })
      else { continue }
      spans.append(begun..<picture)
      start = picture
    }
    if let start { spans.append(start..<last + 1) }
  }
}

/// The stream that ncurses writes to: at first the terminal, whose modes and size it reads, then memory.
///
/// ncurses sends every cursor movement separately: forty small writes for a screen, each of which wakes the
/// terminal, and between which half a frame may be visible. It also waits for a terminal that accepts no
/// output without handling signals. It writes to the descriptor behind the stream, so only a descriptor can
/// replace the terminal. See Docs/Decisions/0041. Used only by the thread of the run loop.
private final class CursesOutput {
  let stream: UnsafeMutablePointer<FILE>

  /// - Parameter terminal: the terminal's descriptor, which is duplicated.
  /// - Throws: `TerminalError` if no descriptor is available.
  init(to terminal: Int32) throws(TerminalError) {
    let copy = fcntl(terminal, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let stream = fdopen(copy, "w") else {
      let error = TerminalError.outOfDescriptors
      if copy >= 0 { close(copy) }
      throw error
    }
    self.stream = stream
  }

  deinit { fclose(stream) }

  /// Redirects ncurses to memory; it cannot change the modes of the terminal any more.
  func leaveTerminal() throws(TerminalError) {
    let memory = tpick_memory()
    guard memory >= 0 else { throw .outOfDescriptors }
    defer { close(memory) }
    guard dup2(memory, fileno(stream)) >= 0, fcntl(fileno(stream), F_SETFD, FD_CLOEXEC) == 0 else {
      throw .outOfDescriptors
    }
  }

  /// Returns the bytes that ncurses has written since the last call, including those during `body`.
  func bytes(of body: () -> Void) -> [UInt8] {
    body()
    let memory = fileno(stream)
    let count = Int(max(0, lseek(memory, 0, SEEK_CUR)))
    lseek(memory, 0, SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
      taken = max(0, pread(memory, buffer.baseAddress, count, 0))
    }
  }
}

extension TerminalError {
  fileprivate static var outOfDescriptors: TerminalError {
    .unusable("the terminal: \(String(cString: strerror(errno)))")
  }
}
