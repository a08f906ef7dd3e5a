import Fixtures
import TestTerminal
import Testing

extension Commands {
  /// Paths that arrive on standard input while the picker is open.
  @Suite struct StandardInputTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path }

    init() throws {
      folder = try Photos.folder(3)
    }

    private func pick(_ arguments: [String] = [], _ input: StandardInput = .open) throws -> TerminalSession {
      try Program.pick(arguments + ["-"], standardInput: input)
    }

    private func feed(_ names: [String], to session: TerminalSession) {
      session.feed(names.map { "\(path)/\($0)\n" }.joined())
    }

    private func errors(of session: TerminalSession) -> String {
      String(decoding: session.standardErrorBytes, as: UTF8.self)
    }

    // MARK: Unsorted input

    @Test func `Photos appear as they arrive, and the end is shown`() throws {
      let session = try pick()
      try session.waitForText("Reading the library…")
      feed(["2.jpg"], to: session)
      try session.waitForText("1 photo ")
      #expect(session.virtual.text.contains("reading…"))
      feed(["1.jpg", "3.jpg"], to: session)
      try session.waitForGrid(3)
      #expect(session.virtual.text.contains("reading…"))
      session.endInput()
      try session.waitForNoText("reading…")
      #expect(session.virtual.text.contains("3 photos"))
      session.press(.enter)
      try session.expectExit(.exited(0))
      // Until the first key the cursor stays at the first position.
      #expect(session.outputLines == ["\(path)/1.jpg"])
    }

    @Test func `A photo can be picked before the input ends`() throws {
      let session = try pick(["-n0"])
      feed(["1.jpg", "2.jpg"], to: session)
      try session.waitForGrid(2)
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.space)
      try session.waitForText("1 picked")
      feed(["3.jpg"], to: session)
      try session.waitForGrid(3)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(path)/2.jpg"])
      #expect(session.isGivenBack)
    }

    @Test func `An empty input is reported on the screen`() throws {
      let session = try pick()
      try session.waitForText("Reading the library…")
      session.press(.enter)
      try session.waitForText("Still reading the library")
      session.endInput()
      try session.expectExit(.exited(1))
    }

    // MARK: Without an end

    @Test(arguments: ["q", "\u{1B}", "\u{3}"])
    func `With an endless writer the picker can be left at once`(key: String) throws {
      let session = try pick([], .endless(Array("\(path)/1.jpg\n".utf8)))
      try session.waitForGrid(1)
      try session.waitUntil("megabytes to be read") { _ in session.inputTaken > 4 << 20 }
      #expect(session.virtual.text.contains("1 photo ") && session.virtual.text.contains("reading…"))
      session.send(key)
      try session.expectExit(.exited(130))
      #expect(session.standardOutputBytes.isEmpty)
      #expect(session.isGivenBack)
    }

    @Test func `A photo from an endless writer can be picked`() throws {
      let lines = ["1.jpg", "gone.jpg", "./1.jpg", "2.jpg"].map { "\(path)/\($0)\n" }.joined()
      let session = try pick([], .endless(Array(lines.utf8)))
      try session.waitForGrid(2)
      try session.waitUntil("megabytes to be read") { _ in session.inputTaken > 4 << 20 }
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(path)/1.jpg"])
      #expect(errors(of: session) == "tpick: \(path)/gone.jpg: No such file or directory\n")
    }

    @Test func `An endless line uses no memory, and the picker can be left at once`() throws {
      let session = try pick([], .endless(Array(repeating: UInt8(ascii: "x"), count: 1000)))
      try session.waitForText("Reading the library…")
      try session.waitUntil("megabytes to be read") { _ in session.inputTaken > 4 << 20 }
      session.send("q")
      try session.expectExit(.exited(130))
    }

    // MARK: Unusable input

    @Test func `NUL bytes end the picker with a message that names the option`() throws {
      let session = try pick()
      feed(["1.jpg"], to: session)
      try session.waitForGrid(1)
      session.feed(bytes: Array("\(path)/2.jpg".utf8) + [0])
      try session.expectExit(.exited(64))
      #expect(errors(of: session).hasPrefix("tpick: standard input: contains NUL bytes; use --read0"))
      #expect(session.standardOutputBytes.isEmpty)
      #expect(session.isGivenBack)
      let separated = try pick(["--read0"])
      separated.feed(bytes: Array("\(path)/1.jpg".utf8) + [0] + Array("\(path)/2.jpg".utf8))
      separated.endInput()
      try separated.waitForGrid(2)
      separated.press(.enter)
      try separated.expectExit(.exited(0))
    }

    @Test func `If no path exists the picker ends with the same error as without a screen`() throws {
      let session = try pick()
      try session.waitForText("Reading the library…")
      feed(["gone", "went"], to: session)
      session.endInput()
      try session.expectExit(.exited(2))
      #expect(
        errors(of: session) == """
          tpick: \(path)/gone: No such file or directory
          tpick: \(path)/went: No such file or directory

          """)
      #expect(session.isGivenBack)
    }

    @Test(arguments: [true, false])
    func `Missing files and other formats are summarized at the end`(isPicked: Bool) throws {
      for number in 1...4 { try folder.write(Array("words".utf8), to: "\(number).txt") }
      let session = try pick()
      feed((1...5).map { "gone\($0)" } + (1...4).map { "\($0).txt" } + ["1.jpg", "gone1"], to: session)
      session.endInput()
      try session.waitForGrid(1)
      try session.waitForNoText("reading…")
      session.send(isPicked ? "\r" : "q")
      try session.expectExit(.exited(isPicked ? 0 : 130))
      let gone = "tpick: 5 files: No such file or directory (--verbose names them)\n"
      let skipped = "tpick: 4 files: not a picture or video (--verbose names them)\n"
      #expect(errors(of: session) == (isPicked ? gone + skipped : gone))
    }

    @Test func `An unreadable input is an error`() throws {
      let closed = try TerminalSession(
        "/bin/sh", ["-c", "exec \(Program.path) - <&-"], environment: Program.environment())
      try closed.expectExit(.exited(2))
      #expect(errors(of: closed) == "tpick: standard input: Bad file descriptor\n")
      let folder = try TerminalSession(
        "/bin/sh", ["-c", "exec \(Program.path) - </"], environment: Program.environment())
      try folder.expectExit(.exited(2))
      #expect(errors(of: folder) == "tpick: standard input: Is a directory\n")
      #expect(folder.isGivenBack)
    }

    @Test func `Typed paths are read before the screen is opened`() throws {
      let session = try pick([], .terminal)
      session.send("\(path)/1.jpg\n")
      try session.waitForText("1.jpg")
      session.pressControl("d")
      try session.waitForGrid(1)
      session.press(.enter)
      try session.expectExit(.exited(0))
    }

    // MARK: Options

    @Test func `Options that need the complete input wait for it without a screen`() throws {
      let one = try pick(["--select-1", "--exit-0"])
      feed(["2.jpg"], to: one)
      one.endInput()
      try one.expectExit(.exited(0))
      #expect(one.outputLines == ["\(path)/2.jpg"])
      #expect(one.bytesWritten == 0)
      let none = try pick(["--exit-0"])
      none.endInput()
      try none.expectExit(.exited(1))
      let refused = try pick(["--select-1"])
      refused.feed(bytes: Array("\(path)/1.jpg".utf8) + [0])
      try refused.expectExit(.exited(64))
      #expect(refused.bytesWritten == 0)
    }

    @Test func `The input order is kept`() throws {
      let session = try pick(["--sort", "given", "-n0"])
      feed(["3.jpg", "1.jpg"], to: session)
      try session.waitForGrid(2)
      feed(["2.jpg"], to: session)
      session.endInput()
      try session.waitForGrid(3)
      session.send("a")
      try session.waitForText("3 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["3.jpg", "1.jpg", "2.jpg"].map { "\(path)/\($0)" })
    }

    @Test func `Preselected and allowed photos are searched for in the complete input`() throws {
      let session = try pick(["-n0", "--preselect", "\(path)/2.jpg"])
      feed(["1.jpg", "2.jpg"], to: session)
      session.endInput()
      try session.waitForPick(1, onTile: 1)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(path)/2.jpg"])
      let limited = try pick(["--authorize", "limited", "--allow", "\(path)/3.jpg"])
      feed(["1.jpg", "2.jpg", "3.jpg"], to: limited)
      limited.endInput()
      try limited.waitForGrid(1)
      limited.press(.enter)
      try limited.expectExit(.exited(0))
      #expect(limited.outputLines == ["\(path)/3.jpg"])
    }

    @Test func `Folders and other sources can be combined with the input`() throws {
      try Photos.write(2, to: folder)
      try folder.write(try TestPhoto(width: 40, height: 30, date: .day(1)).bytes(), to: "in/deep/4.jpg")
      let session = try Program.pick(["-n0", "\(path)/3.jpg", "-"], standardInput: .open)
      try session.waitForGrid(1)
      feed(["in", "2.jpg"], to: session)
      try session.waitForGrid(3)
      session.endInput()
      try session.waitForNoText("reading…")
      session.send("a")
      try session.waitForText("3 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(Set(session.outputLines) == Set(["3.jpg", "2.jpg", "in/deep/4.jpg"].map { "\(path)/\($0)" }))
    }
  }
}
