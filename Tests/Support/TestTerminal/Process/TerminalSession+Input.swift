extension TerminalSession {
  /// Types text.
  package func send(_ text: String) { type(Array(text.utf8)) }

  /// Types bytes.
  package func send(bytes: [UInt8]) { type(bytes) }

  /// Presses a key that sends no character, `times` times in a row.
  package func press(_ key: SpecialKey, times: Int = 1) {
    let sequence = key.sequence(applicationCursorKeys: virtual.modes.applicationCursorKeys)
    type(Array(String(repeating: sequence, count: times).utf8))
  }

  /// Presses a letter with Control.
  package func pressControl(_ letter: Character) {
    if let code = letter.asciiValue { type([code & 0x1F]) }
  }

  /// Pastes text, in brackets if the program enabled them.
  package func paste(_ text: String) {
    send(virtual.bracketedPasteActive ? "\u{1B}[200~\(text)\u{1B}[201~" : text)
  }

  /// Presses and releases a mouse button in a cell: 0 is the left one, 64 and 65 turn the wheel up and down;
  /// 16 more hold Control.
  ///
  /// Place and offset are as for `mouse`. Several `times` arrive together, as fast as a hand can be.
  package func click(row: Int, column: Int, offset: Int? = nil, button: Int = 0, times: Int = 1) {
    let press = report(of: button, row: row, column: column, offset: offset)
    let release = report(of: button, row: row, column: column, offset: offset, isRelease: true)
    send(String(repeating: button < 64 ? press + release : press, count: times))
  }

  /// Reports one mouse event: a button as for `click`, with 32 more while the mouse moves.
  ///
  /// Nothing is sent unless the program enabled mouse reporting with extended coordinates. In pixels, if it enabled
  /// those, the pointer is `offset` pixels to the right of the cell's left edge, or in its middle.
  package func mouse(_ button: Int, row: Int, column: Int, offset: Int? = nil, isRelease: Bool = false) {
    send(report(of: button, row: row, column: column, offset: offset, isRelease: isRelease))
  }

  private func report(
    of button: Int, row: Int, column: Int, offset: Int?, isRelease: Bool = false
  ) -> String {
    guard virtual.mouseActive, virtual.modes.isSet(1006) else { return "" }
    var place = (x: column, y: row)
    if virtual.modes.isSet(1016) {
      let cell = virtual.cell
      place.x = column * cell.width + (offset ?? cell.width / 2)
      place.y = row * cell.height + cell.height / 2
    }
    return "\u{1B}[<\(button);\(place.x + 1);\(place.y + 1)\(isRelease ? "m" : "M")"
  }

  /// Ends the connection, as when a window is closed: no more data is transferred in either direction.
  package func hangUp() { terminal.hangUp() }

  /// Sends the program a signal, unless it has ended.
  package func signal(_ number: Int32) { child.signal(number) }
}
