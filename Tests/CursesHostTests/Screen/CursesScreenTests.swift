import CPlatform
import Foundation
import Glibc
import Pixels
import TerminalGraphics
import TestTerminal
import Testing

@testable import CursesHost
@testable import PickerUI

/// ncurses on a terminal that only the run loop writes to.
@Suite(.serialized) struct CursesScreenTests {
  private let terminal: PseudoTerminal
  private let device: TerminalDevice
  private let screen: CursesScreen
  private static let size = CellSize(columns: 60, rows: 20)

  init() throws {
    terminal = try PseudoTerminal(columns: Self.size.columns, rows: Self.size.rows, cell: (10, 20))
    device = try TerminalDevice(terminal.path)
    screen = try CursesScreen(
      on: device, names: ["xterm-256color"], allowsSubstitute: false, theme: Theme(.dark), keepsTitles: false,
      hasMouse: true)
  }

  private static func frame(_ words: String, rows: Range<Int> = 0..<1) -> ScreenFrame {
    var frame = ScreenFrame(size: size)
    for row in rows { frame.put(words, row: row, column: 0) }
    return frame
  }

  private func bytes(_ frame: ScreenFrame, from shown: ScreenFrame? = nil) -> String {
    String(decoding: screen.bytes(for: frame, from: shown), as: UTF8.self)
  }

  @Test func `Without saving it, the cursor is put back where ncurses left it`() {
    var frame = Self.frame("hello")
    _ = bytes(frame)
    let shown = frame
    frame.put("you", row: 4, column: 7)
    let update = bytes(frame, from: shown)
    #expect(update.contains("you"))
    let mark = PictureMark(row: 9, column: 3, columns: 1, text: "1", style: .plain)
    let written = screen.bytes(for: mark, savesCursor: false)
    #expect(!String(decoding: written, as: UTF8.self).contains("\u{1B}7"))
    // Where the terminal has it after the update.
    let emulated = VirtualTerminal(columns: Self.size.columns, rows: Self.size.rows)
    emulated.feed(Array(update.utf8))
    let place = emulated.cursor
    #expect(
      String(decoding: screen.cursorReturn, as: UTF8.self)
        == "\u{1B}[0m\u{1B}[\(place.row + 1);\(place.column + 1)H")
  }

  @Test(arguments: [true, false])
  func `A terminal whose mouse reports do harm gets none`(hasMouse: Bool) throws {
    let screen = try CursesScreen(
      on: device, names: ["xterm-256color"], allowsSubstitute: false, theme: Theme(.dark), keepsTitles: false,
      hasMouse: hasMouse, reportsColorScheme: !hasMouse)
    for (bytes, sign) in [(screen.enterSequence, "h"), (screen.exitSequence, "l")] {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(
        text.contains("\u{1B}[?1002\(sign)") == hasMouse && text.contains("\u{1B}[?1006\(sign)") == hasMouse)
      #expect(text.contains("\u{1B}[?2004\(sign)"))
      // Movements without a button are turned off, but not on.
      #expect(text.contains("\u{1B}[?1003\(sign)") == (hasMouse && sign == "l"))
      // Color scheme reports only where the terminal has them.
      #expect(text.contains("\u{1B}[?2031\(sign)") != hasMouse)
    }
  }

  @Test(arguments: [true, false])
  func `The mouse is reported in pixels until the exit, where the terminal can`(hasPixelMouse: Bool) throws {
    let screen = try CursesScreen(
      on: device, names: ["xterm-256color"], allowsSubstitute: false, theme: Theme(.dark), keepsTitles: false,
      hasMouse: true, hasPixelMouse: hasPixelMouse)
    for (bytes, sign) in [(screen.enterSequence, "h"), (screen.exitSequence, "l")] {
      #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[?1016\(sign)") == hasPixelMouse)
    }
  }

  @Test
  func `The output of ncurses is returned as bytes once, and nothing is written to the terminal directly`() {
    #expect(String(decoding: screen.enterSequence, as: UTF8.self).contains("\u{1B}[?1049h"))
    let first = Self.frame("hello")
    #expect(bytes(first).contains("hello"))
    #expect(bytes(first, from: first).isEmpty)
    let second = Self.frame("help!")
    let change = bytes(second, from: first)
    #expect(change.contains("p!") && change.utf8.count < 20)
    // More than ncurses buffers, then little: nothing of the long output follows.
    let full = Self.frame(String(repeating: "x", count: Self.size.columns), rows: 0..<Self.size.rows)
    #expect(bytes(full, from: second).count > 20)
    var last = full
    last.put("y", row: 7, column: 7)
    let short = bytes(last, from: full)
    #expect(short.contains("y") && !short.contains("xx"))
    #expect(String(decoding: screen.end(), as: UTF8.self).contains("\u{1B}[?1049l"))
    #expect(terminal.takeOutput().isEmpty)
  }

  @Test func `The terminal modes are raw, and ncurses no longer changes them`() {
    let taken = device.currentModes
    #expect(taken.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0 && taken.c_iflag & tcflag_t(ICRNL) == 0)
    // The modes of another program that uses the terminal meanwhile.
    device.setModes(device.modes)
    let others = device.currentModes.c_lflag
    #expect(others & tcflag_t(ICANON) != 0)
    _ = screen.end()
    _ = screen.resume()
    #expect(device.currentModes.c_lflag == others)
  }

  @Test func `Child processes inherit neither the terminal nor its buffer`() {
    // All that are open: tests at the same time leave only high numbers to this one.
    let listed = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    func name(_ number: Int32) -> String? {
      var path = [CChar](repeating: 0, count: 256)
      let count = readlink("/proc/self/fd/\(number)", &path, path.count)
      let name = path.prefix(max(0, count)).map(UInt8.init(bitPattern:))
      return count > 0 ? String(decoding: name, as: UTF8.self) : nil
    }
    let own = listed.compactMap { Int32($0) }.compactMap { number -> (name: String, flags: Int32)? in
      guard let before = name(number), before.contains("tpick-screen") || before == terminal.path else {
        return nil
      }
      let flags = fcntl(number, F_GETFD)
      // Another test may have closed its own screen meanwhile, and opened something else.
      return name(number) == before ? (before, flags) : nil
    }
    #expect(own.contains { $0.name.contains("tpick-screen") } && own.count >= 3)
    #expect(own.allSatisfy { $0.flags & FD_CLOEXEC != 0 })
  }
}
