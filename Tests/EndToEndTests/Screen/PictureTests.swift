import Fixtures
import Pixels
import TestTerminal
import Testing

extension EndToEnd {
  /// The pictures on the screen match the photographs.
  @Suite struct PictureTests {
    /// The thumbnails and the preview, without the two rows of an album's poster.
    private func photos(on screen: VirtualTerminal) -> [TerminalPicture] {
      screen.pictures.filter { $0.area.rows > 2 }
    }

    @Test func `Photos of all orientations are upright as sixels`() throws {
      let folder = try TemporaryFolder()
      for orientation in Orientation.allCases {
        var photo = TestPhoto(
          width: 400, height: 350, orientation: orientation,
          date: .day(20 - Int(orientation.rawValue)))
        if orientation.rawValue % 2 == 0 { photo.embedThumbnail() }
        try folder.write(try photo.bytes(), to: "\(orientation.rawValue).jpg")
      }
      let session = try Program.pick([], in: folder, columns: 160, rows: 45)
      try session.waitUntil("eight thumbnails and a preview") { photos(on: $0).count == 9 }
      for step in 0..<8 {
        try session.waitForCursor(on: "\(step + 1).jpg")
        try session.waitUntil("the preview of \(step + 1)") { screen in
          screen.pictures.contains { $0.pixelWidth > 120 && Corners.areUpright($0) }
        }
        session.press(.right)
      }
      try session.waitForIdle()  // coarse thumbnails have been replaced
      #expect(photos(on: session.virtual).count == 9)
      for picture in photos(on: session.virtual) { #expect(Corners.areUpright(picture), "\(picture.area)") }
    }

    @Test(arguments: [TerminalProfile.trueColor, .color256])
    func `Photos of all orientations are upright as blocks`(profile: TerminalProfile) throws {
      let folder = try TemporaryFolder()
      for orientation in Orientation.allCases {
        let photo = TestPhoto(
          width: 400, height: 350, orientation: orientation,
          date: .day(20 - Int(orientation.rawValue)))
        try folder.write(try photo.bytes(), to: "\(orientation.rawValue).jpg")
      }
      let session = try Program.pick([], in: folder, columns: 100, rows: 45, profile: profile)
      try session.waitForText("8 photos")
      try session.waitUntil("eight thumbnails in blocks") { screen in
        (1...8).allSatisfy { number in Corners.areUprightBlocks(belowDay: 20 - number, on: screen) }
      }
      #expect(session.virtual.pictureHistory.isEmpty && session.virtual.picturesNotUnderstood == 0)
    }

    @Test func `The sixel matches the photograph`() throws {
      let folder = try TemporaryFolder()
      let source = TestPicture.make(width: 640, height: 480)
      try folder.write(try TestPhoto(source, date: .day(1)).bytes(), to: "a.jpg")
      let session = try Program.pick([], in: folder)
      try session.waitUntil("thumbnail and preview") { photos(on: $0).count == 2 }
      try session.waitForIdle()  // coarse ones have been replaced
      let preview = try #require(session.virtual.pictures.max { $0.pixelWidth < $1.pixelWidth })
      let size = PixelSize(width: preview.pixelWidth, height: preview.pixelHeight)
      // No row is cut to fill bands of six.
      #expect(abs(size.width * 3 - size.height * 4) <= 2)
      #expect(!session.virtual.pictureHistory.contains { $0.reachedBelowScreen || $0.touchedLastRow })
      let expected = source.resampled(to: size)
      let shown = preview.rgb
      var error = 0
      for index in 0..<size.area {
        for channel in 0..<3 {
          error += abs(Int(expected.bytes[index * 4 + channel]) - Int(shown[index * 3 + channel]))
        }
      }
      // Palette, JPEG and the percentages of sixel colors together.
      #expect(Double(error) / Double(size.area * 3) < 6)
    }

    @Test(arguments: ["own", "libsixel", "auto"])
    func `A terminal with 16 colors gets no others in a picture`(encoder: String) throws {
      let folder = try TemporaryFolder()
      let source = TestPicture.make(width: 640, height: 480)
      try folder.write(try TestPhoto(source, date: .day(1)).bytes(), to: "a.jpg")
      var profile = TerminalProfile.sixel
      profile.colorRegisters = 16
      let session = try Program.pick(["--sixel-encoder", encoder], in: folder, profile: profile)
      try session.waitUntil("thumbnail and preview") { photos(on: $0).count == 2 }
      try session.waitForIdle()  // coarse ones have been replaced
      let preview = try #require(session.virtual.pictures.max { $0.pixelWidth < $1.pixelWidth })
      let expected = source.resampled(to: PixelSize(width: preview.pixelWidth, height: preview.pixelHeight))
      let shown = preview.rgb
      #expect(Set(stride(from: 0, to: shown.count, by: 3).map { Array(shown[$0..<$0 + 3]) }).count <= 16)
      var error = 0
      for index in 0..<expected.size.area {
        for channel in 0..<3 {
          error += abs(Int(expected.bytes[index * 4 + channel]) - Int(shown[index * 3 + channel]))
        }
      }
      #expect(Double(error) / Double(expected.size.area * 3) < 20)
    }

    @Test func `Broken files are marked and the rest continues`() throws {
      let folder = try TemporaryFolder()
      let photo = try TestPhoto(width: 800, height: 600, date: .day(9)).bytes()
      try folder.write(photo, to: "good.jpg")
      try folder.write(Array(photo.prefix(photo.count / 2)), to: "cut.jpg")
      try folder.write(Array(photo.prefix(200)), to: "head.jpg")
      try folder.write([], to: "empty.jpg")
      try folder.write(Array("just text".utf8), to: "text.jpg")
      try folder.write(try TestPhoto(width: 1, height: 1, date: .day(8)).bytes(), to: "dot.jpg")
      try folder.write(photo, to: "no suffix")
      let session = try Program.pick(["--limit", "9", "--sort", "name"], in: folder)
      try session.waitForText("4 photos · 3 unreadable")
      // In a first run the tiles are wider or narrower, depending on when the albums are found: reasons wrap.
      try session.waitUntil("four pictures, and a mark for each unreadable file") { screen in
        photos(on: screen).count >= 4 && !screen.text.contains("⋯") && screen.text.count { $0 == "✕" } == 3
      }
      for word in ["empty", "ends", "content"] { try session.waitForText(word) }
      try session.waitForText("the file ends in the middle")  // cut.jpg is first, with a note in its preview
      session.press(.right, times: 2)
      try session.waitForCursor(on: "empty.jpg")
      session.press(.space)
      try session.waitForText("empty.jpg can't be picked: the file is empty")
      session.send("a")
      try session.waitForText("4 of 9 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(
        session.outputLines.map { $0.dropFirst(folder.path.count + 1) } == [
          "cut.jpg", "dot.jpg", "good.jpg", "no suffix",
        ])
    }

    @Test func `Hostile names are displayed harmlessly`() throws {
      let folder = try TemporaryFolder()
      let photo = try TestPhoto(width: 64, height: 48, date: .day(1)).bytes()
      let names: [[UInt8]] = [
        Array("a\u{1B}]0;owned\u{7}.jpg".utf8), Array("b\u{1B}[2J.jpg".utf8),
        [0x63, 0xFF, 0xFE] + Array(".jpg".utf8),
        Array("d\nx.jpg".utf8), Array("e写真\u{65}\u{301}.jpg".utf8), Array("f\u{202E}gpj.exe".utf8),
      ]
      for name in names { try folder.write(photo, to: name) }
      let session = try Program.pick(["--limit", "0"], in: folder)
      try session.waitForGrid(6)
      #expect(session.virtual.title != "owned")
      session.press(.right)
      try session.waitForCursor(on: "b␛[2J.jpg")
      session.press(.right, times: 3)
      try session.waitForCursor(on: "e写真é.jpg")
      session.press(.left)
      try session.waitForCursor(on: "d␊x.jpg")
      session.press(.space)
      try session.waitForText("use --print0")
      session.send("a")
      try session.waitForText("5 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      let expected = names.filter { !$0.contains(0x0A) }.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(session.standardOutputBytes == expected.flatMap { folder.path(of: $0) + [0x0A] })
    }
  }
}
