import Fixtures
import Glibc
import Pixels
import TestTerminal
import Testing

extension EndToEnd {
  /// Moving pictures play in the picker's preview.
  @Suite struct PlaybackTests {
    private static let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]

    /// The animations 1 and 2, followed by the still picture 3.
    private static func folder() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      let size = PixelSize(width: 300, height: 220)
      let animation = HandmadeAnimation(size: size, colors.map { .init($0, size: size, delay: 120) })
      try folder.write(animation.png(), to: "1.png")
      try folder.write(animation.png(), to: "2.png")
      try folder.write(try TestPhoto(width: 300, height: 220).bytes(), to: "3.jpg")
      // The newest photo of an album is its poster: with varying times the albums might have one or two.
      for name in ["1.png", "2.png", "3.jpg"] { try folder.setModificationTime(1_700_000_000, of: name) }
      return folder
    }

    /// Which of the colors a picture has.
    /// - Parameter tile: the cells of the picture; nil = the largest one.
    private static func color(on screen: VirtualTerminal, in tile: TerminalRectangle? = nil) -> Int? {
      let seen: TerminalRGB?
      let placements = screen.kittyPlacements.filter { tile == nil || $0.area == tile }
      let pictures = screen.pictures.filter { tile == nil || $0.area == tile }
      if let placement = placements.max(by: { $0.pixels.width < $1.pixels.width }) {
        seen = placement.pixels.color(x: 5, y: 5)
      } else if let picture = pictures.max(by: { $0.pixelWidth < $1.pixelWidth }) {
        seen = picture.meanColor(at: TerminalPosition(row: picture.row + 1, column: picture.column + 1))
      } else {
        return nil
      }
      return seen.flatMap(Self.color(of:))
    }

    private static func color(of seen: TerminalRGB) -> Int? {
      colors.firstIndex { color in
        zip(color, [seen.red, seen.green, seen.blue]).allSatisfy { abs(Int($0) - Int($1)) < 20 }
      }
    }

    /// The frames of 12 seconds meet at a third of the line, which is inside of a cell.
    @Test func `A click on the time line lands on the pixel`() throws {
      let folder = try TemporaryFolder()
      let size = PixelSize(width: 300, height: 220)
      let animation = HandmadeAnimation(size: size, Self.colors.map { .init($0, size: size, delay: 12_000) })
      try folder.write(animation.png(), to: "1.png")
      let session = try Program.pick([], in: folder, profile: .kitty)
      try session.waitForGrid(1)
      try session.waitUntil("the still") { Self.color(on: $0) == 0 }
      session.send("w")
      try session.waitUntil("the length") { $0.contains("0:36") }
      session.send("w")
      try session.waitUntil("a pause") { $0.contains("|| 0:00") }
      #expect(session.virtual.modes.isSet(1016))
      let mark = try #require(session.virtual.find("|| 0:00"))
      let line = Array(session.virtual.line(mark.row))
      let bar = line.indices.filter { $0 > mark.column && "━─".contains(line[$0]) }
      let (start, last) = (try #require(bar.first), try #require(bar.last))
      let border = start + Int((Double(last - start) / 3).rounded())
      for (column, offset, color) in [(last, 2, 2), (border, 0, 0), (border, 4, 1), (border, 0, 0)] {
        session.click(row: mark.row, column: column, offset: offset)
        try session.waitUntil("color \(color)") { Self.color(on: $0) == color }
      }
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack)
    }

    @Test(arguments: [TerminalProfile.kitty, .sixel])
    func `A key plays, moving stops, the same key again pauses`(profile: TerminalProfile) throws {
      let folder = try Self.folder()
      let session = try Program.pick(["--sort", "name"], in: folder, profile: profile)
      try session.waitForGrid(3)
      try session.waitUntil("the still") { Self.color(on: $0) == 0 }
      // The coarse picture that came first has been freed.
      try session.waitForIdle()
      session.send("w")
      for color in [1, 2, 0, 1, 2] {
        try session.waitUntil("color \(color)") { Self.color(on: $0) == color }
      }
      #expect(session.virtual.picturesOutsideUpdates == 0 && session.virtual.kittyFaults.isEmpty)
      // After a moment without keys the next one plays.
      session.press(.right)
      try session.waitForCursor(on: "2.png")
      try session.waitUntil("the next still") { Self.color(on: $0) == 0 }
      try session.waitUntil("the next plays") { Self.color(on: $0) == 2 }
      session.send("w")
      try session.waitForIdle()
      let (shown, paused) = (session.virtual.drawnPictures, Self.color(on: session.virtual))
      // While the same frames play elsewhere, nothing moves here anymore.
      let elsewhere = try Program.play("1.png", in: folder, profile: profile)
      try elsewhere.waitUntil("some pictures") { $0.drawnPictures >= 6 }
      try session.waitForIdle()
      #expect(Self.color(on: session.virtual) == paused && session.virtual.drawnPictures == shown)
      // Other frames are shown on request, and from there it goes on.
      for (key, color) in [("0", 0), ("9", 2), (",", 1), (".", 2), ("0", 0)] {
        session.send(key)
        try session.waitUntil("color \(color) after \(key)") { Self.color(on: $0) == color }
      }
      session.send("w")
      for color in [1, 2, 0] {
        try session.waitUntil("color \(color) again") { Self.color(on: $0) == color }
      }
      // The terminal loses the focus, and gets it back.
      session.send("\u{1B}[O")
      try session.waitForIdle()
      let unfocused = session.virtual.drawnPictures
      try elsewhere.waitUntil("more pictures") { $0.drawnPictures >= 20 }
      #expect(session.virtual.drawnPictures == unfocused)
      let color = try #require(Self.color(on: session.virtual))
      session.send("\u{1B}[I")
      try session.waitUntil("it goes on") { Self.color(on: $0) == (color + 1) % 3 }
      session.press(.right)
      try session.waitForCursor(on: "3.jpg")
      try session.waitForIdle()
      // Thumbnails, previews and posters are kept, and they have the first color. The frames are not, of which at least
      // nine had another one; only the last may go with the next picture.
      let frames = session.virtual.kittyPixels.values.filter { picture in
        [1, 2].contains(Self.color(of: picture.color(x: picture.width / 4, y: picture.height / 4)))
      }
      #expect(frames.count <= 1)
      #expect(session.virtual.kittyPixels.isEmpty != profile.graphics.contains(.kitty))
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack && session.takeUnreadInput().isEmpty)
      #expect(session.virtual.pictureAreas.isEmpty)
    }

    /// The first frame is shown in the left three tenths of the tile, and the next one in the following ones.
    @Test(arguments: [TerminalProfile.kitty, .sixel])
    func `The mouse over a tile shows its stills, and movements are reported only meanwhile`(
      profile: TerminalProfile
    ) throws {
      let folder = try Self.folder()
      try folder.write(Array("scrub-in-grid = true\n".utf8), to: "config.toml")
      let session = try Program.pick(
        ["--sort", "name", "--config", "\(folder.path)/config.toml"], in: folder, profile: profile)
      try session.waitForGrid(3)
      try session.waitUntil("reports of movements") { $0.modes.isSet(1003) }
      try session.waitForIdle()
      let tile = try #require(session.virtual.tiles.first)
      let width = session.virtual.cell.width
      // The frame of the cursor: in kitty a badge cuts the picture in parts.
      let corner = try #require(session.virtual.find("╭"))
      let start = corner.column + 1
      let end = (try #require(session.virtual.find("╮")).column - start) * width
      func move(toPixel pixel: Int) {
        session.mouse(35, row: corner.row + 2, column: start + pixel / width, offset: pixel % width)
      }
      var places = [(end / 2, 1), (end - 1, 2), (0, 0), (end / 2, 1)]
      if session.virtual.modes.isSet(1016) {
        let border = 3 * end / 10
        places += [(border - 1, 0), (border + 1, 1)]
      }
      for (pixel, color) in places {
        move(toPixel: pixel)
        try session.waitUntil("color \(color) at \(pixel)") { Self.color(on: $0, in: tile) == color }
      }
      session.mouse(35, row: 0, column: 0)
      try session.waitUntil("the thumbnail") { Self.color(on: $0, in: tile) == 0 }
      // The terminal loses the focus, and gets it back.
      session.send("\u{1B}[O")
      try session.waitUntil("no reports of movements") { !$0.modes.isSet(1003) && $0.modes.isSet(1002) }
      session.send("\u{1B}[I")
      try session.waitUntil("reports again") { $0.modes.isSet(1003) }
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack)
      #expect(session.virtual.kittyFaults.isEmpty && session.virtual.pictureAreas.isEmpty)
    }

    @Test func `During playback keys are handled, and leaving ends it`() throws {
      let folder = try Self.folder()
      let session = try Program.pick(["--sort", "name", "--limit", "0"], in: folder, profile: .kitty)
      try session.waitForGrid(3)
      session.send("ow")
      try session.waitUntil("the third color") { Self.color(on: $0) == 2 }
      session.send(" ")
      try session.waitForText("1 picked")
      try session.waitUntil("it goes on") { Self.color(on: $0) == 1 }
      session.signal(SIGTERM)
      try session.expectExit(.signalled(SIGTERM))
      #expect(session.isGivenBack && session.virtual.pictureAreas.isEmpty)
    }
  }
}
