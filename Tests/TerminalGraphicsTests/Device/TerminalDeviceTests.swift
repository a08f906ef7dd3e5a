import Foundation
import Glibc
import TestTerminal
import Testing

@testable import TerminalGraphics

/// The terminal as a device: a pseudo-terminal whose answers precede the questions.
@Suite struct TerminalDeviceTests {
  private let terminal: PseudoTerminal

  init() throws {
    terminal = try PseudoTerminal(columns: 80, rows: 24, cell: (10, 20))
    // Input before the device is opened is neither a line nor a signal.
    terminal.makeRaw()
  }

  /// The answer to the last question.
  private static let attributes = Array("\u{1B}[?62c".utf8)

  private func probe() throws -> (probe: TerminalProbe, typed: [UInt8]) {
    try TerminalDevice(terminal.path).probe(in: TerminalEnvironment(["TERM": "xterm-kitty"]))
  }

  @Test func `Ctrl-C ends the wait for answers`() throws {
    // More than is read at once: the answer would come next.
    let keys = [TerminalDevice.controlC] + Array(repeating: UInt8(ascii: "j"), count: 2000)
    terminal.type(keys + Self.attributes)
    let (probe, typed) = try probe()
    #expect(!probe.isComplete)
    #expect(keys.starts(with: typed) && typed.first == TerminalDevice.controlC)
    #expect(terminal.hasUnreadInput)
  }

  @Test func `Keys pressed meanwhile are returned with the answers`() throws {
    terminal.type(Array("j".utf8) + Self.attributes + Array("k".utf8))
    let (probe, typed) = try probe()
    #expect(probe.isComplete)
    #expect(typed == Array("jk".utf8))
  }

  @Test func `The test pixel for the terminal is removed`() throws {
    terminal.type(Self.attributes)
    _ = try probe()
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

  @Test func `Unread input is discarded`() throws {
    let device = try TerminalDevice(terminal.path)
    terminal.type(Array("late answer".utf8))
    #expect(terminal.hasUnreadInput)
    device.discardInput()
    #expect(terminal.takeUnreadInput().isEmpty)
  }

  @Test(arguments: ["\u{1B}[?62;4c", "\u{1B}[I\u{1B}[O\u{1B}[?62;4c", "\u{1B}[?1;2;\u{1B}[0n\u{1B}[?6c"])
  func `Reports that come before the last answer are discarded`(reports: String) throws {
    let device = try TerminalDevice(terminal.path)
    terminal.type(Array(reports.utf8))
    device.restoreTerminal(Array("bye".utf8), abortingBytes: [], discardingInputFor: .seconds(600))
    #expect(terminal.takeUnreadInput().isEmpty)
    #expect(terminal.takeOutput() == Array("bye\u{1B}[c".utf8))
  }

  @Test func `Without the last answer the wait is short, and without a wait nothing is asked`() throws {
    let device = try TerminalDevice(terminal.path)
    terminal.type(Array("\u{1B}[I\u{1B}[?62;4".utf8))
    device.restoreTerminal([], abortingBytes: [], discardingInputFor: .milliseconds(1))
    #expect(terminal.takeOutput() == Array("\u{1B}[c".utf8))
    device.restoreTerminal(Array("bye".utf8), abortingBytes: [])
    #expect(terminal.takeOutput() == Array("bye".utf8))
  }
}
