import Fixtures
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  @Suite struct AuthorizationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `list respects the simulated access state`() throws {
      try Photos.write(3, to: folder)
      for state in ["denied", "restricted", "notDetermined", "not-determined"] {
        let result = try Program.run(["list", "--authorize", state, folder.path])
        #expect(result.status == .exited(77), "\(state)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("access"))
      }
      let allowed = try Program.run(
        ["list", "--authorize", "limited", "--allow", "\(folder.path)/2.jpg", folder.path])
      #expect(allowed.lines == ["\(folder.path)/2.jpg"])
      #expect(try Program.run(["list", "--authorize", "limited", folder.path]).status == .exited(1))
      #expect(try Program.run(["list", "--authorize", "authorized", folder.path]).lines.count == 3)
      let everything = try Program.run(
        ["list", "--authorize", "limited", "--allow", folder.path, folder.path])
      #expect(everything.lines.count == 3)
      let stranger = try Program.run(
        ["list", "--authorize", "limited", "--allow", "/etc/hostname", folder.path])
      #expect(stranger.status == .exited(2))
      #expect(stranger.errors.contains("/etc/hostname"))
    }

    @Test func `Allowing a folder includes its hidden photos`() throws {
      try Photos.write(1, to: folder)
      try folder.rename("1.jpg", to: ".hidden.jpg")
      try Photos.write(1, to: folder)
      let result = try Program.run(
        ["list", "--filter", "hidden", "--authorize", "limited", "--allow", folder.path, folder.path])
      #expect(result.lines == ["\(folder.path)/.hidden.jpg"])
    }

    @Test(arguments: ["denied", "restricted"])
    func `A refusal is explained`(state: String) throws {
      try Photos.write(1, to: folder)
      let session = try Program.pick(["--authorize", state], in: folder)
      try session.waitForText(state == "denied" ? "Access was denied" : "restricted")
      #expect(session.virtual.pictures.isEmpty)
      session.press(.escape)
      try session.expectExit(.exited(77))
      #expect(session.isGivenBack)
    }

    @Test func `Limited access is chosen in an opening picker`() throws {
      // The photos are in a nested album.
      let photo = try TestPhoto(width: 200, height: 150, date: .day(1)).bytes()
      for number in 1...6 { try folder.write(photo, to: "trip/beach/\(number).jpg") }
      let session = try Program.pick(["--authorize", "limited", "--sort", "name"], in: folder)
      try session.waitForText("Choose the photos that tpick may see")
      try session.waitForGrid(6)
      for _ in 0..<3 {
        session.press(.space)
        session.press(.right)
      }
      try session.waitForText("3 allowed")
      session.press(.enter)
      try session.waitForText("Limited access · 3 of 6 photos · m to choose others")
      try session.waitForGrid(3)
      #expect(!session.virtual.text.contains("4.jpg"))
      // The user's own albums are hidden under limited access.
      try session.waitForText("Recents")
      #expect(!session.virtual.text.contains("trip") && !session.virtual.text.contains("beach"))
      session.press(.end)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/trip/beach/3.jpg"])
    }

    @Test func `Full access shows the user's own albums`() throws {
      try folder.write(try TestPhoto(width: 200, height: 150).bytes(), to: "trip/beach/1.jpg")
      let session = try Program.pick([], in: folder)
      try session.waitForGrid(1)
      try session.waitUntil("the albums") { $0.text.contains("trip") && $0.text.contains("beach") }
      try session.waitForLibrary()
      session.press(.escape)
      try session.expectExit(.exited(130))
    }

    @Test(arguments: [
      ("limited", "Choose the photos that tpick may see"), ("notDetermined", "would like to see your photos"),
      ("denied", "Access was denied"),
    ])
    func `--select-1 and --exit-0 wait until access is decided`(
      state: String, words: String
    ) throws {
      try Photos.write(1, to: folder)
      let session = try Program.pick(["--authorize", state, "--select-1", "--exit-0"], in: folder)
      try session.waitForText(words)
      session.signal(SIGTERM)
      try session.expectExit(.signalled(SIGTERM))
      #expect(session.standardOutputBytes.isEmpty)
    }

    @Test func `With --select-1 the only allowed photo is used without a screen`() throws {
      try Photos.write(3, to: folder)
      let allowed = ["--authorize", "limited", "--allow", "\(folder.path)/2.jpg", "--select-1", folder.path]
      let result = try Program.run(allowed)
      #expect(result.status == .exited(0))
      #expect(result.lines == ["\(folder.path)/2.jpg"])
    }

    @Test func `An empty choice can be changed`() throws {
      try Photos.write(2, to: folder)
      let session = try Program.pick(["--authorize", "limited"], in: folder)
      try session.waitForGrid(2)
      session.press(.enter)
      try session.waitForText("No photos allowed yet")
      session.send("m")
      try session.waitForText("Choose the photos that tpick may see")
      try session.waitForGrid(2)
      session.press(.space)
      session.press(.enter)
      try session.waitForText("1 of 2 photos")
      session.send("q")
      try session.expectExit(.exited(130))
    }

    @Test func `The consent prompt shows the requester and the reason`() throws {
      try Photos.write(2, to: folder)
      let session = try Program.pick(
        ["--authorize", "notDetermined", "--client", "mailer", "--purpose", "Attach photos"], in: folder)
      try session.waitForText("“mailer” would like to see your photos")
      try session.waitForText("“Attach photos”")
      for choice in ["Select Photos…", "Allow Full Access", "Don't Allow"] {
        #expect(session.virtual.text.contains(choice))
      }
      session.press(.up)
      session.press(.enter)
      try session.waitForGrid(2)
      #expect(!session.virtual.text.contains("Limited"))
      session.press(.enter)
      try session.expectExit(.exited(0))
    }

    @Test func `Denied consent ends with status 77`() throws {
      try Photos.write(1, to: folder)
      let session = try Program.pick(["--authorize", "notDetermined"], in: folder)
      try session.waitForText("Don't Allow")
      session.press(.enter)  // the safest answer is preselected
      try session.waitForText("may not see your photos")
      session.press(.enter)
      try session.expectExit(.exited(77))
      #expect(session.standardOutputBytes.isEmpty)
    }
  }
}
