import Fixtures
import Glibc
import TestScheduling
import TestTerminal
import Testing

extension EndToEnd {
  /// Random keys, mouse events, pastes and resizes, and invariants that must hold.
  @Suite struct RandomEventsTests {
    private static let limit = 3
    /// Every key except Ctrl-Z, which needs a shell; keys that leave the picker are pressed less often.
    private static let keys: [String] =
      "hjklgGpov/fsi+-m.?zebBacu<>r \u{2}\u{6}\u{C}\t123456789".map(String.init)
      + [SpecialKey.up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .delete, .backTab, .backspace]
      .map { $0.sequence(applicationCursorKeys: false) }
    private static let leavingKeys = ["\r", "\u{1B}", "q", "\u{3}", "\r", "\u{1B}", "\u{1B}", "\u{1B}"]

    private func folder(_ profile: TerminalProfile) throws -> TemporaryFolder {
      // If frames are sent in bands, only many bytes of pictures make several.
      let folder = try profile.synchronizedOutput ? Photos.folder(24) : Photos.detailed(24)
      try folder.write(Array("no picture".utf8), to: "broken.jpg")
      try folder.write(try TestPhoto(width: 40, height: 30, date: .day(2)).bytes(), to: "two\nlines.jpg")
      try folder.write(try TestPhoto(width: 40, height: 30, date: .day(3)).bytes(), to: "日本.jpg")
      return folder
    }

    private func start(
      _ folder: TemporaryFolder, _ profile: TerminalProfile, limited: Bool
    ) throws -> TerminalSession {
      let access = limited ? ["--authorize", "limited", "--allow", folder.path] : []
      let session = try Program.pick(
        ["--limit", "\(Self.limit)"] + access, in: folder, columns: 100, rows: 30, profile: profile)
      // Earlier input goes to the line discipline: it is echoed, and Ctrl-C is a signal.
      try session.waitUntil("the program has the terminal") { _ in !session.echoes }
      return session
    }

    @Test(
      arguments: [
        (TerminalProfile.sixel, 1), (.kitty, 2), (.iterm, 3), (.trueColor, 4), (.xterm, 5),
      ] as [(TerminalProfile, UInt64)])
    func `No sequence of events breaks the picker`(profile: TerminalProfile, seed: UInt64) throws {
      let folder = try folder(profile)
      var random = SeededGenerator(seed: seed)
      var session = try start(folder, profile, limited: seed == 2)
      // Output in transit while the window shrinks may scroll it, before everything is redrawn.
      var forgivenScrolls = 0
      var wasResized = false
      for step in 0..<TestSize.count(150, long: 5000) {
        let size = (session.virtual.columns, session.virtual.rows)
        try send(to: session, &random)
        wasResized = wasResized || size != (session.virtual.columns, session.virtual.rows)
        if step % 10 == 9 {
          try session.waitForIdle()
          // The new size may arrive after it was idle, and interrupted pictures are redrawn a moment later.
          try? session.waitUntil("whole pictures", timeout: 30) { screen in
            screen.pictures.allSatisfy { screen.damagedCells(of: $0).isEmpty }
          }
          try session.waitForIdle()
          if wasResized { forgivenScrolls = session.virtual.scrollCount }
          wasResized = false
          let faults = faults(of: session.virtual, forgivenScrolls: forgivenScrolls)
          #expect(faults.isEmpty, "seed \(seed), step \(step):\n\(session.virtual.text)")
          guard faults.isEmpty else { return }
        }
        guard session.exitStatus != nil else { continue }
        try expectGoodEnd(session, folder, "seed \(seed), step \(step)")
        session = try start(folder, profile, limited: seed == 2)
        forgivenScrolls = 0
      }
      session.resize(columns: 100, rows: 30)
      while session.exitStatus == nil {
        session.pressControl("c")
        try session.waitForIdle()
      }
      try expectGoodEnd(session, folder, "seed \(seed), the end")
    }

    private func send(to session: TerminalSession, _ random: inout SeededGenerator) throws {
      let (columns, rows) = (session.virtual.columns, session.virtual.rows)
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        session.resize(
          columns: Int.random(in: 1...160, using: &random), rows: Int.random(in: 1...50, using: &random))
      case 1..<10:
        let button = [0, 0, 0, 2, 16, 32, 32, 64, 65].randomElement(using: &random) ?? 0
        let column = Int.random(in: 1...columns, using: &random)
        let row = Int.random(in: 1...rows, using: &random)
        let isRelease = Int.random(in: 0..<3, using: &random) == 0
        session.mouse(button, row: row - 1, column: column - 1, isRelease: isRelease)
      case 10:
        let pastes = ["1", "type:", "a\nb", "日本", "\u{1B}[2J", "20241210", "before:2024-12"]
        session.paste(pastes.randomElement(using: &random) ?? "")
      case 11: session.send(Self.leavingKeys.randomElement(using: &random) ?? "q")
      default: session.send(Self.keys.randomElement(using: &random) ?? "j")
      }
      // Some arrive in a burst, some while the last one is handled, some when everything is done.
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try session.waitUntilRead()
      case 1: try session.waitForIdle()
      default: break
      }
    }

    /// The faults of the screen, as text.
    private func faults(of screen: VirtualTerminal, forgivenScrolls: Int) -> [String] {
      var faults: [String] = []
      for picture in screen.pictures {
        let cells = screen.damagedCells(of: picture)
        if !cells.isEmpty { faults.append("text over the picture in \(picture.area): \(cells)") }
      }
      if !screen.brokenSixels.isEmpty || screen.picturesNotUnderstood > 0 {
        faults.append("a broken picture")
      }
      // When the picker ends, pictures that the terminal has not read yet are removed from the shared memory.
      if screen.altScreenActive, !screen.kittyFaults.isEmpty {
        faults.append("kitty: \(screen.kittyFaults)")
      }
      // Input typed after the end is echoed, which may scroll the shell's screen.
      if screen.altScreenActive, screen.scrollCount > forgivenScrolls {
        faults.append("the terminal was scrolled")
      }
      for line in screen.text.split(separator: "\n") {
        guard let words = line.firstRange(of: " of \(Self.limit) picked") else { continue }
        let count = line[..<words.lowerBound].split(separator: " ").last.flatMap { Int($0) }
        if let count, count > Self.limit { faults.append("over the limit") }
        // Any number of photos may be allowed, only picks are limited.
        if screen.pictures.contains(where: { screen.marks(over: $0).contains { $0.contains(" 4 ") } }) {
          faults.append("a fourth pick")
        }
      }
      return faults
    }

    /// However it ended: status and output match, and the terminal is restored.
    private func expectGoodEnd(
      _ session: TerminalSession, _ folder: TemporaryFolder, _ place: Comment
    ) throws {
      let status = try session.waitForExit()
      #expect(session.isGivenBack, place)
      let lines = session.outputLines
      switch status {
      case .exited(0):
        #expect((1...Self.limit).contains(lines.count), place)
        #expect(Set(lines).count == lines.count, place)
        #expect(lines.allSatisfy { $0.hasPrefix(folder.path + "/") && $0.hasSuffix(".jpg") }, place)
      case .exited(1), .exited(130): #expect(lines.isEmpty, place)
      // A Ctrl-C that arrives when the terminal is restored already: the line discipline has echoed it.
      case .signalled(SIGINT): #expect(session.virtual.text.contains("^C"), place)
      default: Issue.record("\(place): ended with \(status)")
      }
    }
  }
}
