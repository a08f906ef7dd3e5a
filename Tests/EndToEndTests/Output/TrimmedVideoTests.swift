import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// `[` and `]` while a video plays: the result is a part of it.
  @Suite struct TrimmedVideoTests {
    /// A video of four seconds that is red, then blue.
    private static func folder() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      let graph = "color=red:s=320x240:r=10:d=2[a];color=blue:s=320x240:r=10:d=2[b];[a][b]concat=n=2"
      try folder.run(["ffmpeg", "-f", "lavfi", "-i", graph, "-c:v", "mpeg4", "-q:v", "2", "trip.mp4"])
      return folder
    }

    /// Seconds, by ffprobe.
    private static func duration(of path: String, in folder: TemporaryFolder) throws -> Double {
      try folder.run(
        "sh", "-c", "ffprobe -v error -show_entries format=duration -of csv=p=0 '\(path)' > duration")
      let text = String(decoding: try folder.bytes(of: "duration"), as: UTF8.self)
      return try #require(Double(text.split(separator: "\n").joined()))
    }

    /// Plays the video, and pauses at a tenth of it.
    private static func pause(at tenth: String, _ time: String, _ session: TerminalSession) throws {
      try session.playVideo()
      session.send(",")
      try session.waitForText("||")
      session.send(tenth)
      try session.waitForText(time)
    }

    @Test func `The part between two frames is printed as a new file`() throws {
      let folder = try Self.folder()
      let session = try Program.pick(["--sort", "name"], in: folder, profile: .kitty)
      try session.waitForText("1 video")
      try Self.pause(at: "4", "0:01.60", session)
      session.send("[")
      try session.waitForText("From 0:01.60 to 0:04")
      session.send("6")
      try session.waitForText("0:02.40")
      session.send("]")
      try session.waitForText("From 0:01.60 to 0:02.49")
      session.send("\r")
      try session.expectExit(.exited(0))
      let path = try #require(session.outputLines.first)
      #expect(path.hasSuffix("/trip.mp4") && path != "\(folder.path)/trip.mp4")
      #expect(abs(try Self.duration(of: path, in: folder) - 0.9) < 0.11)
      #expect(abs(try Self.duration(of: "trip.mp4", in: folder) - 4) < 0.11)
    }

    @Test func `A part of a video that is too long is exported`() throws {
      let folder = try Self.folder()
      let copies = try TemporaryFolder()
      let session = try Program.pick(
        ["--sort", "name", "--max-duration", "1s", "--export", copies.path], in: folder, profile: .kitty)
      try session.waitForText("1 video")
      // Its duration is known.
      try session.waitForText("0:04")
      session.send(" ")
      try session.waitForText("it is longer than 0:01")
      try Self.pause(at: "5", "0:02.00", session)
      session.send("[")
      try session.waitForText("From 0:02.00 to 0:03.00")
      session.send(" \r")
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(copies.path)/trip.mp4"])
      #expect(abs(try Self.duration(of: "\(copies.path)/trip.mp4", in: folder) - 1) < 0.11)
    }

    @Test func `A part of a video that is too large is picked, and JSON tells which part it is`() throws {
      let folder = try Self.folder()
      let byteCount = try folder.bytes(of: "trip.mp4").count
      let session = try Program.pick(
        ["--sort", "name", "--max-bytes", "\(byteCount * 3 / 4)", "--format", "json"], in: folder,
        profile: .kitty)
      try session.waitForText("1 video")
      try session.waitForText("0:04")
      session.send(" ")
      try session.waitForText("it is larger than")
      try Self.pause(at: "4", "0:01.60", session)
      session.send("[")
      try session.waitForText("From 0:01.60 to ")
      session.send("6")
      try session.waitForText("0:02.40")
      session.send("]")
      try session.waitForText("From 0:01.60 to 0:02.49")
      session.send(" \r")
      try session.expectExit(.exited(0))
      let json = try JSONSerialization.jsonObject(with: Data(session.outputLines.joined().utf8))
      let assets = try #require((json as? [String: Any])?["assets"] as? [[String: Any]])
      let asset = try #require(assets.first)
      let start = try #require(asset["partStart"] as? Double)
      let end = try #require(asset["partEnd"] as? Double)
      let duration = try #require(asset["duration"] as? Double)
      #expect(abs(start - 1.6) < 0.01 && abs(end - 2.5) < 0.01 && abs(duration - 0.9) < 0.02)
    }

    @Test func `A part whose file became too large is an error with both sizes`() throws {
      let folder = try Self.folder()
      // The part has a quarter of the frames, and its file also a header.
      let limit = try folder.bytes(of: "trip.mp4").count / 4
      let copies = try TemporaryFolder()
      let session = try Program.pick(
        ["--sort", "name", "--max-bytes", "\(limit)", "--export", copies.path], in: folder, profile: .kitty)
      try session.waitForText("1 video")
      try session.waitForText("0:04")
      try Self.pause(at: "4", "0:01.60", session)
      session.send("[")
      try session.waitForText("is used of trip.mp4")
      session.send("6")
      try session.waitForText("0:02.40")
      session.send("]")
      try session.waitForText("From 0:01.60 to 0:02.49")
      session.send(" \r")
      try session.expectExit(.exited(2))
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("trip.mp4: the chosen part has"), "\(errors)")
      #expect(errors.contains("choose a shorter part") && session.outputLines.isEmpty)
      #expect(throws: (any Error).self) { try copies.bytes(of: "trip.mp4") }
    }
  }
}
