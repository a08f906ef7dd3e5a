import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// `K` while the clip of a Live Photo plays: the frame is its still image in the result.
  @Suite struct KeyPhotoTests {
    /// A Live Photo whose clip is red for a second, then blue.
    private static func folder() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      _ = try folder.write(try TestPhoto(width: 320, height: 240, date: .day(1)).bytes(), to: "IMG_0001.JPG")
      let graph = "color=red:s=320x240:r=10:d=1[a];color=blue:s=320x240:r=10:d=1[b];[a][b]concat=n=2"
      try folder.run(["ffmpeg", "-f", "lavfi", "-i", graph, "-c:v", "mpeg4", "-q:v", "2", "IMG_0001.MOV"])
      return folder
    }

    /// Plays the clip, and makes a frame of its blue part the key photo.
    private static func choose(_ session: TerminalSession) throws {
      try session.waitForText("1 photo")
      try session.playVideo()
      session.send(",")
      try session.waitForText("||")
      session.send("7")
      try session.waitForText("0:01.40")
      session.send("K")
      try session.waitForText("The frame at 0:01.40 is the key photo of IMG_0001.JPG")
    }

    private static func isBlue(_ path: String, in folder: TemporaryFolder) throws -> Bool {
      try folder.run(
        "sh", "-c", "ffmpeg -v error -y -i '\(path)' -vf scale=1:1 -f rawvideo -pix_fmt rgb24 color")
      let color = try folder.bytes(of: "color")
      return color.count == 3 && color[0] < 60 && color[2] > 200
    }

    @Test func `The frame is printed as a new file, and JSON tells which one it is`() throws {
      let folder = try Self.folder()
      let originals = try ["IMG_0001.JPG", "IMG_0001.MOV"].map(folder.bytes)
      let session = try Program.pick(["--format", "json"], in: folder, profile: .kitty)
      try Self.choose(session)
      session.send("\r")
      try session.expectExit(.exited(0))
      let json = try JSONSerialization.jsonObject(with: Data(session.outputLines.joined().utf8))
      let assets = try #require((json as? [String: Any])?["assets"] as? [[String: Any]])
      let asset = try #require(assets.first)
      #expect(abs(try #require(asset["keyPhotoTime"] as? Double) - 1.4) < 0.01)
      let path = try #require(asset["path"] as? String)
      #expect(path.hasSuffix("/IMG_0001.JPG") && path != "\(folder.path)/IMG_0001.JPG")
      #expect(try Self.isBlue(path, in: folder))
      #expect(try ["IMG_0001.JPG", "IMG_0001.MOV"].map(folder.bytes) == originals)
    }

    @Test func `An export of all files has the frame and the clip`() throws {
      let folder = try Self.folder()
      let copies = try TemporaryFolder()
      let session = try Program.pick(
        ["--export", copies.path, "--resources", "all"], in: folder, profile: .kitty)
      try Self.choose(session)
      session.send(" \r")
      try session.expectExit(.exited(0))
      #expect(session.outputLines.contains("\(copies.path)/IMG_0001.JPG"))
      #expect(try Self.isBlue("\(copies.path)/IMG_0001.JPG", in: folder))
      #expect(try copies.bytes(of: "IMG_0001.MOV") == folder.bytes(of: "IMG_0001.MOV"))
    }
  }
}
