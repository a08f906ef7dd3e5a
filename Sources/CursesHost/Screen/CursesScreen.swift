import CNcurses
import PickerRuntime
import PickerUI
import Pixels
import System
import TerminalGraphics

/// The text of the screen, drawn by ncurses.
///
/// Used by the thread of the run loop only.
///
/// Cells that belong to a picture are given to ncurses as *invisible* blanks: an attribute that changes
/// nothing about a blank, but keeps ncurses from taking those cells for plain blanks, which it would clear
/// with EL or run over when it moves the cursor. See Docs/Decisions/0003.
final class CursesScreen {
  /// What takes the screen.
  let takingBytes: [UInt8]
  /// Whether the database does not know the terminal, and it is used as `TerminalDescription.substituteName`.
  let isSubstitute: Bool
  private let screen: OpaquePointer
  private let output: CursesOutput
  private let input: UnsafeMutablePointer<FILE>
  private let colors: Int32
  private var theme: Theme
  /// The looks that were asked for so far, as ncurses knows them.
  private var inks: [TextStyle: (attributes: attr_t, pair: Int16)] = [:]
  private var pairs: [[Int32]: Int16] = [:]

  /// Sets the modes of the terminal; `takingBytes` then takes it over: alternate screen, no cursor.
  /// - Parameters:
  ///   - names: what the terminal is called in the terminfo database, of which the first that is there counts.
  ///   - allowsSubstitute: whether a terminal that the database does not know is taken for xterm.
  ///   - keepsTitles: whether the terminal saves and restores its title when it is told to.
  init(
    on terminal: TerminalDevice, names: [String], allowsSubstitute: Bool, theme: Theme, keepsTitles: Bool
  ) throws(TerminalError) {
    let name = names.last ?? ""
    output = try CursesOutput(to: terminal.descriptor)
    let copy = fcntl(terminal.descriptor, F_DUPFD_CLOEXEC, 0)
    guard let input = fdopen(copy, "r") else { throw .outOfDescriptors }
    // Each is tried once: what is taken remembers how the terminal was found.
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
    // Where terminfo has it, ncurses has the title saved and restored by itself.
    savesTitle = keepsTitles && !String(cString: tpick_enter_ca_mode()).contains(Self.titleSaving)
    hasTitle = savesTitle || String(cString: tpick_enter_ca_mode()).contains(Self.titleSaving)
    typeahead(-1)  // never stop in the middle of an update because a key is waiting
    idcok(tpick_stdscr(), false)  // characters that are inserted would move pictures as well
    idlok(tpick_stdscr(), false)  // pictures would move along with the lines, or not: see RowGroups
    var colors: Int32 = 0
    takingBytes =
      output.bytes {
        curs_set(0)
        guard getenv("NO_COLOR").map({ $0.pointee == 0 }) ?? true else { return }
        start_color()
        use_default_colors()
        colors = tpick_color_count()
      } + Self.listening(true, savesTitle: savesTitle)
    self.colors = colors
    pictureColorCount = TerminalDescription.count(of: Int(colors))
  }

  /// Buttons with where they are dragged to (1002) in coordinates of any size (1006), pasted text in brackets
  /// (2004): xterm's ctlseqs.
  private static let listening = "\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h"
  private static let notListening = "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l"

  /// Has the terminal report the mouse, mark pasted text and keep its title, or not any more.
  private static func listening(_ isOn: Bool, savesTitle: Bool) -> [UInt8] {
    let titleKeeping = savesTitle ? isOn ? "\u{1B}[22;0t" : "\u{1B}[23;0t" : ""
    return Array(((isOn ? listening : notListening) + titleKeeping).utf8)
  }

  // MARK: Title

  /// XTWINOPS, xterm's ctlseqs: saves and restores icon and title of the window.
  private static let titleSaving = "[22;0"
  private let savesTitle: Bool
  private let hasTitle: Bool
  private var title = ""

  /// What calls the window something (OSC 2), where the terminal gives it its old title back and has another now.
  func setTitle(_ text: String) -> [UInt8] {
    guard hasTitle, text != title else { return [] }
    title = text
    let shown = TerminalLocale.isUTF8 ? text : String(text.map { $0.isASCII ? $0 : "?" })
    return Array("\u{1B}]2;\(shown)\u{1B}\\".utf8)
  }

  /// What gives the terminal back, except for its modes.
  func end() -> [UInt8] {
    Self.listening(false, savesTitle: savesTitle) + output.bytes { endwin() }
  }

  /// What takes the terminal again after `end` or after somebody else had it, except for its modes.
  func takeBack() -> [UInt8] {
    title = ""
    return output.bytes {
      curs_set(1)  // ncurses sends what it believes to be a change only
      curs_set(0)
      refresh()
    } + Self.listening(true, savesTitle: savesTitle)
  }

