import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// Metadata and streams that can't be copied: the loss is reported.
  @Suite(.timeLimit(.minutes(120))) struct LossTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeFolder("in")
    }

    private func export(_ name: String, _ options: [String]) throws -> (copy: String, errors: String) {
      let output = try Program.run(
        ["list", "--export", "\(folder.path)/out"] + options + ["\(folder.path)/in/\(name)"])
      #expect(output.status == .exited(0), "\(output.errors)")
      return (try #require(output.lines.first), output.errors)
    }

    private func picture(_ name: String, _ tags: [String]) throws {
      try folder.run("convert", "-size", "64x48", "gradient:red-blue", "in/\(name)")
      if !tags.isEmpty {
        try folder.run(["exiftool", "-q", "-q", "-m", "-overwrite_original"] + tags + ["in/\(name)"])
      }
    }

    private static let long = (0..<30_000).map { "word \($0) & <more>" }.joined(separator: " ")

    /// Pictures of each format with a caption and other texts, shared by all tests: ExifTool takes a second for each.
    private static let captioned = Result<[String: [UInt8]], any Error> {
      let workshop = try TemporaryFolder()
      try workshop.write(Array(long.utf8), to: "caption.txt")
      let names = ["a.png", "a.webp", "a.jpg"]
      for name in names { try workshop.run("convert", "-size", "64x48", "gradient:red-blue", name) }
      try workshop.run(
        [
          "exiftool", "-q", "-q", "-m", "-overwrite_original",
          "-XMP-dc:Description<=\(workshop.path)/caption.txt", "-XMP-dc:Title=Harbour", "-XMP-xmp:Rating=4",
          "-XMP-exif:GPSLatitude=48.8577",
        ] + names)
      return try names.reduce(into: [:]) { $0[$1] = try workshop.bytes(of: $1) }
    }

    @Test(arguments: [
      ("a.png", ["--accept", "image/jpeg"]), ("a.webp", ["--accept", "image/jpeg"]),
      ("a.jpg", ["--max-size", "32"]), ("a.jpg", ["--strip", "location"]),
      ("a.png", ["--strip", "location"]), ("a.webp", ["--strip", "location"]),
    ])
    func `A caption of any length and all texts beside it are copied`(name: String, options: [String]) throws
    {
      try folder.write(#require(Self.captioned.get()[name]), to: "in/\(name)")
      let (copy, errors) = try export(name, options)
      #expect(!errors.contains("without"), "\(errors)")
      let words = ["Description", "Title", "Rating", "GPSLatitude"].map { "-XMP:\($0)" }
      let told = try Consumer.run(
        ["exiftool", "-j", "-a", "-G0"] + words + ["-warning", "-validate", copy])
      let all = try #require(try JSONSerialization.jsonObject(with: Data(told)) as? [[String: Any]])
      let tags = try #require(all.first)
      #expect(tags["XMP:Description"] as? String == Self.long)
      #expect(tags["XMP:Title"] as? String == "Harbour" && tags["XMP:Rating"] as? Int == 4)
      let complaints = tags.filter { $0.key.contains("Warning") || $0.key.contains("Validate") }
      #expect(!complaints.values.contains { "\($0)".contains("XMP") }, "\(complaints)")
      if options.contains("--strip") { #expect(tags["XMP:GPSLatitude"] == nil) }
      // tpick itself finds them, too.
      let found = try Program.run(["list", "--format", "{rating} {title}", copy])
      #expect(found.lines == ["4 Harbour"])
    }

    @Test func `Metadata that does not fit is reported`() throws {
      let text = String(repeating: "x", count: 50_000)
      try folder.write(Array(text.utf8), to: "long.txt")
      let long = "\(folder.path)/long.txt"
      try picture(
        "exif.png", ["-EXIF:ImageDescription<=\(long)", "-EXIF:Artist<=\(long)", "-EXIF:Model=Box"])
      try picture("iptc.jpg", (0..<20).map { "-IPTC:Keywords=word\($0)" })
      try picture("xmp.gif", ["-XMP-dc:Title=Harbour"])
      try picture("plain.jpg", ["-XMP-dc:Title=Harbour", "-IPTC:Keywords=word", "-EXIF:Model=Box"])
      for (name, options, word) in [
        ("exif.png", ["--accept", "image/jpeg"], "was written without some of its EXIF"),
        ("iptc.jpg", ["--accept", "image/png"], "was written without some of its IPTC"),
        ("xmp.gif", ["--strip", "location"], "was written without some of its XMP"),
        ("plain.jpg", ["--strip", "location"], ""), ("plain.jpg", ["--max-size", "32"], ""),
        ("plain.jpg", ["--strip", "all"], ""), ("xmp.gif", ["--strip", "all"], ""),
      ] as [(String, [String], String)] {
        let (copy, errors) = try export(name, options)
        #expect(
          word.isEmpty ? errors.isEmpty : errors.contains("\(name): \(word)"), "\(name) \(options): \(errors)"
        )
        if name == "exif.png" { #expect(try Consumer.text(["exiftool", "-b", "-Model", copy]) == "Box") }
      }
    }

    @Test func `Unreadable XMP is reported`() throws {
      try picture("a.png", [])
      let bytes = try folder.bytes(of: "in/a.png")
      let text = Array("XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta><rdf:RDF><broken".utf8)
      try folder.write(
        Array(bytes[..<33]) + PictureFiles.pngChunk("iTXt", text) + bytes[33...], to: "in/a.png")
      for options in [["--accept", "image/jpeg"], ["--strip", "location"]] {
        #expect(try export("a.png", options).errors.contains("a.png: was written without some of its XMP"))
      }
    }

    @Test(arguments: ["webm", "mkv", "mts"]) func `A truncated video is reported`(suffix: String) throws {
      let codecs =
        suffix == "webm"
        ? ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libvorbis"]
        : ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]
      try folder.run(
        [
          "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=10:d=8", "-f", "lavfi", "-i",
          "sine=d=8",
          "-pix_fmt", "yuv420p",
        ] + codecs + ["in/whole.\(suffix)"])
      let bytes = try folder.bytes(of: "in/whole.\(suffix)")
      try folder.write(Array(bytes[..<(bytes.count / 2)]), to: "in/cut.\(suffix)")
      #expect(try export("whole.\(suffix)", ["--representation", "compatible"]).errors.isEmpty)
      // A stream of packets has no length but its own.
      guard suffix != "mts" else { return }
      let (_, errors) = try export("cut.\(suffix)", ["--representation", "compatible"])
      #expect(errors.contains("cut.\(suffix): ends after") && errors.contains("damaged"), "\(errors)")
    }

    @Test func `Sound and subtitles that are left out are reported`() throws {
      try folder.write(Array("1\n00:00:00,000 --> 00:00:01,000\nWords\n".utf8), to: "words.srt")
      try folder.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=10:d=1", "-f", "lavfi", "-i",
        "sine=d=1",
        "-f", "lavfi", "-i", "sine=d=1", "-i", "words.srt", "-map", "0", "-map", "1", "-map", "2", "-map",
        "3",
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-c:a", "aac", "in/two.mkv")
      let (_, errors) = try export("two.mkv", ["--representation", "compatible"])
      #expect(
        errors.contains("two.mkv: was converted without 1 other sound track and 1 subtitle track"),
        "\(errors)")
    }
  }
}
