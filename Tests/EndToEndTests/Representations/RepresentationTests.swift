import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// The delivered representation of each kind of asset, checked with other programs.
  @Suite(.timeLimit(.minutes(120))) struct RepresentationTests {
    private static let source = Result { try RepresentationFolder() }

    private let target: TemporaryFolder
    private let input: String

    init() throws {
      target = try TemporaryFolder()
      input = try Self.source.get().input
    }

    /// Files delivered in one run, and ExifTool's output for the copies: starting programs takes longer than that.
    private struct Handed: Sendable {
      let output: Program.Output
      private let copies: [String: String]
      private let tags: [String: String]
      private let types: [String: String]

      init(_ names: [String], _ options: [String]) throws {
        let target = try SharedFolders.make().path
        let input = try RepresentationTests.source.get().input
        let names = names.sorted()
        output = try Program.run(
          ["list", "--sort", "name", "--export", "\(target)/out"] + options + names.map { "\(input)/\($0)" })
        let lines = output.lines
        guard lines.count == names.count else {
          (copies, tags, types) = ([:], [:], [:])
          return
        }
        copies = Dictionary(uniqueKeysWithValues: zip(names, lines))
        var tags: [String: String] = [:]
        // Every tag of a file, including those in thumbnails and unknown ones.
        let exiftool = [
          "exiftool", "-a", "-u", "-U", "-ee", "-G1", "-s", "-x", "FileName", "-x", "Directory",
        ]
        for section in try Consumer.text(exiftool + lines).components(separatedBy: "======== ") {
          guard let end = section.firstIndex(of: "\n") else { continue }
          // After the last one comes their number.
          let said = section[end...].split(separator: "\n").filter { !$0.hasSuffix(" image files read") }
          tags[String(section[..<end])] = said.joined(separator: "\n")
        }
        self.tags = tags
        let guess = "import mimetypes, sys\nfor name in sys.argv[1:]: print(mimetypes.guess_type(name)[0])"
        let found = try Consumer.text([Program.python, "-c", guess] + lines).split(separator: "\n").map(
          String.init)
        types = Dictionary(uniqueKeysWithValues: zip(names, found))
      }

      /// The path of a file's copy.
      func copy(of name: String) throws -> String {
        let copy = try #require(copies[name], "\(output)")
        // In name order, so that each is identified by its position.
        #expect(copy.split(separator: "/").last?.hasPrefix("\(name.prefix { $0 != "." })") == true)
        return copy
      }

      func tags(of name: String) throws -> String { try #require(tags[copy(of: name)], "\(output)") }

      func type(of name: String) throws -> String { try #require(types[name], "\(output)") }
    }

    private static let names = RepresentationFolder.pictures.map(\.name)
    private static let current = Result { try Handed(names, ["--representation", "current"]) }
    private static let compatible = Result { try Handed(names, ["--representation", "compatible"]) }
    private static let small = Result { try Handed(names, ["--max-size", "100"]) }
    private static let stripped = Result {
      try Dictionary(
        uniqueKeysWithValues: ["location", "all"].map {
          ($0, try Handed(names + videos + camcorders, ["--strip", $0]))
        })
    }
    private static let videos = ["playable.mp4", "other-box.mov", "hevc.mov", "old.avi"]
    private static let camcorders = ["camcorder.mts", "camcorder.mov", "camcorder.mkv"]

    /// The files with some metadata removed.
    private func stripped(_ what: String) throws -> Handed {
      let handed = try #require(Self.stripped.get()[what])
      #expect(handed.output.status == .exited(0), "\(handed.output)")
      return handed
    }

    /// Delivers one file.
    private func export(_ name: String, _ options: [String]) throws -> (path: String?, output: Program.Output)
    {
      let output = try Program.run(
        ["list", "--export", "\(target.path)/out"] + options + ["\(input)/\(name)"])
      return (output.lines.first, output)
    }

    private func ask(_ command: [String]) throws -> String { try Consumer.text(command) }

    /// Every tag of a file.
    private func tags(_ path: String) throws -> String {
      try ask(["exiftool", "-a", "-u", "-U", "-ee", "-G1", "-s", "-x", "FileName", "-x", "Directory", path])
    }

    private func size(_ path: String) throws -> String {
      try ask(["identify", "-format", "%wx%h ", "\(path)[0]"])
    }

    /// The difference of two pictures: the root mean square, from 0 to 1.
    private func difference(_ path: String, _ other: String) throws -> Double {
      let text = try Consumer.text(
        ["compare", "-metric", "RMSE", "\(path)[0]", "\(other)[0]", "null:"], acceptsFailure: true,
        readsErrors: true)
      // Warnings may be in parentheses as well.
      let numbers = text.split(separator: "(").dropFirst().compactMap { Double($0.prefix { $0 != ")" }) }
      return numbers.first ?? 1
    }

    private func mimeType(_ path: String) throws -> String {
      try ask([
        Program.python, "-c", "import mimetypes, sys; print(mimetypes.guess_type(sys.argv[1])[0])", path,
      ])
    }

    @Test(arguments: names)
    func `A file delivered unchanged is copied byte by byte`(name: String) throws {
      let handed = try Self.current.get()
      #expect(handed.output.status == .exited(0))
      let copy = try handed.copy(of: name)
      #expect(FileManager.default.contentsEqual(atPath: "\(input)/\(name)", andPath: copy))
    }

    @Test(arguments: RepresentationFolder.pictures)
    func `A compatible picture is a JPEG, a PNG or a GIF, upright, with its metadata`(
      name: String, isTransparent: Bool
    ) throws {
      let handed = try Self.compatible.get()
      #expect(handed.output.status == .exited(0), "\(handed.output)")
      let copy = try handed.copy(of: name)
      let original = "\(input)/\(name)"
      let isCompatible = ["jpg", "png", "gif"].contains(name.suffix(3))
      let type = try handed.type(of: name)
      if isCompatible {
        #expect(FileManager.default.contentsEqual(atPath: original, andPath: copy))
      } else {
        #expect(type == (isTransparent ? "image/png" : "image/jpeg"))
        if type == "image/jpeg" { #expect(try ask(["djpeg", "-outfile", "/dev/null", copy]).isEmpty) }
      }
      guard !isCompatible, name != "raw.dng" else { return }
      #expect(try size(copy).hasPrefix("320x200"))
      let reference = "\(input)/\(isTransparent ? "clear.png" : "png.png")"
      #expect(try difference(reference, copy) < 0.04)
      let tags = try handed.tags(of: name)
      if !["gif.gif", "bmp.bmp", "jxl.jxl"].contains(name) {
        #expect(tags.contains("Acme") && tags.contains("Harbour") && tags.contains("48 deg 51"), "\(tags)")
        #expect(!tags.contains("ThumbnailImage"))
      }
    }

    @Test(arguments: ["jpeg.jpg", "turned.jpg", "png.png", "clear.png", "heic.heic", "webp.webp", "tiff.tif"])
    func `A smaller picture fits the box and is upright`(name: String) throws {
      let handed = try Self.small.get()
      #expect(handed.output.status == .exited(0))
      let copy = try handed.copy(of: name)
      let isTurned = name == "turned.jpg"
      #expect(try size(copy) == (isTurned ? "63x100" : "100x63"))
      let tags = try handed.tags(of: name)
      #expect(!tags.contains("Orientation") || tags.contains("Horizontal (normal)"))
      try target.run(
        "convert", "\(input)/\(name)[0]", "-auto-orient", "-strip", "-resize",
        isTurned ? "63x100!" : "100x63!",
        "reference.png")
      #expect(try difference("\(target.path)/reference.png", copy) < 0.04)
    }

    @Test(arguments: names)
    func `Without location nothing is left of it`(name: String) throws {
      let handed = try stripped("location")
      let copy = try handed.copy(of: name)
      let tags = try handed.tags(of: name)
      for secret in RepresentationFolder.secrets { #expect(!tags.contains(secret), "\(tags)") }
      #expect(!tags.contains("GPS") && !tags.contains("ThumbnailImage"), "\(tags)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
      #expect(bytes.range(of: Data("Atlantis".utf8)) == nil && bytes.range(of: Data("48,51".utf8)) == nil)
      if !["gif.gif", "bmp.bmp", "jxl.jxl", "raw.dng"].contains(name) {
        #expect(tags.contains("Acme") && tags.contains("Harbour") && tags.contains("2023:05:01"), "\(tags)")
      }
    }

    @Test(arguments: names)
    func `Without metadata only what is needed for display is left`(name: String) throws {
      let tags = try stripped("all").tags(of: name)
      let lines = tags.split(separator: "\n").filter { line in
        // Properties of the picture itself, of its profile and of the disk.
        !["[File]", "[System]", "[ICC", "[PNG]", "[GIF]", "[JFIF]", "[Composite]", "[ExifTool]", "[RIFF]"]
          .contains {
            line.hasPrefix($0)
          }
      }
      #expect(lines.allSatisfy { $0.contains("Orientation") }, "\(lines)")
      for word in RepresentationFolder.secrets + ["Acme", "Harbour", "Ann", "2023:05:01", "Boats"] {
        #expect(!tags.contains(word), "\(tags)")
      }
    }

    @Test(arguments: ["jpeg.jpg", "turned.jpg", "png.png", "clear.png", "webp.webp", "clear.webp", "gif.gif"])
    func `Removing metadata leaves every pixel unchanged`(name: String) throws {
      for what in ["location", "all"] {
        let copy = try stripped(what).copy(of: name)
        #expect(try difference("\(input)/\(name)", copy) == 0)
        let turned = try ask(["identify", "-format", "%[orientation]", "\(copy)[0]"])
        #expect(name != "turned.jpg" || turned == "RightTop")
      }
    }

    @Test func `A picture fits a number of bytes, as large and good as possible`() throws {
      try target.run(
        "convert", "-size", "1200x900", "-seed", "7", "plasma:red-blue", "-quality", "98", "big.jpg")
      let sizes = try [400_000, 60_000, 5000].map { count in
        let output = try Program.run([
          "list", "--export", "\(target.path)/out", "--max-size", "\(count)B", "\(target.path)/big.jpg",
        ])
        let copy = try #require(output.lines.first)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: copy)).count
        #expect(bytes <= count && bytes > count / 3)
        return try size(copy)
      }
      #expect(sizes[0] == "1200x900" && sizes[2] != "1200x900")
    }

    @Test func `For a consumer that accepts only JPEG a transparent picture is drawn on white`() throws {
      let copy = try #require(try export("clear.png", ["--accept", "image/jpeg"]).path)
      #expect(try mimeType(copy) == "image/jpeg")
      #expect(try ask(["convert", copy, "-format", "%[pixel:p{20,20}]", "info:"]).hasPrefix("srgb(25"))
    }

    // MARK: Accepted types

    @Test(arguments: [
      ("heic.heic", "image/jpeg", "heic.jpg"), ("heic.heic", "image/*", "heic.heic"),
      ("heic.heic", ".heic,image/jpeg", "heic.heic"), ("heic.heic", "image/png", "heic.png"),
      ("jpeg.jpg", "image/jpeg", "jpeg.jpg"), ("jpeg.jpg", "image/png", "jpeg.png"),
      ("hevc.mov", "video/mp4", "hevc.mp4"), ("hevc.mov", "video/*", "hevc.mov"),
      ("clear.png", "*.jpg", "clear.jpg"), ("raw.dng", "image/jpeg,image/x-adobe-dng", "raw.dng"),
    ])
    func `The consumer gets accepted types`(name: String, types: String, expected: String) throws {
      let (path, output) = try export(name, ["--accept", types])
      #expect(output.status == .exited(0))
      #expect(path == "\(target.path)/out/\(expected)")
    }

    @Test func `A Live Photo is a video for consumers of videos`() throws {
      let output = try Program.run([
        "list", "--export", "\(target.path)/out", "--accept", "video/mp4", "\(input)/live.heic",
        "\(input)/live.mov",
      ])
      #expect(output.lines == ["\(target.path)/out/live.mp4"])
      #expect(try streams("\(target.path)/out/live.mp4") == ["h264", "aac"])
    }

    @Test func `A file that can't be converted is reported, and the rest continues`() throws {
      let output = try Program.run([
        "list", "--export", "\(target.path)/out", "--accept", "video/mp4", "--sort", "name",
        "\(input)/jpeg.jpg", "\(input)/playable.mp4",
      ])
      #expect(output.status == .exited(2))
      #expect(output.lines == ["\(target.path)/out/playable.mp4"])
      #expect(output.errors.contains("jpeg.jpg: a JPEG file can't be delivered as MP4"))
    }

    // MARK: Videos

    private func streams(_ path: String) throws -> [String] {
      try ask([
        "ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "default=nw=1:nk=1", path,
      ]).split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["playable.mp4", "other-box.mov", "sound.mov", "hevc.mov", "old.avi"])
    func `A compatible video is H.264 and AAC in an MP4`(name: String) throws {
      let (path, output) = try export(name, ["--representation", "compatible"])
      #expect(output.status == .exited(0) && output.errors.isEmpty, "\(output)")
      let copy = try #require(path)
      #expect(try mimeType(copy) == "video/mp4")
      #expect(try streams(copy) == ["h264", "aac"])
      let box = try ask([
        "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "default=nw=1:nk=1", copy,
      ])
      #expect(abs((Double(box) ?? 0) - 1) < 0.3)
      if name == "playable.mp4" {
        #expect(FileManager.default.contentsEqual(atPath: "\(input)/\(name)", andPath: copy))
      }
      // Streams in the right format are not encoded again.
      if name == "other-box.mov" || name == "sound.mov" {
        let packets = { (path: String) in
          try Consumer.run([
            "ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "md5", "-",
          ])
        }
        #expect(try packets(copy) == packets("\(input)/\(name)"))
      }
    }

    @Test func `A video with non-square pixels is converted to square pixels`() throws {
      try target.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=1440x1080:r=10:d=1", "-vf", "setsar=4/3",
        "-c:v", "mpeg2video", "-q:v", "5", "wide.ts")
      let list = try Program.run([
        "list", "--export", "\(target.path)/out", "--representation", "compatible", "--format",
        "{width}x{height}", "\(target.path)/wide.ts",
      ])
      let made = try ask([
        "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
        "stream=width,height,sample_aspect_ratio", "-of", "csv=p=0:s=x", "\(target.path)/out/wide.mp4",
      ])
      #expect(list.lines == ["1920x1080"] && made == "1920x1080x1:1", "\(list) \(made)")
    }

    @Test func `A video can be scaled down`() throws {
      try target.run(
        "ffmpeg", "-v", "error", "-i", "\(input)/playable.mp4", "-c", "copy", "-metadata:s:v", "rotate=90",
        "turned.mp4")
      let turned = try Program.run([
        "list", "--export", "\(target.path)/out", "--max-size", "101", "--format", "{width}x{height}",
        "\(target.path)/turned.mp4",
      ])
      let upright = try ask([
        "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of",
        "csv=p=0:s=x", "\(target.path)/out/turned.mp4",
      ])
      #expect(turned.lines == [upright] && upright.hasSuffix("x100"), "\(turned) \(upright)")
      let copy = try #require(try export("playable.mp4", ["--max-size", "160"]).path)
      let size = try ask([
        "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of",
        "csv=p=0", copy,
      ])
      #expect(size == "160,120")
    }

    @Test(arguments: videos, ["location", "all"])
    func `Videos lose their location, or all metadata`(name: String, what: String) throws {
      let handed = try stripped(what)
      let copy = try handed.copy(of: name)
      #expect(copy.hasSuffix(name))
      let tags = try handed.tags(of: name)
      #expect(!tags.contains("48.8577") && !tags.contains("48 deg") && !tags.contains("GPS"), "\(tags)")
      if what == "all" { #expect(!tags.contains("Acme") && !tags.contains("Boats"), "\(tags)") }
      if what == "location", name.hasSuffix("mov") { #expect(tags.contains("Acme"), "\(tags)") }
      #expect(try streams(copy).count == 2)
    }

    @Test(arguments: camcorders, ["location", "all"])
    func `Videos lose the location within their picture stream`(name: String, what: String) throws {
      let secret = Data("Atlantis".utf8)
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(input)/\(name)")).range(of: secret) != nil)
      let copy = try stripped(what).copy(of: name)
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).range(of: secret) == nil)
      let pictures = { (path: String) in
        try Consumer.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-f", "md5", "-"])
      }
      #expect(try pictures(copy) == pictures("\(input)/\(name)"))
    }

    @Test func `The clip of a Motion Photo is named as a video, also without its location`() throws {
      let video = try Data(contentsOf: URL(fileURLWithPath: "\(input)/playable.mp4"))
      try target.run("convert", "-size", "64x48", "gradient:", "motion.jpg")
      try target.run(
        "exiftool", "-q", "-overwrite_original", "-XMP-GCamera:MicroVideo=1",
        "-XMP-GCamera:MicroVideoVersion=1",
        "-XMP-GCamera:MicroVideoOffset=\(video.count)", "motion.jpg")
      try target.write(try target.bytes(of: "motion.jpg") + Array(video), to: "motion.jpg")
      for options in [[], ["--strip", "location"], ["--strip", "all"]] {
        let output = try Program.run(
          ["list", "--export", "\(target.path)/out", "--accept", "video/*"] + options + [
            "\(target.path)/motion.jpg"
          ])
        let copy = try #require(output.lines.first, "\(output)")
        #expect(copy.hasSuffix(".mp4"))
        #expect(try streams(copy) == ["h264", "aac"])
        #expect(try options.isEmpty || !tags(copy).contains("48 deg"))
      }
    }

    @Test func `A large maker note does not prevent a picture from fitting a small byte limit`() throws {
      try target.run(
        "convert", "-size", "400x300", "-seed", "7", "plasma:red-blue", "-quality", "95", "noted.jpg")
      let picture = try target.bytes(of: "noted.jpg")
      let note = [UInt8](repeating: 0xAB, count: 60_000)
      let exif =
        Array("Exif\0\0II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0]
        + [0, 0, 0, 0, 1, 0, 0x7C, 0x92, 7, 0] + MediaBytes.little(note.count, 4) + [44, 0, 0, 0, 0, 0, 0, 0]
        + note
      let length = exif.count + 2
      let head = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + exif
      try target.write(Array(picture[..<2]) + head + picture[2...], to: "noted.jpg")
      let output = try Program.run([
        "list", "--export", "\(target.path)/out", "--max-size", "30kB", "\(target.path)/noted.jpg",
      ])
      #expect(output.status == .exited(0), "\(output)")
      let copy = try #require(output.lines.first)
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).count <= 30_000)
      #expect(try size(copy) == "400x300")
    }

    @Test func `Without the reader nothing is stripped, and the right program is named`() throws {
      for stripping in ["location", "all"] {
        let output = try Program.run(
          ["list", "--export", "\(target.path)/out", "--strip", stripping, "\(input)/jpeg.jpg"],
          environment: ["TPICK_READER": "/nonexistent"])
        #expect(output.status == .exited(2) && output.lines.isEmpty)
        #expect(output.errors.contains("tpick-reader") && !output.errors.contains("tpick-codecs"))
        #expect(!FileManager.default.fileExists(atPath: "\(target.path)/out/jpeg.jpg"))
      }
    }

    @Test func `Without FFmpeg a video is delivered unchanged with a message, and never with its location`()
      throws
    {
      let environment = ["PATH": "/nowhere"]
      let output = try Program.run(
        ["list", "--export", "\(target.path)/out", "--representation", "compatible", "\(input)/hevc.mov"],
        environment: environment)
      #expect(output.status == .exited(0))
      #expect(output.lines == ["\(target.path)/out/hevc.mov"])
      #expect(
        output.errors.contains(
          "is not converted: ffmpeg, which converts videos, is not installed: install FFmpeg"))
      let stripped = try Program.run(
        ["list", "--export", "\(target.path)/other", "--strip", "location", "\(input)/hevc.mov"],
        environment: environment)
      #expect(stripped.status == .exited(2) && stripped.lines.isEmpty)
    }

    // MARK: In the picker

    @Test func `Options chosen in the picker apply, and every format lists the new files`() throws {
      let session = try Program.pick(
        [
          "-n", "0", "--export", "\(target.path)/out", "--format", "jsonl", "--fields", "+contentType",
          "\(input)/heic.heic",
        ])
      try session.waitForText("1 photo")
      session.send("O")
      try session.waitForText("JPEG and MP4")
      session.send("1024")
      try session.waitForText("at most 1024 pixels")
      session.press(.space)
      try session.waitForText("1024 px")
      session.press(.escape)
      try session.waitForText("JPEG and MP4")
      session.send("MP4")
      try session.waitForNoText("1024 pixels")
      session.press(.space)
      session.press(.escape)
      session.press(.escape)
      try session.waitForNoText("JPEG and MP4")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack)
      let line = try #require(session.outputLines.first)
      let told = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let path = "\(target.path)/out/heic.jpg"
      #expect(told["path"] as? String == path && told["pixelWidth"] as? Int == 320)
      #expect(told["contentType"] as? String == "public.jpeg")
      let resource = (told["resources"] as? [[String: Any]])?.first
      #expect(resource?["size"] as? Int == FileManager.default.contents(atPath: path)?.count)
    }

    @Test func `A file that the consumer can't use can't be picked`() throws {
      let session = try Program.pick(["--accept", "video/mp4", "\(input)/png.png"])
      try session.waitForLibrary("1 photo ")
      session.press(.space)
      try session.waitForText("can't be delivered as MP4")
      session.press(.escape)
      try session.expectExit(.exited(130))
    }

    // MARK: Without a folder

    @Test func `Without a folder converted files are in the cache, and others stay where they are`() throws {
      let cache = "\(target.path)/cache"
      let output = try Program.run(
        [
          "list", "--representation", "compatible", "--sort", "name", "\(input)/heic.heic",
          "\(input)/jpeg.jpg",
        ], environment: ["XDG_CACHE_HOME": cache])
      #expect(output.status == .exited(0))
      #expect(output.lines.count == 2 && output.lines.last == "\(input)/jpeg.jpg")
      let made = try #require(output.lines.first)
      #expect(made.hasPrefix("\(cache)/tpick/results/") && made.hasSuffix("/heic.jpg"))
      let folder = URL(fileURLWithPath: made).deletingLastPathComponent().path
      let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
      #expect(mode == 0o700)
    }

    @Test(arguments: [
      (["--representation", "x"], "unknown value 'x'"), (["--accept", "x"], "'x' is not a file type"),
      (["--quality", "0"], "not a number from 1 to 100"), (["--max-size", "2048,x"], "'x' is neither"),
      (["--max-size", "0"], "is neither"), (["--strip", "x"], "values are location, captions, all"),
      (["--representation", "current", "--max-size", "10"], "can't be used with --representation current"),
      (["--export", "out", "--resources", "all", "--strip", "all"], "can't be used with --resources all"),
    ])
    func `Contradictory options are a usage error`(options: [String], message: String) throws {
      let output = try Program.run(["list"] + options + [input])
      #expect(output.status == .exited(64) && output.errors.contains(message), "\(output)")
    }
  }
}
