import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// The commands of the tasks at the beginning of the manual.
  @Suite(.timeLimit(.minutes(120))) struct TaskTests {
    private let home: RecipeHome

    init() throws { home = try RecipeHome() }

    @Test func `The manual has exactly these tasks`() throws {
      #expect(
        try Recipes.tasks.get().map(\.title) == [
          "Mail three photos", "A web page's pictures at three sizes, without location",
          "Let a script ask for one picture", "Find what you once took", "Thumbnails for fzf",
        ])
    }

    @Test func `Three photos are mailed`() throws {
      // In place of mutt: records its arguments.
      try home.folder.write(Array("#!/bin/sh\nprintf '%s\\n' \"$@\" > sent\n".utf8), to: "bin/mutt")
      try home.folder.setPermissions(0o755, of: "bin/mutt")
      let session = try home.start(try Recipes.task("Mail three photos"))
      try session.waitForText("3 photos")
      session.send("a")
      try session.waitForText("3 of 3 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      let words = String(decoding: try home.folder.bytes(of: "sent"), as: UTF8.self).split(separator: "\n")
      #expect(
        words.map(String.init) == ["-s", "Photos", "-a"] + home.photos + ["--", "friend@example.org"])
    }

    @Test(.enabled(if: Recipes.has("exiftool", "identify"), "ExifTool or ImageMagick is not installed"))
    func `A page has its pictures in three sizes without a location`() throws {
      try home.folder.run(
        "exiftool", "-q", "-overwrite_original", "-EXIF:GPSLatitude=48.8577", "-EXIF:GPSLatitudeRef=N",
        "\(home.path)/Pictures/1.jpg")
      let session = try home.pickTwo(
        try Recipes.task("A web page's pictures at three sizes, without location")
          .replacing("480 960", with: "40 80"))
      try session.expectExit(.exited(0))
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/web").sorted()
      #expect(names == [1, 2].flatMap { ["\($0)-1920.jpg", "\($0)-40.jpg", "\($0)-80.jpg"] })
      for name in names {
        #expect(try Consumer.text(["exiftool", "-a", "-G1", "-gps:all", "\(home.path)/web/\(name)"]).isEmpty)
      }
      let sizes = try ["1-40", "2-80", "1-1920"].map {
        try Consumer.text(["identify", "-format", "%wx%h", "\(home.path)/web/\($0).jpg"])
      }
      #expect(sizes == ["40x30", "80x60", "160x120"])
    }

    @Test func `A script gets one picture or none`() throws {
      let command = try Recipes.task("Let a script ask for one picture")
      let picked = try home.start(command)
      try picked.waitForText("3 photos")
      picked.press(.enter)
      try picked.expectExit(.exited(0))
      let cover = try home.folder.bytes(of: "album.yaml")
      #expect(String(decoding: cover, as: UTF8.self) == "cover: \(home.photos[0])\n")
      home.folder.remove("album.yaml")
      let cancelled = try home.start(command)
      try cancelled.waitForLibrary("3 photos")
      cancelled.press(.escape)
      try cancelled.expectExit(.exited(0))
      #expect(
        String(decoding: cancelled.standardErrorBytes, as: UTF8.self).contains("no picture was chosen"))
      #expect(!FileManager.default.fileExists(atPath: "\(home.path)/album.yaml"))
    }

    @Test func `Words find photos`() throws {
      try home.folder.makeFolder("Pictures/Lisbon")
      try home.folder.rename("Pictures/2.jpg", to: "Pictures/Lisbon/2.jpg")
      let photo = TestPhoto(TestPicture.make(width: 16, height: 12), date: .day(3, month: 7))
      try home.folder.write(try photo.bytes(), to: "Pictures/Lisbon/july.jpg")
      let session = try home.start(try Recipes.task("Find what you once took"))
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["2024-06-26\t\(home.path)/Pictures/Lisbon/2.jpg"])
    }

    @Test(.enabled(if: Recipes.has("fzf"), "fzf is not installed"))
    func `fzf shows thumbnails`() throws {
      let session = try home.start(try Recipes.task("Thumbnails for fzf"), standardError: .terminal)
      try session.waitForText("3/3")
      // The photo has a red corner.
      try session.waitUntil("the picture in the preview") { screen in
        let rgb = screen.image(TerminalRectangle(row: 2, column: 64, rows: 4, columns: 8)).rgb
        return stride(from: 0, to: rgb.count - 2, by: 3).contains {
          rgb[$0] > 180 && rgb[$0 + 1] < 90 && rgb[$0 + 2] < 90
        }
      }
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == [home.photos[0]])
    }
  }
}
