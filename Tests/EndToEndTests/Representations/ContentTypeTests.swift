import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// Files whose content differs from their name, and JPEGs that most programs can't read.
  @Suite(.timeLimit(.minutes(120))) struct ContentTypeTests {
    private let folder: TemporaryFolder
    private var input: String { "\(folder.path)/in" }

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeFolder("in")
      try folder.write(Self.jpeg.get(), to: "a.jpg")
    }

    private static let jpeg = Result {
      let workshop = try TemporaryFolder()
      try workshop.run("convert", "-size", "96x64", "gradient:red-blue", "-quality", "92", "a.jpg")
      try workshop.run("exiftool", "-q", "-overwrite_original", "-EXIF:Model=Box", "a.jpg")
      return try workshop.bytes(of: "a.jpg")
    }

    private func list(_ options: [String]) throws -> Program.Output { try Program.run(["list"] + options) }

    // MARK: Names

    /// The types that suffixes promise, with ExifTool's names by content.
    private static let types = [
      "jpg": "image/jpeg", "png": "image/png", "gif": "image/gif", "heic": "image/heic",
      "webp": "image/webp", "mp4": "video/mp4", "mov": "video/quicktime",
    ]
    private static let endings = [".jpg", ".png", ".GIF", ".HEIC", ".webp", ".MOV", ".mp4", ".dat", ""]

    /// A file of each type, by suffix.
    private static let contents = Result<[String: [UInt8]], any Error> {
      let workshop = try TemporaryFolder()
      try workshop.write(jpeg.get(), to: "a.jpg")
      try workshop.run("convert", "a.jpg", "a.png")
      try workshop.run("convert", "a.jpg", "a.gif")
      try workshop.run("convert", "a.jpg", "a.webp")
      try workshop.run("heif-enc", "-p", "preset=ultrafast", "a.jpg", "-o", "a.heic")
      for name in ["a.mp4", "a.mov"] {
        try workshop.run(
          "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "libx264",
          "-pix_fmt", "yuv420p", name)
      }
      return try types.keys.reduce(into: [:]) { $0[$1] = try workshop.bytes(of: "a.\($1)") }
    }

    /// Every content under every name.
    private func makeAllPairs() throws {
      for (content, bytes) in try Self.contents.get() {
        for (number, ending) in Self.endings.enumerated() {
          try folder.write(bytes, to: "in/\(content)-\(number)\(ending)")
        }
      }
    }

    @Test(arguments: [
      (".jpg", ["image/jpeg"]), ("image/jpeg", ["image/jpeg"]), ("image/png", ["image/png"]),
      (".heic,image/jpeg", ["image/jpeg", "image/heic"]), ("video/mp4", ["video/mp4"]),
      (".mov", ["video/quicktime"]),
      ("image/*,video/*", Array(types.values)),
    ])
    func `If a type is requested files have it, with its extension, whatever their names were`(
      accepted: String, taken: [String]
    ) throws {
      try makeAllPairs()
      let output = try list(["--accept", accepted, "--export", "\(folder.path)/out", input])
      var copies: [String: String] = [:]
      for line in try Consumer.text(["exiftool", "-T", "-FileName", "-MIMEType", "\(folder.path)/out"]).split(
        separator: "\n")
      {
        let parts = line.split(separator: "\t").map(String.init)
        try #require(parts.count == 2, "\(line)")
        let name = parts[0]
        #expect(Self.types[String(name.drop { $0 != "." }.dropFirst()).lowercased()] == parts[1], "\(line)")
        #expect(taken.contains(parts[1]), "\(line)")
        copies[String(name.prefix { $0 != "." })] = name
      }
      #expect(output.lines.count == copies.count)
      for (content, type) in Self.types {
        let isVideo = type.hasPrefix("video")
        // Pictures become JPEG or PNG, videos MP4; no other conversions exist.
        let canBe =
          taken.contains(type)
          || (isVideo ? ["video/mp4"] : ["image/jpeg", "image/png"]).contains(where: taken.contains)
        for (number, ending) in Self.endings.enumerated() {
          let stem = "\(content)-\(number)"
          #expect((copies[stem] != nil) == canBe, "\(stem)\(ending)")
          guard let copy = copies[stem], taken.contains(type) else { continue }
          #expect(
            FileManager.default.contentsEqual(
              atPath: "\(input)/\(stem)\(ending)", andPath: "\(folder.path)/out/\(copy)"),
            "\(stem)\(ending)")
        }
      }
    }

    @Test func `Without an export, a file with a wrong suffix gets the right one in the cache folder`() throws
    {
      let bytes = try folder.bytes(of: "a.jpg")
      for name in ["lie.HEIC", "honest.jpg"] { try folder.write(bytes, to: "in/\(name)") }
      let plain = try list(["--sort", "name", input])
      #expect(plain.lines == ["\(input)/honest.jpg", "\(input)/lie.HEIC"])
      let output = try list(["--sort", "name", "--accept", ".jpg", input])
      try #require(output.lines.count == 2)
      #expect(output.lines[0] == "\(input)/honest.jpg")
      #expect(output.lines[1].hasSuffix("/lie.jpg") && !output.lines[1].hasPrefix(input))
      #expect(FileManager.default.contentsEqual(atPath: "\(folder.path)/a.jpg", andPath: output.lines[1]))
      // Without a requested type the name is the user's.
      let export = try list(["--sort", "name", "--export", "\(folder.path)/out", input])
      #expect(export.lines == ["\(folder.path)/out/honest.jpg", "\(folder.path)/out/lie.HEIC"])
      // Existing copies are recognized by their new name.
      let skip = [
        "--sort", "name", "--accept", ".jpg", "--existing", "skip", "--export", "\(folder.path)/night",
      ]
      for _ in 0..<2 {
        #expect(
          try list(skip + [input]).lines.map { ($0 as NSString).lastPathComponent } == [
            "honest.jpg", "lie.jpg",
          ])
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/night").count == 2)
    }

    // MARK: Rare JPEGs

    /// Changes the frame header of a JPEG.
    private func patchFrame(_ name: String, _ change: (inout [UInt8], Int) -> Void) throws {
      var bytes = try folder.bytes(of: "a.jpg")
      let frame = try #require(bytes.firstRange(of: [0xFF, 0xC0, 0x00, 0x11, 0x08])).lowerBound
      change(&bytes, frame)
      try folder.write(bytes, to: "in/\(name)")
    }

    @Test func `Rare JPEG formats become baseline sRGB if compatible ones are requested`() throws {
      try folder.run("convert", "a.jpg", "-colorspace", "CMYK", "\(input)/cmyk.jpg")
      // The last byte of Adobe's marker says whether CMYK went through a matrix.
      var bytes = try folder.bytes(of: "in/cmyk.jpg")
      let adobe = try #require(bytes.firstRange(of: Array("Adobe".utf8))).upperBound
      bytes[adobe + 6] = 2
      try folder.write(bytes, to: "in/ycck.jpg")
      try folder.run("convert", "a.jpg", "a.ppm")
      for (name, options) in [
        ("arithmetic", ["-arithmetic"]), ("arithmetic-progressive", ["-arithmetic", "-progressive"]),
        ("arithmetic-gray", ["-arithmetic", "-grayscale"]),
      ] {
        try folder.run(
          ["cjpeg", "-quality", "95"] + options + ["-outfile", "\(input)/\(name).jpg", "a.ppm"])
      }
      let names = ["arithmetic-gray", "arithmetic-progressive", "arithmetic", "cmyk", "ycck"].map {
        "\($0).jpg"
      }
      for name in names {
        try folder.run("exiftool", "-q", "-overwrite_original", "-EXIF:Model=Box", "\(input)/\(name)")
      }
      let output = try list(["--representation", "compatible", "--export", "\(folder.path)/out", input])
      #expect(output.status == .exited(0) && output.lines.count == names.count, "\(output.errors)")
      for name in names {
        let copy = "\(folder.path)/out/\(name)"
        let facts = try Consumer.text([
          "exiftool", "-s3", "-EncodingProcess", "-ColorComponents", "-BitsPerSample", "-Model",
          "-ICC_Profile:ProfileDescription", copy,
        ])
        #expect(facts.hasPrefix("Baseline DCT, Huffman coding\n3\n8\nBox\nsRGB"), "\(name): \(facts)")
        try folder.run("convert", "\(input)/\(name)", "-colorspace", "sRGB", "reference.png")
        let text = try Consumer.text(
          ["compare", "-metric", "RMSE", copy, "\(folder.path)/reference.png", "null:"], acceptsFailure: true,
          readsErrors: true)
        let number = text.split(separator: "(").dropFirst().compactMap { Double($0.prefix { $0 != ")" }) }
          .first
        #expect(try #require(number) < 0.03, "\(name): \(text)")
      }
      // If any JPEG is accepted, or files are requested unchanged, they stay as they are.
      for options in [["--accept", "image/jpeg"], ["--representation", "current"]] {
        let output = try list(options + ["--sort", "name", input])
        #expect(output.lines == names.map { "\(input)/\($0)" })
      }
    }

    @Test func `JPEGs that every program can read stay unchanged, with their profiles`() throws {
      try folder.run("convert", "a.jpg", "a.ppm")
      try folder.run("cjpeg", "-progressive", "-outfile", "\(input)/progressive.jpg", "a.ppm")
      try folder.run("cjpeg", "-grayscale", "-outfile", "\(input)/gray.jpg", "a.ppm")
      try folder.run("cjpeg", "-rgb", "-outfile", "\(input)/rgb.jpg", "a.ppm")
      try folder.write(TestProfiles.displayP3(), to: "p3.icc")
      try folder.run("convert", "a.jpg", "-profile", "p3.icc", "\(input)/wide.jpg")
      let output = try list(["--representation", "compatible", "--sort", "name", input])
      #expect(output.lines == ["gray", "progressive", "rgb", "wide"].map { "\(input)/\($0).jpg" })
    }

    @Test func `Undecodable JPEGs are refused with their format`() throws {
      try patchFrame("deep.jpg") { bytes, frame in
        bytes[frame + 1] = 0xC1
        bytes[frame + 4] = 12
      }
      try patchFrame("lossless.jpg") { $0[$1 + 1] = 0xC3 }
      try patchFrame("sizes.jpg") { $0[$1 + 1] = 0xC5 }
      let output = try list(["--representation", "compatible", input])
      #expect(output.status == .exited(2) && output.lines.isEmpty)
      for word in [
        "deep.jpg: JPEGs of 12 bits per color can't be decoded",
        "lossless.jpg: lossless JPEGs can't be decoded",
        "sizes.jpg: hierarchical JPEGs can't be decoded",
      ] {
        #expect(output.errors.contains(word), "\(output.errors)")
      }
      #expect(try list([input]).lines.count == 3)
    }
  }
}
