import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// Parts of files that can carry a location or a serial number, whichever program put them there.
  @Suite(.timeLimit(.minutes(120))) struct CarrierTests {
    /// What no copy without metadata may contain.
    private static let secrets = ["SN4711", "38.7223"]
    private static let secret = Array("SN4711 38.7223,-9.1393 ".utf8)

    private struct Carrier: Sendable {
      var name: String
      /// The suffix of the file name.
      var suffix: String
      var bytes: [UInt8]
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The output of the programs for dozens of carriers, for both tests.
    private static let made = Result {
      let workshop = try CarrierTests()
      return (
        carriers: try workshop.pictures() + workshop.videos(),
        references: try ["base", "progressive"].map {
          (name: "\($0).jpg", bytes: try workshop.folder.bytes(of: "\($0).jpg"))
        }
      )
    }

    // Takes seconds: FFmpeg starts several times for each video, the helper for each picture.
    @Test(arguments: ["all", "location"])
    func `Of a hundred carriers no picture or video leaks a location or a serial number`(
      stripping: String
    ) throws {
      let carriers = try Self.made.get().carriers
      #expect(carriers.count >= 90, "\(carriers.count)")
      for (number, carrier) in carriers.enumerated() {
        try folder.write(carrier.bytes, to: "in/\(Self.name(number, carrier))")
        // The carrier works: the data can be found.
        let isFound =
          Self.secrets.contains { Self.holds(carrier.bytes, $0) } || carrier.name.hasSuffix("packed")
        #expect(isFound, "\(carrier.name)")
      }
      let output = try Program.run(
        [
          "list", "--sort", "name", "--strip", stripping, "--export", "\(folder.path)/out",
          "\(folder.path)/in",
        ], timeout: 900)
      let tags = try sections(
        of: ["exiftool", "-a", "-u", "-U", "-ee", "-G1", "-s", "\(folder.path)/out"], mark: "======== ")
      var survivors: [String] = []
      for (number, carrier) in carriers.enumerated() {
        let name = Self.name(number, carrier)
        guard let copy = try? folder.bytes(of: "out/\(name)") else {
          Issue.record("\(carrier.name) is refused: \(output.errors)")
          continue
        }
        let words = tags["\(folder.path)/out/\(name)"] ?? ""
        if Self.secrets.contains(where: { Self.holds(copy, $0) || words.contains($0) }) {
          survivors.append(carrier.name)
        }
      }
      #expect(survivors.isEmpty, "\(survivors.count): \(survivors)")
      try comparePixels(carriers)
    }

    /// The output of a program for each file, after a line with its path.
    private func sections(of command: [String], mark: String) throws -> [String: String] {
      var found: [String: String] = [:]
      for section in try Consumer.text(command, acceptsFailure: true).components(separatedBy: mark) {
        guard let end = section.firstIndex(of: "\n") else { continue }
        found[String(section[..<end])] = String(section[end...])
      }
      return found
    }

    private static func name(_ number: Int, _ carrier: Carrier) -> String {
      "carrier-\(String(number + 1000).dropFirst())x.\(carrier.suffix)"
    }

    /// Whether bytes contain a text, in one of the usual encodings.
    private static func holds(_ bytes: [UInt8], _ text: String) -> Bool {
      let data = Data(bytes)
      let plain = Array(text.utf8)
      return [plain, plain.flatMap { [$0, 0] }, plain.flatMap { [0, $0] }].contains {
        data.range(of: Data($0)) != nil
      }
    }

    /// The pixels of JPEGs are unchanged, whatever other programs read from the carriers.
    private func comparePixels(_ carriers: [Carrier]) throws {
      let names = carriers.indices.filter { carriers[$0].suffix == "jpg" }
      let paths = names.map { "\(folder.path)/out/\(Self.name($0, carriers[$0]))" }
      let references = try Self.made.get().references.map { reference in
        try folder.write(reference.bytes, to: reference.name)
        return "\(folder.path)/\(reference.name)"
      }
      let text = try Consumer.text(["identify", "-format", "%#\n"] + references + paths)
      let digests = text.split(separator: "\n").map(String.init)
      try #require(digests.count == paths.count + 2)
      for (number, digest) in zip(names, digests.dropFirst(2)) {
        let name = carriers[number].name
        #expect(digest == digests[name.hasSuffix("before a scan") ? 1 : 0], "\(name)")
      }
    }

    // MARK: Bytes

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    /// A color profile with texts in private tags and in standard ones.
    private static var profile: [UInt8] {
      let xyz = { (x: Int, y: Int, z: Int) in
        Array("XYZ ".utf8) + big(0, 4) + big(x, 4) + big(y, 4) + big(z, 4)
      }
      let curve = Array("curv".utf8) + big(0, 4) + big(1, 4) + [2, 0x33, 0, 0]
      let words =
        Array("desc".utf8) + big(0, 4) + big(secret.count + 1, 4) + secret + [UInt8](repeating: 0, count: 80)
      let tags: [(String, [UInt8])] = [
        ("desc", words), ("cprt", Array("text".utf8) + big(0, 4) + secret + [0]),
        ("rXYZ", xyz(0x6FA2, 0x38F5, 0x390)), ("gXYZ", xyz(0x6299, 0xB785, 0x18DA)),
        ("bXYZ", xyz(0x24A0, 0xF84, 0xB6CF)), ("wtpt", xyz(0xF351, 0x10000, 0x116CC)), ("rTRC", curve),
        ("gTRC", curve), ("bTRC", curve), ("dmnd", words), ("SECR", secret + secret),
      ]
      var table: [UInt8] = []
      var body: [UInt8] = []
      for (name, data) in tags {
        table += Array(name.utf8) + big(132 + 12 * tags.count + body.count, 4) + big(data.count, 4)
        body += data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
      }
      var head = big(132 + table.count + body.count, 4) + Array("lcms".utf8) + [2, 0x10, 0, 0]
      head += Array("mntrRGB XYZ ".utf8) + [7, 0xE7, 0, 5, 0, 1, 0, 12, 0, 0, 0, 0] + Array("acsp".utf8)
      head += [UInt8](repeating: 0, count: 28) + [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]
      head += Array("SN4711".utf8) + [UInt8](repeating: 0, count: 42)
      return head + big(tags.count, 4) + table + body
    }

    // MARK: Pictures

    private func pictures() throws -> [Carrier] {
      try folder.run(
        "convert", "-size", "96x64", "gradient:red-blue", "-quality", "90", "+profile", "*", "base.jpg")
      try folder.run("convert", "base.jpg", "-interlace", "JPEG", "progressive.jpg")
      try folder.run("convert", "base.jpg", "-strip", "base.png")
      try folder.run("convert", "base.jpg", "-strip", "-colors", "16", "PNG8:palette.png")
      try folder.run("convert", "base.jpg", "-strip", "(", "+clone", "-negate", ")", "-loop", "3", "base.gif")
      try folder.run("convert", "base.jpg", "-strip", "-define", "webp:lossless=true", "base.webp")
      try folder.run("ffmpeg", "-v", "error", "-i", "base.gif", "-loop", "0", "moving.webp")
      try folder.run("convert", "base.jpg", "-strip", "BMP3:base.bmp")
      try folder.run("convert", "base.jpg", "-strip", "base5.bmp")
      return try jpegs() + pngs() + gifs() + webPs() + bmps()
    }

    private func jpegs() throws -> [Carrier] {
      let secret = Self.secret
      let base = try folder.bytes(of: "base.jpg")
      let progressive = try folder.bytes(of: "progressive.jpg")
      var found: [Carrier] = []
      func add(_ name: String, _ bytes: [UInt8]) {
        found.append(Carrier(name: name, suffix: "jpg", bytes: bytes))
      }
      func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xFF, marker] + Self.big(payload.count + 2, 2) + payload
      }
      func first(_ marker: UInt8, in bytes: [UInt8]) throws -> Int {
        var at = 2
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
          if bytes[at + 1] == marker { return at }
          at += 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
        }
        throw FixtureError("no segment \(marker)")
      }
      func inserting(_ more: [UInt8], before marker: UInt8, in bytes: [UInt8]) throws -> [UInt8] {
        let at = try first(marker, in: bytes)
        return Array(bytes[..<at]) + more + bytes[at...]
      }
      // Longer than its format requires.
      func lengthening(_ marker: UInt8, in bytes: [UInt8]) throws -> [UInt8] {
        let at = try first(marker, in: bytes)
        let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
        let end = at + 2 + length
        return Array(bytes[..<(at + 2)]) + Self.big(length + secret.count, 2) + bytes[(at + 4)..<end] + secret
          + bytes[end...]
      }
      for marker in 0xE0...0xEF {
        add("APP\(marker - 0xE0)", try inserting(segment(UInt8(marker), secret), before: 0xDB, in: base))
      }
      for marker in [0xFE, 0x02, 0xBF, 0xC8, 0xCC, 0xDE, 0xDF, 0xF0, 0xF7, 0xFD] as [UInt8] {
        add(
          "segment \(String(marker, radix: 16))",
          try inserting(segment(marker, secret), before: 0xDB, in: base))
        add(
          "segment \(String(marker, radix: 16)) before a scan",
          try inserting(segment(marker, secret), before: 0xDA, in: progressive))
      }
      let marks = [
        "JFXX\0", "Exif\0\0", "http://ns.adobe.com/xap/1.0/\0", "http://ns.adobe.com/xmp/extension/\0",
        "MPF\0", "FPXR\0",
        "Photoshop 3.0\0", "Adobe", "Ducky", "Adobe\0\u{64}\0\0\0\0\0",
      ]
      for mark in marks {
        let payload = Array(mark.utf8) + secret
        for marker in [0xE0, 0xE1, 0xE2, 0xED, 0xEE] as [UInt8] where mark != "Adobe" || marker == 0xEE {
          if marker == 0xE1 || mark.hasPrefix("JFXX") == (marker == 0xE0) {
            add(
              "\(mark.prefix(4)) in \(String(marker, radix: 16))",
              try inserting(segment(marker, payload), before: 0xDB, in: base))
          }
        }
      }
      add(
        "profile",
        try inserting(
          segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + Self.profile), before: 0xDB, in: base))
      add("DNL", try inserting(segment(0xDC, [0, 64] + secret), before: 0xDA, in: base))
      for marker in [0xDB, 0xC4, 0xC0, 0xDA] as [UInt8] {
        add("longer \(String(marker, radix: 16))", try lengthening(marker, in: base))
      }
      add("longer DRI", try inserting(segment(0xDD, [0, 0] + secret), before: 0xDA, in: base))
      let filler = [UInt8](repeating: 0x41, count: 64 - secret.count)
      add(
        "table of no component", try inserting(segment(0xDB, [3] + secret + filler), before: 0xC0, in: base))
      add(
        "table of no scan",
        try inserting(
          segment(0xC4, [0x13] + [UInt8](repeating: 0, count: 15) + [UInt8(secret.count)] + secret),
          before: 0xDA,
          in: base))
      add(
        "table that is replaced", try inserting(segment(0xDB, [0] + secret + filler), before: 0xDB, in: base))
      add("between segments", try inserting(secret, before: 0xDA, in: base))
      add("behind the end", base + secret)
      add("behind the pixels", Array(base.dropLast(2)) + secret + [0xFF, 0xD9])
      add(
        "another picture behind the end", try base + inserting(segment(0xE1, secret), before: 0xDB, in: base))
      for (name, words) in [
        ("EXIF's position", ["-EXIF:GPSMapDatum=SN4711 38.7223"]),
        (
          "XMP",
          ["-XMP-exif:GPSLatitude=38.7223", "-XMP-exif:GPSLongitude=-9.1393", "-XMP-exif:GPSMapDatum=SN4711"]
        ),
        ("IPTC", ["-IPTC:Sub-location=SN4711 38.7223"]),
      ] {
        try folder.run("cp", "base.jpg", "tagged.jpg")
        try folder.run(["exiftool", "-q", "-overwrite_original"] + words + ["tagged.jpg"])
        add("\(name) packed", try folder.bytes(of: "tagged.jpg"))
      }
      return found
    }

    private func pngs() throws -> [Carrier] {
      let secret = Self.secret
      let base = try folder.bytes(of: "base.png")
      let palette = try folder.bytes(of: "palette.png")
      var found: [Carrier] = []
      func add(_ name: String, _ bytes: [UInt8]) {
        found.append(Carrier(name: name, suffix: "png", bytes: bytes))
      }
      func inserting(
        _ kind: String, _ data: [UInt8], before other: String = "IDAT", in bytes: [UInt8]
      ) -> [UInt8] {
        // One of each kind: the file's own is removed.
        var result = Array(bytes[..<8])
        var at = 8
        var isDone = false
        while at + 12 <= bytes.count {
          let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
          let name = String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self)
          if name == other, !isDone {
            result += PictureFiles.pngChunk(kind, data)
            isDone = true
          }
          if name != kind { result += bytes[at..<(at + 12 + length)] }
          at += 12 + length
        }
        return result
      }
      for kind in ["tEXt", "tIME", "sPLT", "hIST", "eXIf", "prVt", "dSIG", "vpAg", "caNv", "orNT"] {
        add(kind, inserting(kind, secret, in: base))
      }
      add(
        "tEXt behind the picture",
        inserting("tEXt", Array("Comment\0".utf8) + secret, before: "IEND", in: base))
      add("iTXt", inserting("iTXt", Array("Comment\0\0\0\0\0".utf8) + secret, in: base))
      add("longer gAMA", inserting("gAMA", Self.big(45455, 4) + secret, in: base))
      add(
        "longer cHRM",
        inserting(
          "cHRM",
          [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000].flatMap { Self.big($0, 4) } + secret,
          in: base))
      add("longer sRGB", inserting("sRGB", [0] + secret, in: base))
      add("longer pHYs", inserting("pHYs", Self.big(2835, 4) + Self.big(2835, 4) + [1] + secret, in: base))
      add("longer bKGD", inserting("bKGD", [0, 0, 0, 0, 0, 0] + secret, in: base))
      add("longer sBIT", inserting("sBIT", [8, 8, 8] + secret, in: base))
      add("longer cICP", inserting("cICP", [1, 13, 0, 1] + secret, in: base))
      add(
        "longer acTL behind the picture",
        inserting("acTL", Self.big(1, 4) + Self.big(0, 4) + secret, before: "IEND", in: base))
      add("longer tRNS", inserting("tRNS", [UInt8](repeating: 255, count: 256) + secret, in: palette))
      add("longer IEND", inserting("IEND", secret, before: "IEND", in: base))
      add("behind the end", base + secret)
      try folder.write(Self.profile, to: "profile.icc")
      let packed = try Consumer.run([
        Program.python, "-c",
        "import sys, zlib; sys.stdout.buffer.write(zlib.compress(open(sys.argv[1],'rb').read()))",
        "\(folder.path)/profile.icc",
      ])
      add("the profile's name", inserting("iCCP", Array("SN4711 38.7223\0\0".utf8) + packed, in: base))
      add("the profile packed", inserting("iCCP", Array("x\0\0".utf8) + packed, in: base))
      add("behind the profile", inserting("iCCP", Array("x\0\0".utf8) + packed + secret, in: base))
      return found
    }

    private func gifs() throws -> [Carrier] {
      let secret = Self.secret
      let base = try folder.bytes(of: "base.gif")
      let table = base[10] & 0x80 == 0 ? 0 : 3 << (Int(base[10] & 7) + 1)
      let start = 13 + table
      var found: [Carrier] = []
      func add(_ name: String, _ bytes: [UInt8]) {
        found.append(Carrier(name: name, suffix: "gif", bytes: bytes))
      }
      func inserting(_ more: [UInt8]) -> [UInt8] { Array(base[..<start]) + more + base[start...] }
      let block = [UInt8(secret.count)] + secret
      add("comment", inserting([0x21, 0xFE] + block + [0]))
      add("text", inserting([0x21, 0x01, 12] + [UInt8](repeating: 0, count: 12) + block + [0]))
      add("a program's data", inserting([0x21, 0xFF, 11] + Array("SECRETS 1.0".utf8) + block + [0]))
      add("XMP", inserting([0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + block + [0]))
      add("an unknown extension", inserting([0x21, 0x33] + block + [0]))
      add(
        "behind how often it plays",
        inserting([0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0] + block + [0]))
      add(
        "a longer count",
        inserting(
          [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [UInt8(3 + secret.count), 1, 0, 0] + secret + [0]))
      add("behind the control", inserting([0x21, 0xF9, 4, 0, 10, 0, 0] + block + [0]))
      add("a longer control", inserting([0x21, 0xF9, UInt8(4 + secret.count), 0, 10, 0, 0] + secret + [0]))
      // The empty block before the end marker closes the last picture.
      add("behind the pixels", Array(base.dropLast(2)) + block + [0, 0x3B])
      add("behind the end", base + secret)
      return found
    }

    private func webPs() throws -> [Carrier] {
      let secret = Self.secret
      let (base, moving) = (try folder.bytes(of: "base.webp"), try folder.bytes(of: "moving.webp"))
      var found: [Carrier] = []
      func add(_ name: String, _ bytes: [UInt8]) {
        found.append(Carrier(name: name, suffix: "webp", bytes: bytes))
      }
      func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        Array(kind.utf8) + Self.little(data.count, 4) + data + (data.count % 2 == 0 ? [] : [0])
      }
      func file(_ body: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + Self.little(body.count + 4, 4) + Array("WEBP".utf8) + body
      }
      let header = { (flags: UInt8) in [flags, 0, 0, 0] + Self.little(95, 3) + Self.little(63, 3) }
      let picture = Array(base[12...])
      add("EXIF", file(chunk("VP8X", header(0x08)) + picture + chunk("EXIF", secret)))
      add("XMP", file(chunk("VP8X", header(0x04)) + picture + chunk("XMP ", secret)))
      add("an unknown chunk", file(chunk("VP8X", header(0)) + picture + chunk("SECR", secret)))
      add("a longer header", file(chunk("VP8X", header(0) + secret) + picture))
      add("the profile", file(chunk("VP8X", header(0x20)) + chunk("ICCP", Self.profile) + picture))
      add("behind the end", base + secret)
      // In an animation: after the header of all frames, and within a frame.
      var body: [UInt8] = []
      var longer: [UInt8] = []
      var at = 12
      while at + 8 <= moving.count {
        let length = moving[(at + 4)..<(at + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
        let kind = String(decoding: moving[at..<(at + 4)], as: UTF8.self)
        let data = Array(moving[(at + 8)..<min(moving.count, at + 8 + length)])
        body += chunk(kind, kind == "ANMF" ? data + chunk("SECR", secret) : data)
        longer += chunk(kind, kind == "ANIM" ? data + secret : data)
        at += 8 + length + length % 2
      }
      add("within a frame", file(body))
      add("behind the colors of an animation", file(longer))
      return found
    }

    private func bmps() throws -> [Carrier] {
      let secret = Self.secret
      let base = try folder.bytes(of: "base.bmp")
      let long = try folder.bytes(of: "base5.bmp")
      let start = base[10..<14].reversed().reduce(0) { $0 << 8 | Int($1) }
      var gap = Array(base[..<start]) + secret + base[start...]
      gap.replaceSubrange(10..<14, with: Self.little(start + secret.count, 4))
      var profiled = long + secret
      // The last header states where a profile is, and its length.
      if profiled[14] == 124 {
        profiled.replaceSubrange(70..<74, with: Array("DEBM".utf8))
        profiled.replaceSubrange(
          126..<134, with: Self.little(long.count - 14, 4) + Self.little(secret.count, 4))
      }
      return [
        Carrier(name: "behind the pixels", suffix: "bmp", bytes: base + secret),
        Carrier(name: "before the pixels", suffix: "bmp", bytes: gap),
        Carrier(name: "a profile", suffix: "bmp", bytes: profiled),
      ]
    }

    // MARK: Videos

    private func videos() throws -> [Carrier] {
      var found: [Carrier] = []
      let source = [
        "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-f", "lavfi", "-i", "sine=d=1", "-pix_fmt",
        "yuv420p",
      ]
      func ffmpeg(_ name: String, _ words: [String]) throws {
        try folder.run(["ffmpeg", "-v", "error", "-y"] + words + [name])
      }
      func add(_ name: String, _ file: String, _ change: ([UInt8]) -> [UInt8] = { $0 }) throws {
        found.append(
          Carrier(
            name: name, suffix: String(file.split(separator: ".").last ?? ""),
            bytes: change(try folder.bytes(of: file))))
      }
      // Frames that are JPEGs, with a comment in each.
      try ffmpeg("f%d.jpg", ["-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-pix_fmt", "yuvj420p"])
      for number in 1...5 {
        let frame = try folder.bytes(of: "f\(number).jpg")
        let comment = [0xFF, 0xFE] + Self.big(Self.secret.count + 2, 2) + Self.secret
        try folder.write(Array(frame[..<2]) + comment + frame[2...], to: "f\(number).jpg")
      }
      for suffix in ["mov", "avi", "mkv"] {
        try ffmpeg("jpegs.\(suffix)", ["-framerate", "5", "-i", "f%d.jpg", "-c", "copy"])
        try add("frames in \(suffix)", "jpegs.\(suffix)")
      }
      // User data: where the encoder writes its name.
      for suffix in ["avi", "mkv", "mp4"] {
        try ffmpeg("old.\(suffix)", source + ["-c:v", "mpeg4", "-an"])
        try add("user data in \(suffix)", "old.\(suffix)") { bytes in
          var bytes = bytes
          var data = Data(bytes)
          while let range = data.range(of: Data("Lavc".utf8)) {
            let word = Array(
              "SN4711 38.7223".utf8.prefix(
                max(4, min(12, data[range.lowerBound...].prefix { $0 > 0x20 }.count))))
            bytes.replaceSubrange(range.lowerBound..<(range.lowerBound + word.count), with: word)
            data = Data(bytes)
          }
          return bytes
        }
      }
      // Messages and units without meaning in H.264.
      try ffmpeg("play.mp4", source + ["-c:v", "libx264", "-c:a", "aac"])
      let message = "h264_metadata=sei_user_data=17ee8c60f84d11d98cd60800200c9a66+SN4711 38.7223"
      for suffix in ["mp4", "mov", "mkv", "mts"] {
        try ffmpeg("message.\(suffix)", ["-i", "play.mp4", "-c", "copy", "-bsf:v", message])
        try add("message in \(suffix)", "message.\(suffix)")
      }
      let trackTags = [
        "-metadata:s:v", "title=SN4711 38.7223", "-metadata:s:a", "handler_name=SN4711 38.7223",
      ]
      for suffix in ["mp4", "mov", "mkv", "avi"] {
        // Texts that may stay when only the location is removed are not among these.
        try ffmpeg(
          "tags.\(suffix)",
          [
            "-i", "play.mp4", "-c", "copy", "-metadata", "track=SN4711 38.7223", "-metadata",
            "location=+38.7223-009.1393/",
          ] + trackTags)
        try add("tags of tracks in \(suffix)", "tags.\(suffix)")
      }
      try ffmpeg(
        "open.webm",
        source + [
          "-c:v", "libvpx", "-c:a", "libvorbis", "-metadata:s:a", "SERIAL=SN4711", "-metadata",
          "LOCATION=38.7223",
        ])
      try add("tags in webm", "open.webm")
      try add("Vorbis' header", "open.webm") { bytes in
        // The name of the encoder's library is there.
        var bytes = bytes
        if let range = Data(bytes).range(of: Data("Xiph.Org".utf8)) {
          bytes.replaceSubrange(range, with: Array("SN471138".utf8))
        }
        if let range = Data(bytes).range(of: Data("Lavf".utf8)) {
          bytes.replaceSubrange(range, with: Array("SN47".utf8))
        }
        return bytes
      }
      try add("behind the end of an MP4", "play.mp4") {
        $0 + Self.big(8 + Self.secret.count, 4) + Array("free".utf8) + Self.secret
      }
      try folder.write(Array("1\n00:00:00,000 --> 00:00:01,000\nSN4711 38.7223\n".utf8), to: "words.srt")
      try ffmpeg("subtitles.mkv", ["-i", "play.mp4", "-i", "words.srt", "-c", "copy"])
      try add("subtitles", "subtitles.mkv")
      try ffmpeg(
        "attached.mkv",
        ["-i", "play.mp4", "-c", "copy", "-attach", "words.srt", "-metadata:s:t", "mimetype=text/plain"])
      try add("attachment", "attached.mkv")
      try folder.write(
        Array(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=900\ntitle=SN4711 38.7223\n".utf8),
        to: "chapters")
      try ffmpeg(
        "chapters.mkv",
        ["-i", "play.mp4", "-i", "chapters", "-map_metadata", "1", "-map_chapters", "1", "-c", "copy"])
      try add("chapters", "chapters.mkv")
      return found
    }
  }
}
