import Pixels
import TerminalGraphics
import TestTerminal
import Testing

@testable import CursesHost
@testable import PickerUI

/// The text of a picker in a part of another program's screen, on a terminal.
@Suite(.serialized) struct DirectScreenTests {
  private let terminal: PseudoTerminal
  private let device: TerminalDevice
  private let screen: DirectScreen
  private static let part = CellRect(column: 20, row: 3, columns: 30, rows: 10)

  init() throws {
    terminal = try PseudoTerminal(columns: 60, rows: 20, cell: (10, 20))
    device = try TerminalDevice(terminal.path)
    screen = DirectScreen(
      on: device, theme: Theme(.dark), colors: 256, hasMouse: true, reportsColorScheme: false, isUTF8: true)
  }

  private func frame(_ words: String, row: Int = 0, column: Int = 0) -> ScreenFrame {
    var frame = ScreenFrame(size: Self.part.size)
    frame.put(words, row: row, column: column)
    return frame
  }

  /// A terminal full of the program's text.
  private func filled() -> VirtualTerminal {
    let window = VirtualTerminal(columns: 60, rows: 20)
    for row in 1...20 { window.feed("\u{1B}[\(row);1H" + String(repeating: "#", count: 60)) }
    return window
  }

  private func show(_ frame: ScreenFrame, after shown: ScreenFrame? = nil, on window: VirtualTerminal) {
    let bytes = screen.bytes(for: frame, from: shown, in: nil)
    window.feed(CellShift(top: Self.part.row, left: Self.part.column)(bytes))
  }

  private func lines(_ window: VirtualTerminal) -> [String] {
    window.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `A frame fills its part, and nothing else`() throws {
    let window = filled()
    show(frame("a picker", row: 2, column: 5), on: window)
    let lines = lines(window)
    for (row, line) in lines.prefix(20).enumerated() {
      let isInside = (3..<13).contains(row)
      #expect(line.hasPrefix(String(repeating: "#", count: 20)))
      #expect(line.hasSuffix(String(repeating: "#", count: isInside ? 10 : 20)))
      if !isInside { #expect(line == String(repeating: "#", count: 60)) }
    }
    let inside = lines[5].dropFirst(20).prefix(30)
    #expect(String(inside) == "     a picker" + String(repeating: " ", count: 17))
  }

  @Test func `Only what has changed is written, with wide characters too`() {
    let window = filled()
    let first = frame("photos 写真 here")
    show(first, on: window)
    let second = frame("photos 写真 gone")
    let update = String(decoding: screen.bytes(for: second, from: first, in: nil), as: UTF8.self)
    #expect(update.contains("\u{1B}[1;13H") && !update.contains("photos") && !update.contains("写"))
    show(second, after: first, on: window)
    #expect(lines(window)[3].contains("photos 写真 gone"))
    #expect(screen.bytes(for: second, from: second, in: nil).isEmpty)
  }

  @Test func `Without UTF-8 a wide character keeps its width`() {
    let plain = DirectScreen(
      on: device, theme: Theme(.dark), colors: 256, hasMouse: true, reportsColorScheme: false, isUTF8: false)
    let bytes = String(decoding: plain.bytes(for: frame("photos 写真 here"), from: nil, in: nil), as: UTF8.self)
    #expect(bytes.contains("photos ? ?  here"))
  }

  @Test func `The title is left alone, and reports are turned off at the end`() {
    #expect(screen.setTitle("tpick").isEmpty)
    #expect(String(decoding: screen.enterSequence, as: UTF8.self).contains("\u{1B}[?1006h"))
    #expect(String(decoding: screen.end(), as: UTF8.self).contains("\u{1B}[?1006l"))
    #expect(!String(decoding: screen.end(), as: UTF8.self).contains("1049"))
  }
}
