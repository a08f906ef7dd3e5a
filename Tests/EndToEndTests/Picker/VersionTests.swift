import Fixtures
import Pixels
import TestTerminal
import Testing

extension EndToEnd {
  /// The versions of a photo, and its histogram.
  @Suite struct VersionTests {
    private func middle(_ screen: VirtualTerminal) -> TestPicture.Corner? {
      guard screen.pictures.count == 1, let picture = screen.pictures.first else { return nil }
      let index = 3 * (picture.pixelHeight / 2 * picture.pixelWidth + picture.pixelWidth / 2)
      let rgb = Array(picture.rgb[index..<index + 3])
      return TestPicture.Corner(of: Color(red: rgb[0], green: rgb[1], blue: rgb[2]))
    }

    @Test func `The edited photo and the original are shown with their histograms`() throws {
      let folder = try TemporaryFolder()
      let size = PixelSize(width: 400, height: 300)
      for (name, corner) in [("IMG_0001.JPG", TestPicture.Corner.topLeft), ("IMG_E0001.JPG", .topRight)] {
        let picture = PixelBuffer(size: size, filledWith: corner.color)
        try folder.write(try TestPhoto(picture, date: .day(3)).bytes(), to: name)
      }
      let session = try Program.pick([], in: folder)
      try session.waitForText("1 photo ")
      session.send("o")
      try session.waitUntil("the edited one") {
        $0.text.contains("edited, 1 of 2") && middle($0) == .topRight
      }
      session.send("e")
      try session.waitUntil("the original") { $0.text.contains("original, 2 of 2") && middle($0) == .topLeft }
      session.send("i")
      try session.waitUntil("the histogram") { $0.text.contains("Light") && $0.text.contains("█") }
      session.send("e")
      try session.waitUntil("back") { $0.text.contains("edited, 1 of 2") && middle($0) == .topRight }
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/IMG_E0001.JPG"])
    }
  }
}
