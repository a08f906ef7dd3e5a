import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// The recipes that convert photos.
  @Suite(.timeLimit(.minutes(120))) struct ShapeRecipeTests {
    private let home: RecipeHome

    init() throws { home = try RecipeHome() }

    /// Runs a recipe, picks all photos and waits for its end.
    private func runAll(_ title: String, _ count: String) throws {
      let session = try home.start(try Recipes.text(title))
      try session.waitForText(count)
      session.send("a")
      try session.waitForText(" picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
    }

    private func names(_ folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/\(folder)").sorted()
    }

    @Test func `A mail has small pictures without a location`() throws {
      // In place of mutt: records its arguments.
      try home.folder.write(Array("#!/bin/sh\nprintf '%s\\n' \"$@\" > sent\n".utf8), to: "bin/mutt")
      try home.folder.setPermissions(0o755, of: "bin/mutt")
      try home.folder.run(
        "convert", "-size", "3000x2000", "-seed", "7", "plasma:red-blue", "-quality", "100",
        "\(home.path)/Pictures/1.jpg")
      try home.folder.run(
        "exiftool", "-q", "-overwrite_original", "-EXIF:GPSLatitude=48.8577", "-EXIF:GPSLatitudeRef=N",
        "\(home.path)/Pictures/1.jpg")
      let session = try home.start(try Recipes.text("Mail photos of 2 MB at most, without their place"))
      try session.waitForText("3 photos")
      try session.waitForCursor(on: "1.jpg")
      session.press(.enter)
      try session.expectExit(.exited(0))
      let words = String(decoding: try home.folder.bytes(of: "sent"), as: UTF8.self).split(separator: "\n")
      #expect(words.prefix(3) == ["-s", "Photos", "-a"] && words.suffix(2) == ["--", "friend@example.org"])
      let file = String(words[3])
      let bytes = try #require(FileManager.default.contents(atPath: file)).count
      #expect(bytes <= 2_000_000 && bytes > 300_000)
      #expect(try Consumer.text(["exiftool", "-a", "-G1", "-gps:all", file]).isEmpty)
    }

    @Test func `A page has three sizes`() throws {
      let session = try home.start(
        try Recipes.text("A photo in three sizes for a web page").replacing("480 960", with: "40 80"))
      try session.waitForText("3 photos")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(try names("web") == ["1-1920.jpg", "1-40.jpg", "1-80.jpg"])
      let sizes = try ["1-40", "1-80", "1-1920"].map {
        try Consumer.text(["identify", "-format", "%wx%h", "\(home.path)/web/\($0).jpg"])
      }
      #expect(sizes == ["40x30", "80x60", "160x120"])
    }

    @Test func `A raw file is converted to JPEG`() throws {
      for name in try names("Pictures") { home.folder.remove("Pictures/\(name)") }
      try home.folder.write(HandmadeDNG().bytes, to: "Pictures/alone.dng")
      try runAll("The camera's JPEG of a raw file", "1 photo")
      #expect(try names("camera") == ["alone.jpg"])
      #expect(try Consumer.text(["identify", "-format", "%m", "\(home.path)/camera/alone.jpg"]) == "JPEG")
    }

    @Test func `A Live Photo is delivered as its clip`() throws {
      try home.folder.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "libx264",
        "-pix_fmt", "yuv420p", "\(home.path)/Pictures/2.mov")
      try runAll("A Live Photo as a video", "1 photo")
      #expect(try names("videos") == ["2.mp4"])
      #expect(
        try Consumer.text([
          "ffprobe", "-v", "error", "-show_entries", "stream=codec_name:format=format_name", "-of",
          "default=nw=1:nk=1",
          "\(home.path)/videos/2.mp4",
        ]).hasPrefix("h264\nmov,mp4"))
    }
  }
}
