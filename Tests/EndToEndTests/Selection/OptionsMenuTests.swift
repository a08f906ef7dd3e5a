import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// The menu with the representations of the result.
  @Suite struct OptionsMenuTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      for number in 1...12 {
        try folder.write(
          try TestPhoto(width: 64, height: 48, date: .day(40 - number)).bytes(), to: "\(number).jpg")
      }
    }

    @Test(arguments: [
      (TerminalProfile.sixel, true, 120, 40), (.kitty, true, 80, 24), (.trueColor, false, 200, 60),
      (.sixel, true, 50, 30),
    ])
    func `It is shown beside the photos, and the status line shows the choice`(
      profile: TerminalProfile, hasPictures: Bool, columns: Int, rows: Int
    ) throws {
      let session = try Program.pick(
        ["-n", "0", "--sort", "name"], in: folder, columns: columns, rows: rows, profile: profile)
      try session.waitForText("12 photos")
      session.press(.space)
      try session.waitForText("1 picked")
      session.send("O")
      try session.waitForText("✓ converted if needed")
      if hasPictures {
        try session.waitUntil("pictures beside the menu") {
          $0.text.contains("Options  Type to filter") && $0.pictureAreas.count > 1
        }
      }
      session.press(.down)
      session.press(.space)
      try session.waitForText("✓ JPEG and MP4")
      try session.waitForText("· as JPEG")
      session.send("locat")
      try session.waitForNoText("JPEG and MP4")
      session.press(.space)
      try session.waitForText("as JPEG, w")
      try session.waitForText("picked · ≈")
      session.press(.escape)
      try session.waitForText("JPEG and MP4")
      session.press(.backspace)
      try session.waitForNoText("as JPEG")
      session.press(.escape)
      try session.waitForNoText("converted if needed")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/1.jpg"])
      #expect(session.isGivenBack)
    }

    @Test func `It is disabled with the other actions on the selection`() throws {
      let session = try Program.pick(["--disable", "actions"], in: folder)
      try session.waitForLibrary("12 photos")
      session.send("O")
      try session.waitForText("Options are disabled")
      session.press(.escape)
      try session.expectExit(.exited(130))
    }
  }
}