  deinit {
    delscreen(screen)
    fclose(input)
  }

  /// How many colors ncurses gives to text.
  var colorCount: Int { Int(colors) }
  /// How many colors pictures of text can have, which ncurses does not write.
  let pictureColorCount: Int

  /// The sequence that leaves the alternate screen and has the terminal report nothing any more.
  var exitSequence: [UInt8] {
    Self.listening(false, savesTitle: savesTitle) + Array(String(cString: tpick_exit_ca_mode()).utf8)
  }

  /// The window has another size: the next frame has to be drawn from nothing.
  func resize(to size: CellSize) { resizeterm(Int32(size.rows), Int32(size.columns)) }

  /// What rings the terminal's bell.
  func ring() -> [UInt8] { output.bytes { beep() } }

  /// What brings the text of a frame to the screen, as far as it is not there.
  ///
  /// To be sent before anything else of ncurses is.
  /// - Parameters:
  ///   - shown: the frame that is on the screen; nil = nothing that is there counts.
  ///   - rows: those that are brought; nil = all.
  func bytes(
    for frame: ScreenFrame, from shown: ScreenFrame?, in rows: [Range<Int>]? = nil
  ) -> [UInt8] {
    guard let shown, shown.size == frame.size else { return bytesOfAll(frame) }
    let changed = (rows ?? [0..<frame.size.rows]).flatMap { $0 }
      .filter { shown.row($0) != frame.row($0) }
    let spans = changed.map { ($0, ChangedSpans(from: shown.row($0), to: frame.row($0)).spans) }
    let whole = spans.filter { $0.1.count <= 1 }.map(\.0)
    return output.bytes {
      for rows in RowGroups(of: whole, from: shown, to: frame).groups {
        for row in rows { draw(frame.row(row), row: Int32(row)) }
        update()
      }
      // One row at a time is never taken for one that moved.
      for (row, spans) in spans where spans.count > 1 {
        for span in spans {
          draw(frame.row(row), columns: span, row: Int32(row))
          update()
        }
      }
    }
  }

  /// Has ncurses send what has changed.
  private func update() {
    wnoutrefresh(tpick_stdscr())
    doupdate()
  }

  /// What clears the screen and draws all of a frame.
  ///
  /// To find rows that moved, ncurses compares numbers made of their text. An update that clears keeps those of
  /// the update before, and the next would scroll rows that never were there. So an update that doesn't clear
  /// comes first, for the numbers alone: nobody is sent what it writes.
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

  /// What writes text over a picture, of which ncurses knows nothing: to it the cells are the picture's.
  func bytes(for mark: PictureMark) -> [UInt8] {
    let style = theme.sequence(for: mark.style, colors: Int(colors))
    return Array("\u{1B}7\(style)\u{1B}[\(mark.row + 1);\(mark.column + 1)H\(mark.text)\u{1B}8".utf8)
  }

  private func draw(_ cells: ArraySlice<FrameCell>, columns: Range<Int>? = nil, row: Int32) {
    for (column, cell) in cells.enumerated() where columns?.contains(column) ?? true {
      switch cell.content {
      case .continuation: continue
      case .picture: putBlank(tpick_attr_invisible(), row: row, column: Int32(column))
      // Where a line begins with blanks, ncurses clears them and writes the first other cell again: not a picture's.
      // Dim as well, it differs from the cells of a picture that stood there before.
      case .text(" ") where cell.style == .plain && cells.dropFirst(column + 1).first?.content == .picture:
        putBlank(tpick_attr_invisible() | tpick_attr_dim(), row: row, column: Int32(column))
      case .text(let text):
        let ink = ink(of: cell.style)
        put(text, row: row, column: Int32(column), attributes: ink.attributes, pair: ink.pair)
      }
    }
  }

  private func putBlank(_ attributes: attr_t, row: Int32, column: Int32) {
    put(" ", row: row, column: column, attributes: attributes, pair: ink(of: .plain).pair)
  }

  private func put(_ text: String, row: Int32, column: Int32, attributes: attr_t, pair: Int16) {
    var wide = text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
    wide.append(0)
    if tpick_put_cell(row, column, wide, attributes, pair) == ERR, text != "?" {
      // The last cell of the screen always answers ERR, after it was written; anything else that ncurses
      // refuses is a character that the locale doesn't have.
      if mvwinch(tpick_stdscr(), row, column) == 0 {
        put("?", row: row, column: column, attributes: attributes, pair: pair)
      }
    }
  }

  // MARK: Styles

  /// The bytes that choose what is behind plain text.
  var ground: [UInt8] { theme.groundSequence(colors: Int(colors)) }

