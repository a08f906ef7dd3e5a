import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// `S`: the frame that is seen becomes a photo.
  @Suite struct FramePhotoTests {
    /// A video that is red for two seconds and then blue, with date and place.
    private static func folder() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      let graph = "color=red:s=320x240:r=10:d=2[a];color=blue:s=320x240:r=10:d=2[b];[a][b]concat=n=2"
      try folder.run([
        "ffmpeg", "-f", "lavfi", "-i", graph, "-c:v", "mpeg4", "-q:v", "2", "-metadata",
        "creation_time=2024-05-02T14:10:09Z", "-metadata", "location=+38.7167-009.1333/", "IMG_0040.mp4",
      ])
      return folder
    }

    private static func names(in folder: TemporaryFolder) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    @Test func `The frame at the middle is saved with date and place, and undo takes it back`() throws {
      let folder = try Self.folder()
      let session = try Program.pick(["--sort", "name"], in: folder, profile: .kitty)
      try session.waitForText("1 video")
      try session.playVideo()
      session.send(",")
      try session.waitForText("||")
      session.send("5")
      try session.waitForText("0:02.00")
      session.send("S")
      try session.waitForText("IMG_0040-frame-00m02s000.jpg saved")
      #expect(Self.names(in: folder) == ["IMG_0040-frame-00m02s000.jpg", "IMG_0040.mp4"])
      // The cursor stays, and so does the frame.
      try session.waitForCursor(on: "IMG_0040.mp4")
      let path = "\(folder.path)/IMG_0040-frame-00m02s000.jpg"
      let facts = try Program.run([
        "list", "--format", "{date:%Y-%m-%d %H:%M:%S}|{width}x{height}|{latitude}|{longitude}", path,
      ]).lines
      let clip = try Program.run([
        "list", "--format", "{date:%Y-%m-%d %H:%M:}", "\(folder.path)/IMG_0040.mp4",
      ])
      .lines
      let words = try #require(facts.first).split(separator: "|")
      #expect(words[0] == "\(try #require(clip.first))11" && words[1] == "320x240")
      #expect(words[2].hasPrefix("38.716") && words[3].hasPrefix("-9.133"))
      session.send("U")
      try session.waitForText("Undone: IMG_0040-frame-00m02s000.jpg saved")
      #expect(Self.names(in: folder) == ["IMG_0040.mp4"])
      session.send("q")
      try session.expectExit(.exited(130))
    }

    @Test func `A read-only library refuses, and says why`() throws {
      let folder = try Self.folder()
      let session = try Program.pick(["--read-only"], in: folder, profile: .kitty)
      try session.waitForText("1 video")
      try session.playVideo()
      session.send("S")
      try session.waitForText("The library is read-only")
      #expect(Self.names(in: folder) == ["IMG_0040.mp4"])
      session.send("q")
      try session.expectExit(.exited(130))
    }
  }
}
