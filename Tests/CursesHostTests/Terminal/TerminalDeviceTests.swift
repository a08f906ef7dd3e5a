import Foundation
import Glibc
import PickerRuntime
import TerminalGraphics
import TestTerminal
import Testing

@testable import CursesHost

/// The terminal as a device: a pseudo-terminal that answers nothing.
@Suite(.timeLimit(.minutes(1))) struct TerminalDeviceTests {
  private let terminal: PseudoTerminal

  init() throws {
    terminal = try PseudoTerminal(columns: 80, rows: 24, cell: (10, 20))
    // What is typed before the device is opened is neither a line nor a signal.
    terminal.makeRaw()
  }

  /// Asks a terminal that never answers until Ctrl-C ends that.
  private func probeUntilControlC() throws -> (probe: TerminalProbe, typed: [UInt8]) {
    terminal.type([UInt8(ascii: "j"), TerminalDevice.controlC])
    return try TerminalDevice(terminal.path).probe(
      in: TerminalEnvironment(["TERM": "xterm-kitty"]), patience: .seconds(600))
  }

  @Test func `Ctrl-C ends the wait for answers`() throws {
    let (probe, typed) = try probeUntilControlC()
    #expect(!probe.isComplete)
    #expect(typed == [UInt8(ascii: "j"), TerminalDevice.controlC])
  }

  @Test func `The pixel that the terminal was to find is removed`() throws {
    _ = try probeUntilControlC()
    let screen = VirtualTerminal(profile: .kitty)
    screen.feed(terminal.takeOutput())
    let places = screen.kittyCommands.compactMap { command -> String? in
      guard let medium = command["t"], let name = Data(base64Encoded: Data(command.payload)) else {
        return nil
      }
      let text = String(decoding: name, as: UTF8.self)
      return medium == "s" ? "/dev/shm\(text)" : medium == "t" ? text : nil
    }
    #expect(places.count == 2)
    for place in places { #expect(access(place, F_OK) != 0, "\(place)") }
  }

  @Test func `What was typed and not read is thrown away`() throws {
    let device = try TerminalDevice(terminal.path)
    terminal.type(Array("late answer".utf8))
    #expect(terminal.hasUnreadInput)
    device.discardInput()
    #expect(terminal.takeUnreadInput().isEmpty)
  }
}
