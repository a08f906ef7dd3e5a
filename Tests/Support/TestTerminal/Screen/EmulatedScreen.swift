import CVTerm

/// The text of the screen, maintained by libvterm.
final class EmulatedScreen {
  private(set) var columns: Int
  private(set) var rows: Int
  /// How often lines were scrolled.
  private(set) var scrollCount = 0
  /// The cells that were drawn on, including unchanged ones, since the last call.
  private var damage: [TerminalRectangle] = []

  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private let state: OpaquePointer
  private let callbacks: UnsafeMutablePointer<VTermScreenCallbacks>

  init(columns: Int, rows: Int, foreground: TerminalRGB, background: TerminalRGB) {
    guard let terminal = vterm_new(Int32(rows), Self.emulated(columns)),
      let screen = vterm_obtain_screen(terminal), let state = vterm_obtain_state(terminal)
    else { preconditionFailure("libvterm gives no screen") }
    (self.columns, self.rows) = (columns, rows)
    (self.terminal, self.screen, self.state) = (terminal, screen, state)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: VTermScreenCallbacks())
    vterm_set_utf8(terminal, 1)
    vterm_output_set_callback(terminal, { _, _, _ in }, nil)
    var colors = (VTermColor(), VTermColor())
    vterm_color_rgb(&colors.0, foreground.red, foreground.green, foreground.blue)
    vterm_color_rgb(&colors.1, background.red, background.green, background.blue)
    vterm_state_set_default_colors(state, &colors.0, &colors.1)
    callbacks.pointee.damage = { rectangle, user in
      EmulatedScreen.from(user)?.noteDamage(rectangle)
      return 1
    }
    callbacks.pointee.moverect = { destination, source, user in
      if destination.start_row != source.start_row { EmulatedScreen.from(user)?.scrollCount += 1 }
      return 0  // So that the destination is reported as damaged, too.
    }
    vterm_screen_set_callbacks(screen, callbacks, Unmanaged.passUnretained(self).toOpaque())
    vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_CELL)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
    damage = []
  }

  deinit {
    vterm_free(terminal)
    callbacks.deinitialize(count: 1)
    callbacks.deallocate()
  }

  var cursor: TerminalPosition {
    var position = VTermPos(row: 0, col: 0)
    vterm_state_get_cursorpos(state, &position)
    return TerminalPosition(row: Int(position.row), column: Int(position.col))
  }

  func write(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    bytes.withUnsafeBytes { buffer in
      _ = vterm_input_write(terminal, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
  }

  func takeDamage() -> [TerminalRectangle] {
    defer { damage.removeAll(keepingCapacity: true) }
    return damage
  }

  func resize(columns: Int, rows: Int) {
    let scrolled = scrollCount
    vterm_set_size(terminal, Int32(rows), Self.emulated(columns))
    (self.columns, self.rows, scrollCount) = (columns, rows, scrolled)
    damage = []
  }

  /// The columns that libvterm emulates: it crashes on a wide character in a screen of one column.
  private static func emulated(_ columns: Int) -> Int32 { Int32(max(2, columns)) }

  /// The text of a row, without trailing blanks.
  func line(_ row: Int) -> String {
    let capacity = columns * Int(VTERM_MAX_CHARS_PER_CELL) * 4 + 4
    let area = VTermRect(
      start_row: Int32(row), end_row: Int32(row) + 1, start_col: 0, end_col: Int32(columns))
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      buffer.withMemoryRebound(to: CChar.self) { text in
        count = min(vterm_screen_get_text(screen, text.baseAddress, capacity, area), capacity)
      }
    }
    let blanks = bytes.reversed().prefix { $0 == 0x20 }.count
    return String(decoding: bytes.dropLast(blanks), as: UTF8.self)
  }

  func cell(row: Int, column: Int) -> TerminalCell {
    var raw = VTermScreenCell()
    var cell = TerminalCell()
    vterm_screen_get_cell(screen, VTermPos(row: Int32(row), col: Int32(column)), &raw)
    if raw.chars.0 == UInt32.max {
      cell.text = ""
      cell.width = 0
    } else if raw.chars.0 != 0 {
      cell.text = Self.text(raw)
      cell.width = Int(raw.width)
    }
    cell.background = Self.color(raw.bg, default: VTERM_COLOR_DEFAULT_BG)
    cell.isPrinted = raw.chars.0 != 0
    // libvterm 0.1 leaves the whole pen in erased cells; other terminals only its background.
    guard cell.isPrinted else { return cell }
    cell.foreground = Self.color(raw.fg, default: VTERM_COLOR_DEFAULT_FG)
    cell.bold = raw.attrs.bold != 0
    cell.italic = raw.attrs.italic != 0
    cell.underline = raw.attrs.underline != 0
    cell.reverse = raw.attrs.reverse != 0
    cell.blink = raw.attrs.blink != 0
    cell.strike = raw.attrs.strike != 0
    return cell
  }

  /// The RGB value of a palette color.
  func paletteColor(_ index: UInt8) -> TerminalRGB {
    var color = VTermColor()
    vterm_state_get_palette_color(state, Int32(index), &color)
    vterm_state_convert_color_to_rgb(state, &color)
    return TerminalRGB(color.rgb.red, color.rgb.green, color.rgb.blue)
  }

  private func noteDamage(_ rectangle: VTermRect) {
    let next = TerminalRectangle(
      row: Int(rectangle.start_row), column: Int(rectangle.start_col),
      rows: Int(rectangle.end_row - rectangle.start_row),
      columns: min(Int(rectangle.end_col), columns) - Int(rectangle.start_col))
    guard next.columns > 0 else { return }
    if let last = damage.last, last.row == next.row, last.rows == next.rows,
      last.column + last.columns == next.column
    {
      damage[damage.count - 1].columns += next.columns
    } else {
      damage.append(next)
    }
  }

  private static func from(_ user: UnsafeMutableRawPointer?) -> EmulatedScreen? {
    user.map { Unmanaged<EmulatedScreen>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func text(_ raw: VTermScreenCell) -> String {
    var scalars = String.UnicodeScalarView()
    let chars = raw.chars
    for char in [chars.0, chars.1, chars.2, chars.3, chars.4, chars.5] {
      guard char != 0 else { break }
      scalars.append(UnicodeScalar(char) ?? "\u{FFFD}")
    }
    return String(scalars)
  }

  private static func color(_ color: VTermColor, default flag: VTermColorType) -> TerminalColor {
    if UInt32(color.type) & flag.rawValue != 0 { return .default }
    if UInt32(color.type) & VTERM_COLOR_TYPE_MASK.rawValue == VTERM_COLOR_INDEXED.rawValue {
      return .indexed(color.indexed.idx)
    }
    return .rgb(color.rgb.red, color.rgb.green, color.rgb.blue)
  }
}
