import Fixtures
import Pixels
import TestTerminal
import Testing

extension EndToEnd {
  /// Zooming into a photo in full screen, with keys and the mouse.
  @Suite struct ZoomTests {
    private func open(_ photo: TestPhoto, profile: TerminalProfile = .sixel) throws -> TerminalSession {
      let folder = try TemporaryFolder()
      try folder.write(try photo.bytes(), to: "a.jpg")
      let session = try Program.pick([], in: folder, profile: profile)
      try session.waitForText("1 photo ")
      session.send("o")
      try session.waitUntil("the photo alone") { !$0.text.contains("Albums") && $0.text.contains("info") }
      return session
    }

    /// The middle of the only picture on the screen.
    private func middle(_ screen: VirtualTerminal) -> TestPicture.Corner? {
      guard screen.pictures.count == 1, let picture = screen.pictures.first else { return nil }
      let index = 3 * (picture.pixelHeight / 2 * picture.pixelWidth + picture.pixelWidth / 2)
      let rgb = Array(picture.rgb[index..<index + 3])
      return TestPicture.Corner(of: Color(red: rgb[0], green: rgb[1], blue: rgb[2]))
    }

    @Test func `Arrows, the wheel and the mouse reach every corner`() throws {
      let session = try open(TestPhoto(width: 1600, height: 1200, orientation: .rightTop))
      session.send("z")
      try session.waitForText("100%")
      session.press(.left, times: 15)
      session.press(.up, times: 15)
      try session.waitUntil("the upper left") { middle($0) == .topLeft }
      session.press(.right, times: 30)
      try session.waitUntil("the upper right") { middle($0) == .topRight }
      for _ in 0..<4 {
        // Held at the bottom and dragged to the top.
        session.mouse(0, row: 35, column: 59)
        session.mouse(32, row: 3, column: 59)
        session.mouse(0, row: 3, column: 59, isRelease: true)
      }
      try session.waitUntil("the lower right") { middle($0) == .bottomRight }
      session.send("z")
      try session.waitUntil("all of it") { screen in
        !screen.text.contains("100%") && screen.pictures.first.map(Corners.areUpright) ?? false
      }
      for _ in 0..<5 { session.click(row: 33, column: 25, button: 64 + 16) }
      try session.waitUntil("the lower left") {
        $0.text.contains("200%") && middle($0) == .bottomLeft
      }
      session.press(.escape)
      try session.waitForNoText("200%")
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack)
    }

    @Test func `A pixel of the photo is a pixel of the screen`() throws {
      let scene = TestScene.make(PixelSize(width: 901, height: 703))
      var photo = TestPhoto(scene)
      photo.quality = 100
      let session = try open(photo)
      session.send("z")
      try session.waitUntil("the part") {
        $0.text.contains("100%") && $0.pictures.first?.pixelWidth == 600
      }
      // Not a coarse picture that comes first.
      try session.waitForIdle()
      let shown = try #require(session.virtual.pictures.first)
      let size = PixelSize(width: shown.pixelWidth, height: shown.pixelHeight)
      let rgb = shown.rgb
      func error(_ x: Int, _ y: Int) -> Double {
        let expected = scene.cropped(x: x, y: y, to: size)
        var error = 0
        for index in 0..<size.area {
          for channel in 0..<3 {
            error += abs(Int(expected.bytes[index * 4 + channel]) - Int(rgb[index * 3 + channel]))
          }
        }
        return Double(error) / Double(size.area * 3)
      }
      // The center, rounded to whole pixels. The remaining error is the palette's; shifted by one pixel the texture
      // would differ everywhere.
      let here = error(151, 163)
      #expect(here < 5)
      for (x, y) in [(150, 163), (152, 163), (151, 162), (151, 164)] { #expect(error(x, y) > here * 1.2) }
    }

    @Test func `With blocks it is the same`() throws {
      let session = try open(TestPhoto(width: 1600, height: 1200), profile: .trueColor)
      session.send("z++")
      try session.waitForText("200%")
      session.send("--------")
      try session.waitForNoText("%")
      session.send("o")
      try session.waitForText("Albums")
      session.send("q")
      try session.expectExit(.exited(130))
    }
  }
}
