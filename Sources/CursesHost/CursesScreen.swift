import CNcurses
import PickerUI
import Pixels
import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

/// The text of the screen, drawn by ncurses.
///
/// Used by the thread of the run loop only.
///
/// Cells that belong to a picture are given to ncurses as *invisible* blanks: an attribute that changes
/// nothing about a blank, but keeps ncurses from taking those cells for plain blanks, which it would clear
/// with EL or run over when it moves the cursor. See Docs/Decisions/0003.
final class CursesScreen {
  private let screen: OpaquePointer
  private let output: UnsafeMutablePointer<FILE>
  private let input: UnsafeMutablePointer<FILE>
  private var shown: Frame?
  private let colors: Int32

  /// Takes the terminal over: alternate screen, raw modes, no cursor.
  /// - Parameter keepsTitles: whether the terminal saves and restores its title when it is told to.
  init(on terminal: TerminalDevice, background: Color?, keepsTitles: Bool) throws(HostError) {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    guard let output = fdopen(dup(terminal.descriptor), "w"),
      let input = fdopen(dup(terminal.descriptor), "r")
    else { throw .noTerminal(String(cString: strerror(errno))) }
    guard !name.isEmpty, let screen = newterm(nil, output, input) else {
      fclose(output)
      fclose(input)
      throw .unknownTerminal(name)
    }
    self.screen = screen
    self.output = output
    self.input = input
    guard tpick_can_move_cursor() else {
      endwin()
      throw .poorTerminal(name)
    }
    // Where terminfo has it, ncurses has the title saved and restored by itself.
    savesTitle = keepsTitles && !String(cString: tpick_enter_ca_mode()).contains(Self.titleSaving)
    hasTitle = savesTitle || String(cString: tpick_enter_ca_mode()).contains(Self.titleSaving)
    raw()
    noecho()
    nonl()
    typeahead(-1)  // never stop in the middle of an update because a key is waiting
    idlok(tpick_stdscr(), false)  // pictures would move along with the lines, or not: see RowGroups
    curs_set(0)
    if getenv("NO_COLOR").map({ $0.pointee != 0 }) ?? false {
      colors = 0
    } else {
      start_color()
      use_default_colors()
      colors = tpick_color_count()
    }
    definePairs(background: background)
    listen(true)
  }

  /// Buttons with where they are dragged to (1002) in coordinates of any size (1006), pasted text in brackets
  /// (2004): xterm's ctlseqs.
  private static let listening = "\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h"
  private static let notListening = "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l"

  /// Has the terminal report the mouse and mark pasted text, or not.
  private func listen(_ isOn: Bool) {
    fputs((isOn ? Self.listening : Self.notListening) + titleKeeping(isOn), output)
    fflush(output)
  }

  // MARK: Title

  /// XTWINOPS, xterm's ctlseqs: saves and restores icon and title of the window.
  private static let titleSaving = "[22;0"
  private let savesTitle: Bool
  private let hasTitle: Bool
  private var title = ""

  private func titleKeeping(_ isOn: Bool) -> String {
    savesTitle ? isOn ? "\u{1B}[22;0t" : "\u{1B}[23;0t" : ""
  }

  /// Calls the window something (OSC 2), where the terminal gives it its old title back.
  func setTitle(_ text: String) {
    guard hasTitle, text != title else { return }
    title = text
    let shown = TerminalLocale.isUTF8 ? text : String(text.map { $0.isASCII ? $0 : "?" })
    fputs("\u{1B}]2;\(shown)\u{1B}\\", output)
    fflush(output)
  }

  /// Gives the terminal back.
  func end() {
    listen(false)
    endwin()
    fflush(output)
  }

  /// Takes the terminal again, after `end` or after somebody else had it.
  func takeBack() {
    reset_prog_mode()
    curs_set(1)  // ncurses sends what it believes to be a change only
    curs_set(0)
    refresh()
    listen(true)
    title = ""
    forget()
  }

  deinit {
    delscreen(screen)
    fclose(output)
    fclose(input)
  }

  /// How many colours text can have.
  var colorCount: Int { Int(colors) }

  /// The sequence that leaves the alternate screen and has the terminal report nothing any more.
  var exitSequence: [UInt8] {
    Array((Self.notListening + titleKeeping(false) + String(cString: tpick_exit_ca_mode())).utf8)
  }

  /// The window has another size: everything is drawn afresh.
  func resize(to size: CellSize) {
    resizeterm(Int32(size.rows), Int32(size.columns))
    forget()
  }

  /// Nothing that is on the screen counts any more.
  func forget() {
    shown = nil
    clearok(tpick_curscr(), true)
  }

  /// Whether the text of a frame is on the screen already.
  func shows(_ frame: Frame) -> Bool { shown?.size == frame.size && shown?.cells == frame.cells }

  /// Sends the text of a frame, as far as it is not on the screen.
  func draw(_ frame: Frame) {
    if let shown, shown.size == frame.size {
      let changed = (0..<frame.size.rows).filter { shown.row($0) != frame.row($0) }
      for rows in RowGroups(of: changed, from: shown, to: frame).groups { draw(rows, of: frame) }
    } else {
      werase(tpick_stdscr())
      draw(Array(0..<frame.size.rows), of: frame)
    }
    shown = frame
    fflush(output)
  }

  private func draw(_ rows: [Int], of frame: Frame) {
    for row in rows { draw(frame.row(row), row: Int32(row)) }
    wnoutrefresh(tpick_stdscr())
    doupdate()
  }

  private func draw(_ cells: ArraySlice<FrameCell>, row: Int32) {
    for (column, cell) in cells.enumerated() {
      switch cell.content {
      case .continuation: continue
      case .picture:
        put(" ", row: row, column: Int32(column), attributes: tpick_attr_invisible(), pair: 0)
      case .text(let text):
        put(
          text, row: row, column: Int32(column), attributes: attributes(of: cell.style),
          pair: pair(of: cell.style.tone))
      }
    }
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

  private static let accentPair: Int16 = 1
  private static let warningPair: Int16 = 2
  private static let errorPair: Int16 = 3
  private static let dimPair: Int16 = 4

  /// Not every terminal (and not every terminfo entry) has the faint attribute; a grey is the same to all.
  private var hasGreys: Bool { colors >= 256 }

  private func definePairs(background: Color?) {
    guard colors >= 8 else { return }
    // Cyan can't be read on white, nor blue on black.
    let isLight = background?.isLight ?? false
    init_pair(Self.accentPair, isLight ? 4 : 6, -1)
    init_pair(Self.warningPair, isLight ? 5 : 3, -1)
    init_pair(Self.errorPair, 1, -1)
    if hasGreys { init_pair(Self.dimPair, isLight ? 242 : 245, -1) }
  }

  private func pair(of tone: TextStyle.Tone) -> Int16 {
    guard colors >= 8 else { return 0 }
    return switch tone {
    case .plain: 0
    case .dim: hasGreys ? Self.dimPair : 0
    case .accent: Self.accentPair
    case .warning: Self.warningPair
    case .error: Self.errorPair
    }
  }

  private func attributes(of style: TextStyle) -> attr_t {
    var attributes = tpick_attr_normal()
    if style.tone == .dim, !hasGreys { attributes |= tpick_attr_dim() }
    if style.isBold { attributes |= tpick_attr_bold() }
    if style.isReversed { attributes |= tpick_attr_reverse() }
    return attributes
  }
}
