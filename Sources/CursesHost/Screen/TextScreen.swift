import CPlatform
import PickerRuntime
import PickerUI
import Pixels
import TerminalGraphics

/// The text of a picker's screen, as bytes for the terminal.
///
/// Used by the thread of the run loop.
protocol TextScreen: AnyObject {
  /// Sequence that takes over the screen.
  var enterSequence: [UInt8] { get }
  /// Sequence that gives it back, for a crash.
  var exitSequence: [UInt8] { get }
  /// Whether the terminal is missing in the terminfo database.
  var isSubstitute: Bool { get }
  /// Number of colors for text.
  var colorCount: Int { get }
  /// Number of colors for pictures made of text.
  var pictureColorCount: Int { get }
  /// The colors and styles.
  var theme: Theme { get }
  /// Sequence that puts the cursor, without attributes, where the screen expects it.
  var cursorReturn: [UInt8] { get }

  /// Returns the bytes that update the screen to the text of a frame.
  /// - Parameters:
  ///   - shown: the frame on the screen; nil if the content is unknown.
  ///   - rows: the rows to update; nil means all.
  func bytes(for frame: ScreenFrame, from shown: ScreenFrame?, in rows: [Range<Int>]?) -> [UInt8]

  /// Adopts another size: the next frame must be drawn from scratch.
  func resize(to size: CellSize)

  /// Changes the theme: the next frame must be drawn from scratch.
  func use(_ theme: Theme)

  /// Returns the sequence that sets the window title; empty if it is unchanged, or must not be changed.
  func setTitle(_ text: String) -> [UInt8]

  /// Returns the sequence that rings the terminal's bell.
  func ring() -> [UInt8]

  /// Returns the sequence that restores the terminal, except for its modes.
  func end() -> [UInt8]

  /// Returns the sequence that takes over the terminal again, except for its modes.
  func resume() -> [UInt8]
}

extension TextScreen {
  /// Bytes that set the background of plain text.
  var ground: [UInt8] { theme.groundSequence(colors: colorCount) }

  /// Returns the color of the frame around a pick; nil if the theme leaves it to the terminal.
  /// - Parameter palette: the terminal's first sixteen colors.
  func pickColor(palette: [Int: Color]) -> Color? {
    theme.foreground(of: .pickFrame, colors: colorCount, palette: palette)
  }

  /// Returns the bytes that write text over a picture, which the screen still sees there.
  /// - Parameters:
  ///   - mark: the text and its place.
  ///   - savesCursor: whether to put the cursor back; otherwise `cursorReturn` must follow.
  func bytes(for mark: PictureMark, savesCursor: Bool) -> [UInt8] {
    let style = theme.sequence(for: mark.style, colors: colorCount)
    let text = "\(style)\u{1B}[\(mark.row + 1);\(mark.column + 1)H\(mark.text)"
    return Array((savesCursor ? "\u{1B}7\(text)\u{1B}8" : text).utf8)
  }
}

/// The modes for reports from the terminal, as in xterm's ctlseqs.
struct TerminalReports {
  /// Sequence that turns the reports on.
  let beginning: [UInt8]
  /// Sequence that turns them off.
  let end: [UInt8]

  init(hasMouse: Bool, hasPixelMouse: Bool, reportsColorScheme: Bool, savesTitle: Bool) {
    // Mouse buttons and drags in coordinates of any size, bracketed paste, focus, size of the window in pixels, dark
    // or light colors.
    // The pixels after the cells: the last encoding counts, and one without pixels keeps the cells.
    let mouse = hasMouse ? [1002, 1006] + (hasPixelMouse ? [1016] : []) : []
    let modes = mouse + [2004, 1004, 2048] + (reportsColorScheme ? [2031] : [])
    beginning = Array((modes.map { "\u{1B}[?\($0)h" }.joined() + (savesTitle ? "\u{1B}[22;0t" : "")).utf8)
    let ended = modes.reversed() + (hasMouse ? [Self.motion] : [])
    end = Array((ended.map { "\u{1B}[?\($0)l" }.joined() + (savesTitle ? "\u{1B}[23;0t" : "")).utf8)
  }

  /// The mode for reports of all movements of the mouse.
  private static let motion = 1003