  /// The color of the frame around a pick; nil where the theme leaves it to the terminal.
  /// - Parameter palette: the terminal's own first sixteen colors.
  func pickColor(palette: [Int: Color]) -> Color? {
    theme.foreground(of: .pickFrame, colors: Int(colors), palette: palette)
  }

  /// Gives text other looks: the next frame has to be drawn from nothing.
  func use(_ theme: Theme) {
    (self.theme, inks) = (theme, [:])
  }

  private func ink(of style: TextStyle) -> (attributes: attr_t, pair: Int16) {
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

  /// The number of two colours together; 0, the terminal's own, where it takes no more of them.
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
  /// The bytes that choose the background of plain text on a terminal with so many colours; none = its own.
  ///
  /// Format: SGR (ECMA-48, 8.3.117; 90 to 107, 48;5 and 48;2 as in xterm's ctlseqs).
  func groundSequence(colors: Int) -> [UInt8] {
    let number = attributes(for: .plain, colors: colors).background
    return Self.parameters(number, colors, isBackground: true).map { Array("\u{1B}[\($0)m".utf8) } ?? []
  }

  /// The sequence that chooses a style, whatever was chosen before.
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

  /// The parameters of SGR for a color; nil = the terminal's own.
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

/// The changed rows of a frame, in groups that ncurses is given one after the other.
///
/// ncurses looks for rows that moved and has the terminal scroll them (hashmap.c and hardscroll.c of ncurses 6;
/// `idlok` forbids insertion and deletion of lines only): pictures would move along, or not. It takes a row
/// for moved when it alone looks as one alone looked before, elsewhere. So no row of a group looks as another
/// of the group did; one that has not changed itself looks the same in both places, which is never a move.
private struct RowGroups {
  private(set) var groups: [[Int]] = []

  /// - Parameters:
  ///   - rows: those that differ between the frames, which are equally large.
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

  /// What ncurses compares: the base character of every cell, without its style.
  private static func look(of cells: ArraySlice<FrameCell>) -> [Unicode.Scalar] {
    cells.map { cell in
      switch cell.content {
      case .text(let text): text.unicodeScalars.first ?? " "
      case .picture, .continuation: " "
      }
    }
  }
}

/// The parts of a changed row that ncurses is given one after the other.
///
/// Between two cells that changed, ncurses writes those that did not where that takes fewer bytes than to move the
/// cursor (PutRange of tty_update.c in ncurses 6). Cells of a picture are blanks to it: the picture would be gone, as a
/// poster of two cells between the mark and the name of its album. So no update goes on beyond a narrow picture.
private struct ChangedSpans {
  /// The columns of each part, from left to right; together they are the row.
  private(set) var spans: [Range<Int>] = []

  /// More cells than a movement of the cursor has bytes (`CSI 999;999H`) are never written over.
  private static let longestMove = 10

  /// - Precondition: both rows are equally long.
  init(from old: ArraySlice<FrameCell>, to new: ArraySlice<FrameCell>) {
    let (old, new) = (Array(old), Array(new))
    var start = 0
    var last: Int?
    for column in new.indices where old[column] != new[column] {
      defer { last = column }
      guard let last, column - last - 1 <= Self.longestMove,
        let picture = (last + 1..<column).first(where: { new[$0].content == .picture })
      else { continue }
      spans.append(start..<picture)
      start = picture
    }
    spans.append(start..<new.count)
  }
}

/// The stream that ncurses writes to: at first the terminal, whose modes and size it finds out, then memory.
///
/// ncurses sends every move of the cursor by itself: forty small writes for a screen, each of which wakes the terminal, and
/// between which half a frame may be seen. And it waits for a terminal that takes nothing without minding signals. It
/// writes to the descriptor behind the stream, so that only a descriptor can stand in for the terminal. See
/// Docs/Decisions/0041. Used by the thread of the run loop only.
private final class CursesOutput {
  let stream: UnsafeMutablePointer<FILE>

  /// - Parameter terminal: the terminal's descriptor, of which another is made.
  /// - Throws: `TerminalError` where there are no more descriptors.
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

  /// Has ncurses write to memory from now on; it can't change the modes of the terminal any more.
  func leaveTerminal() throws(TerminalError) {
    let memory = tpick_memory()
    guard memory >= 0 else { throw .outOfDescriptors }
    defer { close(memory) }
    guard dup2(memory, fileno(stream)) >= 0, fcntl(fileno(stream), F_SETFD, FD_CLOEXEC) == 0 else {
      throw .outOfDescriptors
    }
  }

  /// The bytes that ncurses sends while `body` runs, and has sent since the last time.
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
