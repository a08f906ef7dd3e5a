import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// The terminal is restored, whatever happens.
  @Suite struct TerminalTests {
    /// How often the program has sent a sequence.
    private static func count(_ sequence: String, in session: TerminalSession) -> Int {
      session.rawOutput.split(separator: Array(sequence.utf8), omittingEmptySubsequences: false).count - 1
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func `A terminating signal restores the terminal`(number: Int32) throws {
      let folder = try Photos.folder(2)
      let session = try Program.pick(["--limit", "2"], in: folder)
      try session.waitForGrid(2)
      session.press(.space)
      try session.waitForText("1 of 2 picked")
      session.signal(number)
      try session.expectExit(.signalled(number))
      #expect(session.isGivenBack)
      #expect(session.virtual.pictures.isEmpty)
      #expect(session.standardOutputBytes.isEmpty)
    }

    @Test(arguments: [TerminalProfile.sixel, .kitty, .trueColor])
    func `The window title follows the picks and is restored`(profile: TerminalProfile) throws {
      let folder = try Photos.folder(3)
      let session = try Program.pick(["--limit", "3"], in: folder, profile: profile)
      try session.waitUntil("the album's title") { $0.title == "Recents - tpick" }
      try session.waitForCursor(on: "1.jpg")
      session.press(.space)
      try session.waitUntil("the photo's name") { $0.title == "1.jpg - tpick" }
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.space)
      try session.waitUntil("their number") { $0.title == "1.jpg and 1 more - tpick" }
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.virtual.title.isEmpty)
      #expect(session.isGivenBack)
    }

    @Test func `A terminal that can't restore its title keeps it`() throws {
      let folder = try Photos.folder(2)
      let session = try TerminalSession(
        "/usr/bin/env", ["TERM=vt220", Program.path, folder.path], environment: Program.environment(),
        profile: .trueColor, owning: [folder])
      try session.waitForLibrary("2 photos")
      session.press(.space)
      try session.waitForText("1 of 1 picked")
      #expect(session.virtual.title.isEmpty)
      session.press(.escape)
      try session.waitForText("Esc again")
      session.press(.escape)
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack)
    }

    /// Runs the picker where ncurses knows only the terminals of Debian's ncurses-base.
    /// - Parameter term: nil = TERM is not set.
    private func pick(
      term: String?, in folder: TemporaryFolder, profile: TerminalProfile = .kitty,
      state: TemporaryFolder? = nil
    ) throws -> TerminalSession {
      let variables = term.map { ["TERM=\($0)"] } ?? ["-u", "TERM"]
      let bare = [
        "bwrap", "--dev-bind", "/", "/", "--tmpfs", "/usr/share/terminfo", "--tmpfs", "/usr/lib/terminfo",
      ]
      return try TerminalSession(
        "/usr/bin/env", variables + bare + [Program.path, folder.path],
        environment: Program.environment(state.map { ["XDG_STATE_HOME": $0.path] } ?? [:]), profile: profile,
        cell: (5, 10), owning: [folder])
    }

    @Test(
      arguments: [
        "xterm-ghostty", "foot", "wezterm", "rio", "alacritty", "xterm-kitty", "contour", "st-256color", "",
        nil,
      ] as [String?])
    func `A terminal without terminfo entry is used as xterm, which is reported once`(
      term: String?
    )
      throws
    {
      let folder = try Photos.folder(3)
      let state = try TemporaryFolder()
      for run in 1...2 {
        let session = try pick(term: term, in: folder, state: state)
        if run == 1 {
          let name = term.flatMap { $0.isEmpty ? nil : $0 }
          try session.waitForText(
            (name.map { "TERM=\($0) is unknown" } ?? "TERM is not set")
              + ": the terminal is used as xterm-256color")
          session.press(.right)
        } else {
          try session.waitForText("0 of 1 picked")
          #expect(!session.virtual.text.contains("xterm-256color"))
          session.press(.right)
        }
        try session.waitForCursor(on: "2.jpg")
        try session.waitUntil("the pictures") { $0.pictureAreas.count >= 3 }
        session.press(.enter)
        try session.expectExit(.exited(0))
        #expect(session.outputLines == ["\(folder.path)/2.jpg"])
        #expect(session.isGivenBack && session.virtual.title.isEmpty)
        #expect(session.takeUnreadInput().isEmpty)
      }
    }

    @Test func `An unknown terminal that does not answer is refused, with a remedy`() throws {
      let folder = try Photos.folder(1)
      var silent = TerminalProfile.trueColor
      silent.answersQueries = false
      let session = try pick(term: "zutty", in: folder, profile: silent)
      try session.expectExit(.exited(2))
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("terminal 'zutty': not known to ncurses"))
      #expect(errors.contains("TERM=xterm-256color"))
      #expect(session.isGivenBack)
    }

    @Test(arguments: [SIGSEGV, SIGABRT])
    func `A crash restores the terminal`(number: Int32) throws {
      let folder = try Photos.folder(2)
      let session = try Program.pick([], in: folder)
      try session.waitForGrid(2)
      session.signal(number)
      try session.expectExit(.signalled(number))
      #expect(session.isGivenBack)
      #expect(session.virtual.title.isEmpty)
    }

    @Test func `Suspended and resumed it continues where it was`() throws {
      let folder = try Photos.folder(3)
      let session = try TerminalSession(
        "/bin/bash", ["-m", "-c", "'\(Program.path)' '\(folder.path)'; echo status $?; fg; echo again $?"],
        environment: Program.environment(), standardOutput: .terminal, standardError: .terminal,
        owning: [folder])
      try session.waitForGrid(3)
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      try session.waitForIdle()
      session.pressControl("z")
      // The shell stops and resumes the job at once: its messages are on its screen. What is typed before that is lost.
      try session.waitUntil("the picker again") { screen in
        Self.count("\u{1B}[?1049h", in: session) == 2 && screen.altScreenActive && screen.pictures.count >= 2
      }
      try session.waitForCursor(on: "2.jpg")
      session.press(.enter)
      try session.waitForText("again 0")
      #expect(session.virtual.text.contains("status 148"))
      #expect(session.virtual.text.contains("2.jpg"))
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack)
    }

    @Test func `Late answers are no keys`() throws {
      let folder = try Photos.folder(3)
      var light = TerminalProfile.sixel
      light.background = TerminalRGB(0xFF, 0xFF, 0xFF)
      let session = try TerminalSession(
        Program.path, [folder.path], environment: Program.environment(), profile: light, owning: [folder])
      session.holdAnswers = true
      // Without an answer the picker continues with blocks.
      try session.waitForText("3 photos", timeout: 90)
      #expect(session.virtual.pictureHistory.isEmpty)
      session.releaseAnswers()
      // They are used when they arrive: pictures replace blocks, and the colors fit the terminal's background.
      try session.waitUntil("pictures") { $0.pictures.count >= 3 }
      try session.waitForText("Esc leave")
      let hint = try #require(session.virtual.find("Esc leave"))
      #expect(session.virtual.cell(row: hint.row, column: hint.column).foreground == .indexed(4))
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/2.jpg"])
      #expect(session.takeUnreadInput().isEmpty)
    }

    @Test func `The frame of a pick has the terminal's color of its mark`() throws {
      let folder = try Photos.folder(3)
      var own = TerminalProfile.trueColor
      own.palette = [6: TerminalRGB(73, 165, 244)]
      let session = try Program.pick(["--limit", "3"], in: folder, profile: own)
      session.press(.space)
      try session.waitForText("1 of 3 picked")
      // Its left and right side, a row above the mark, which moves once the albums are listed.
      try session.waitUntil("a mark and a frame of that color") { screen in
        guard let mark = screen.find(" 1 "),
          screen.cell(row: mark.row, column: mark.column + 1).foreground == .indexed(6)
        else { return false }
        let image = screen.image(
          TerminalRectangle(row: 0, column: 0, rows: screen.rows, columns: screen.columns))
        // The width of the tile depends on the albums' names.
        let sides = (0..<screen.columns).filter { column in
          image.color(x: column, y: mark.row * 2 - 2) == TerminalRGB(73, 165, 244)
        }
        return sides.contains(mark.column + 2) && sides.contains { $0 < mark.column - 4 }
      }
      session.press(.enter)
      try session.expectExit(.exited(0))
    }

    @Test func `Blocks are explained in the first run only; Ctrl-L queries the terminal again`() throws {
      let folder = try Photos.folder(3)
      let state = try TemporaryFolder()
      for run in 1...2 {
        let session = try Program.pick(
          [], in: folder, profile: .trueColor, environment: ["XDG_STATE_HOME": state.path])
        if run == 1 {
          try session.waitForText("Pictures are drawn as blocks: the terminal confirmed nothing better")
          session.press(.right)
        }
        try session.waitForText("0 of 1 picked")
        #expect(!session.virtual.text.contains("drawn as blocks"))
        session.virtual.become(.sixel)
        session.send("\u{0C}")
        try session.waitUntil("pictures") { $0.pictures.count >= 3 }
        session.press(.enter)
        try session.expectExit(.exited(0))
        #expect(session.takeUnreadInput().isEmpty)
      }
    }

    @Test func `The link speed is remembered for the terminal's session`() throws {
      let folder = try Photos.folder(3)
      let runtime = try TemporaryFolder()
      // Over a network the first text is followed by a query. A shell has the terminal, as usual.
      let session = try TerminalSession(
        "/bin/sh", ["-c", "\"$0\" \"$1\" && true", Program.path, folder.path],
        environment: Program.environment([
          "XDG_RUNTIME_DIR": runtime.path, "SSH_CONNECTION": "::1 1 ::1 22", "TPICK_LINK": "",
        ]), cell: (5, 10), owning: [folder])
      try session.waitForGrid(3)
      try session.waitForIdle()
      session.send("o")
      try session.waitForIdle()
      session.press(.enter)
      try session.expectExit(.exited(0))
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(runtime.path)/tpick")
      #expect(names.count == 1)
      for name in names {
        #expect(name.hasPrefix("link-\(session.processIdentifier)-"))
        let text = try String(contentsOfFile: "\(runtime.path)/tpick/\(name)", encoding: .utf8)
        #expect(Double(text.dropLast()).map { $0 > 0 } ?? false)
      }
    }

    @Test func `Records of ended sessions are removed, and nothing else`() throws {
      let folder = try Photos.folder(1)
      let runtime = try TemporaryFolder()
      let stat = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
      let began = try #require(
        stat.split(separator: ")").last?.split(separator: " ").dropFirst(19).first.map(String.init))
      // No process has this number: the kernel assigns none above 4194304.
      let stale = ["link-4194304-17", "link-\(getpid())-1"]
      let kept = ["link-\(getpid())-\(began)", "link-x", "link-1", "other-4194304-17"]
      for name in stale + kept { try runtime.write(Array("5000\n".utf8), to: "tpick/\(name)") }
      let session = try Program.pick(
        [], in: folder, environment: ["XDG_RUNTIME_DIR": runtime.path, "SSH_CONNECTION": "::1 1 ::1 22"])
      try session.waitForGrid(1)
      try session.waitForIdle()
      session.send("q")
      try session.expectExit(.exited(130))
      // The session was the picker's own, so nothing needs to be remembered.
      #expect(
        try Set(FileManager.default.contentsOfDirectory(atPath: "\(runtime.path)/tpick")) == Set(kept))
    }

    @Test func `Stopped and continued from outside it redraws the screen`() throws {
      let folder = try Photos.folder(3)
      let session = try Program.pick([], in: folder)
      try session.waitForGrid(3)
      // More were drawn than are visible if the albums were found late, and then they may move now.
      let (visible, drawn) = (session.virtual.pictures.count, session.virtual.pictureHistory.count)
      // A shell would have set its own terminal modes meanwhile.
      session.signal(SIGSTOP)
      session.signal(SIGCONT)
      try session.waitUntil("the pictures again") { screen in
        screen.pictures.count == visible && screen.pictures.allSatisfy { $0.serial > drawn }
      }
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      #expect(!session.echoes)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack)
    }

    @Test func `Suspended twice it resumes twice, and a crash then restores the terminal`() throws {
      let folder = try Photos.folder(3)
      let session = try Program.pick([], in: folder)
      try session.waitForGrid(3)
      for round in 1...2 {
        // No shell watches its group: the kernel does not stop it, so it resumes at once.
        session.signal(SIGTSTP)
        try session.waitUntil("the screen to be left, \(round)") { _ in
          Self.count("\u{1B}[?1049l", in: session) == round
        }
        try session.waitForGrid(3)
        try session.waitForIdle()
      }
      session.signal(SIGSEGV)
      try session.expectExit(.signalled(SIGSEGV))
      #expect(session.isGivenBack)
    }

    /// Acts as a shell: runs a program in a group of its own, which has the terminal until SIGUSR1, and again from
    /// SIGUSR2 on.
    private static let shell = """
      import os, signal, sys
      numbers = {signal.SIGUSR1, signal.SIGUSR2, signal.SIGCHLD}
      signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
      signal.signal(signal.SIGTTOU, signal.SIG_IGN)
      child = os.fork()
      if child == 0:
          os.setpgid(0, 0)
          os.tcsetpgrp(0, os.getpgrp())
          signal.signal(signal.SIGTTOU, signal.SIG_DFL)
          signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
          os.execv(sys.argv[1], sys.argv[1:])
      while True:
          number = signal.sigwait(numbers)
          if number == signal.SIGCHLD:
              ended, status = os.waitpid(child, os.WNOHANG)
              if ended: sys.exit(os.waitstatus_to_exitcode(status))
          else:
              os.tcsetpgrp(0, os.getpgrp() if number == signal.SIGUSR1 else child)
      """

    @Test func `A key pressed while another group has the terminal waits for the picker, which stays`() throws
    {
      let folder = try Photos.folder(3)
      let session = try TerminalSession(
        "/usr/bin/env", [Program.python, "-c", Self.shell, Program.path, folder.path],
        environment: Program.environment(), columns: 120, rows: 40, profile: .sixel, cell: (5, 10),
        owning: [folder])
      try session.waitForGrid(3)
      let children = "/proc/\(session.processIdentifier)/task/\(session.processIdentifier)/children"
      let picker = try String(contentsOfFile: children, encoding: .utf8).split(separator: " ").first
      let process = "/proc/\(try #require(picker))"
      /// The terminal's foreground group: the field after the program's name, its state, and four other numbers.
      func foreground() throws -> Substring {
        let facts = try String(contentsOfFile: "\(process)/stat", encoding: .utf8).split(separator: ")")
        return try #require(facts.last).split(separator: " ")[5]
      }
      /// How often the picker has tried to read, with or without success.
      func reads() throws -> Int {
        let facts = try String(contentsOfFile: "\(process)/io", encoding: .utf8).split(separator: "\n")
        let line = try #require(facts.first { $0.hasPrefix("syscr: ") })
        return try #require(Int(line.dropFirst(7)))
      }
      session.signal(SIGUSR1)
      try session.waitUntil("the terminal to be another group's") { _ in
        try foreground() == "\(session.processIdentifier)"
      }
      let before = try reads()
      session.press(.enter)
      // It may not read the key, and keeps trying.
      try session.waitUntil("the picker to ask in vain") { _ in try reads() >= before + 5 }
      #expect(session.exitStatus == nil)
      session.signal(SIGUSR2)
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack && session.outputLines.count == 1)
    }

    @Test func `After a resize the cell size is queried again, if it was answered before`() throws {
      let folder = try Photos.folder(2)
      for tellsSize in [true, false] {
        var profile = TerminalProfile.sixel
        profile.reportsPixelSizes = tellsSize
        let session = try Program.pick([], in: folder, profile: profile)
        try session.waitForGrid(2)
        session.resize(columns: 110, rows: 38)
        try session.waitForIdle()  // the signal is handled
        #expect(Self.count("\u{1B}[16t", in: session) == (tellsSize ? 2 : 1))
      }
    }

    /// Files and memory that a local program passes and no terminal has taken.
    private static func handedOver(by session: TerminalSession) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
        .filter { $0.hasPrefix("tpick-\(session.processIdentifier)-") }
    }

    @Test func `Pictures that the terminal has not taken are removed with the program`() throws {
      let folder = try Photos.folder(2)
      let session = try Program.pick([], in: folder, profile: .kitty)
      try session.waitForGrid(2)
      try session.waitForIdle()
      session.takesOutput = false
      session.press(.right)
      try session.waitUntil("a picture") { _ in try !Self.handedOver(by: session).isEmpty }
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(try Self.handedOver(by: session).isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `A terminating signal during the queries restores the terminal`(number: Int32) throws {
      let folder = try Photos.folder(1)
      let session = try Program.pick([], in: folder)
      session.holdAnswers = true
      try session.waitUntil("the questions") { _ in session.heldAnswerCount > 0 }
      session.signal(number)
      try session.expectExit(.signalled(number))
      #expect(session.isGivenBack)
    }

    @Test(arguments: [SIGWINCH, SIGCONT, SIGTSTP])
    func `Non-terminating signals do not interrupt the queries`(number: Int32) throws {
      let folder = try Photos.folder(3)
      // Over SSH answers are waited for longer: the test has seconds, not one.
      let session = try Program.pick([], in: folder, environment: ["SSH_TTY": "/dev/pts/0"])
      session.holdAnswers = true
      try session.waitUntil("the questions") { _ in session.heldAnswerCount > 0 }
      if number == SIGWINCH { session.resize(columns: 110, rows: 38) } else { session.signal(number) }
      try session.waitForIdle()  // the signal is handled
      session.releaseAnswers()
      try session.waitForGrid(3)
      #expect(!session.virtual.pictures.isEmpty)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack)
    }

    @Test func `Keys pressed during the queries count`() throws {
      let folder = try Photos.folder(1)
      let session = try Program.pick([], in: folder)
      session.holdAnswers = true
      try session.waitUntil("the questions") { _ in session.heldAnswerCount > 0 }
      session.pressControl("c")
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack)
    }

    @Test func `Escape pressed last during the queries counts`() throws {
      let folder = try Photos.folder(1)
      let session = try Program.pick([], in: folder)
      session.holdAnswers = true
      try session.waitUntil("the questions") { _ in session.heldAnswerCount > 0 }
      session.send("\u{1B}")
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack)
    }

    @Test func `A terminal that can't position text is refused`() throws {
      let folder = try Photos.folder(1)
      let session = try Program.pick([], in: folder, environment: ["TERM": "dumb"])
      try session.expectExit(.exited(2))
      #expect(session.isGivenBack)
    }

    @Test(arguments: [
      ([String](), "in scripts tpick list"),
      (["access", "select", "--client", "x"], "in scripts tpick access grant"),
      (["run", "--", "true"], "in scripts --authorize limited"), (["show", "--probe"], "show --probe: "),
    ])
    func `Without a terminal the message says so, and what helps`(arguments: [String], words: String) throws {
      let folder = try Photos.folder(1)
      let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
      let sources = arguments.contains("show") ? [] : [folder.path]
      // setsid detaches from the controlling terminal.
      let session = try TerminalSession(
        "/usr/bin/setsid", ["--wait", Program.path] + arguments[..<end] + sources + arguments[end...],
        environment: Program.environment(), standardInput: .null, owning: [folder])
      try session.expectExit(.exited(2))
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("no terminal") && errors.contains("over SSH use ssh -t"))
      #expect(errors.contains(words))
    }

    @Test(arguments: [(20, 6), (39, 9), (40, 10), (60, 20), (80, 24), (200, 60)])
    func `A window of any size works`(columns: Int, rows: Int) throws {
      let folder = try Photos.folder(3)
      let session = try Program.pick([], in: folder, columns: columns, rows: rows)
      try session.waitForText(columns < 40 ? "0 of 1 ·" : "of 1 picked ·")
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      #expect(session.virtual.scrollCount == 0)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/2.jpg"])
    }

    @Test(arguments: [(1, 1), (10, 3), (19, 5), (100, 3)])
    func `A window that is too small says so and can be left with q`(columns: Int, rows: Int) throws {
      let folder = try Photos.folder(3)
      let session = try Program.pick([], in: folder, columns: columns, rows: rows)
      try session.waitUntil("the words") {
        $0.altScreenActive && ["t", "n", "2", "…"].contains($0.line(0).prefix(1))
      }
      #expect(session.virtual.pictures.isEmpty)
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack)
    }
  }
}