  /// Returns the sequence that turns reports of the mouse without a button on or off.
  ///
  /// The modes of the mouse replace each other, so the reports of drags are turned on again.
  static func motion(_ isOn: Bool) -> [UInt8] {
    Array((isOn ? "\u{1B}[?\(motion)h" : "\u{1B}[?\(motion)l\u{1B}[?1002h").utf8)
  }
}

/// The text of a part of another program's screen, written without ncurses.
///
/// The program may use ncurses itself, and two screens of ncurses in one process disturb each other:
/// resizing or deleting one changes the windows of the other (Docs/Decisions/0061). Every run of changed cells
/// has its own cursor position, so nothing depends on where the cursor is.
final class DirectScreen: TextScreen {
  private(set) var theme: Theme
  let colorCount: Int
  private let reports: TerminalReports
  private let isUTF8: Bool

  /// Sets the modes of the terminal.
  /// - Parameters:
  ///   - colors: number of colors for text.
  ///   - hasMouse: whether to turn mouse reports on.
  ///   - hasPixelMouse: whether they are in pixels instead of cells.
  ///   - reportsColorScheme: whether to turn on reports of a change to dark or light colors.
  ///   - isUTF8: whether the terminal is sent characters beyond ASCII.
  init(
    on terminal: TerminalDevice, theme: Theme, colors: Int, hasMouse: Bool, hasPixelMouse: Bool = false,
    reportsColorScheme: Bool,
    isUTF8: Bool = TerminalLocale.isUTF8
  ) {
    self.theme = theme
    self.isUTF8 = isUTF8
    colorCount = colors
    reports = TerminalReports(
      hasMouse: hasMouse, hasPixelMouse: hasPixelMouse, reportsColorScheme: reportsColorScheme,
      savesTitle: false)
    var modes = terminal.modes
    cfmakeraw(&modes)
    terminal.setModes(modes)
  }

  private static let hidingCursor = Array("\u{1B}[?25l".utf8)
  private static let showingCursor = Array("\u{1B}[?25h".utf8)

  var enterSequence: [UInt8] { Self.hidingCursor + reports.beginning }
  var exitSequence: [UInt8] { reports.end + Self.showingCursor }
  var isSubstitute: Bool { false }
  var pictureColorCount: Int { colorCount }
  var cursorReturn: [UInt8] { Array("\u{1B}[0m".utf8) }

  func bytes(for frame: ScreenFrame, from shown: ScreenFrame?, in rows: [Range<Int>]?) -> [UInt8] {
    let known = shown?.size == frame.size ? shown : nil
    let wanted = known == nil ? [0..<frame.size.rows] : rows ?? [0..<frame.size.rows]
    var bytes: [UInt8] = []
    for row in wanted.joined() {
      let (cells, old) = (Array(frame.row(row)), known.map { Array($0.row(row)) })
      var style: TextStyle?
      var next = -1
      for (column, cell) in cells.enumerated() where old.map({ $0[column] != cell }) ?? true {
        let isWide = cells.indices.contains(column + 1) && cells[column + 1].content == .continuation
        let text: String
        switch cell.content {
        case .continuation: continue
        case .picture: text = " "
        case .text(let own):
          let isShown = isUTF8 || own.utf8.allSatisfy { $0 < 0x80 }
          // As wide as the character.
          text = isShown ? own : isWide ? "? " : "?"
        }
        if column != next { bytes += "\u{1B}[\(row + 1);\(column + 1)H".utf8 }
        let own: TextStyle = if case .picture = cell.content { .plain } else { cell.style }
        if own != style { bytes += theme.sequence(for: own, colors: colorCount).utf8 }
        style = own
        bytes += text.utf8
        next = column + (isWide ? 2 : 1)
      }
    }
    return bytes.isEmpty ? [] : bytes + cursorReturn
  }

  func resize(to size: CellSize) {}

  func use(_ theme: Theme) { self.theme = theme }

  // The window belongs to the program.
  func setTitle(_ text: String) -> [UInt8] { [] }

  func ring() -> [UInt8] { [0x07] }

  func end() -> [UInt8] { Array("\u{1B}[0m".utf8) + exitSequence }

  func resume() -> [UInt8] { enterSequence }
}
