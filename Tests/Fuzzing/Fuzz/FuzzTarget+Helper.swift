@testable import CodecProtocol
import Fixtures
@testable import FolderLibrary
@testable import HelperDecoders
import MediaFormats
import Metadata
import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// What the helper reads, in this process and without its confinement, and what tpick believes of its answers.
extension FuzzTarget {
  static let helper = [
    picture(
      "heif",
      [
        "ftyp", "meta", "iloc", "iinf", "infe", "iprp", "ipco", "ipma", "irot", "grid", "iref", "hvcC",
        "av1C",
      ]
    ) {
      [
        HandmadeHEIC(quarterTurns: 1, auxiliaryTypes: ["urn:mpeg:hevc:2015:auxid:1"], hasSecondPicture: true)
          .bytes
      ]
        + (try encoded([["heif-enc", "a.png", "-o", "a.heic"], ["heif-enc", "-A", "a.png", "-o", "a.avif"]]))
    },
    picture("jpegxl", ["jxlc", "jxlp", "ftypjxl ", "Exif"]) {
      try encoded([
        ["cjxl", "a.png", "a.jxl", "-e", "3", "--container=1"],
        ["cjxl", "a.png", "b.jxl", "-d", "0", "-e", "1"],
      ])
    },
    picture("tiff", ["II*\0", "MM\0*", "II+\0\u{8}\0\0\0"]) {
      try encoded([
        ["convert", "a.png", "-compress", "lzw", "a.tif"],
        ["convert", "a.png", "-compress", "none", "TIFF64:b.tif"],
        ["convert", "a.png", "-compress", "jpeg", "-define", "tiff:tile-geometry=16x16", "c.tif"],
        ["convert", "a.png", "-compress", "zip", "-interlace", "plane", "d.tif"],
        ["convert", "a.png", "-monochrome", "-compress", "group4", "e.tif"],
      ])
    },
    picture("raw", ["II*\0", "FUJIFILM", "IIRO"]) {
      // LibRaw takes nothing with fewer than 22 rows or columns for a picture.
      var negative = HandmadeDNG(width: 32, height: 24)
      let sensor = negative.bytes
      var photo = TestPhoto(width: 24, height: 18)
      photo.hasEXIF = false
      negative.preview = (try photo.bytes(), 24, 18)
      // Numbers of floating point can be anything.
      var tame = HandmadeDNG(width: 32, height: 24)
      tame.floats = (exposure: 0.004, aperture: 2.8, focalLength: 35)
      var wild = tame
      wild.floats = (exposure: 1e-37, aperture: 1e30, focalLength: 35)
      return [sensor, negative.bytes, tame.bytes, wild.bytes]
    },
    picture("movie", ["moov", "trak", "stbl", "stsd", "avc1", "vexu", "eyes", "stri", "keys", "mebx"]) {
      let still = [
        "ffmpeg", "-loop", "1", "-framerate", "5", "-t", "0.6", "-i", "a.png", "-vf", "scale=32:32",
      ]
      return [HandmadeMovie(rotation: 90, timedKeys: ["com.apple.quicktime.cinematic-video.x"]).bytes]
        + (try encoded([
          still + ["-c:v", "mpeg4", "a.mp4"], still + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "b.mp4"],
          still + ["-c:v", "mpeg4", "a.mkv"], still + ["-c:v", "mjpeg", "a.avi"],
          still + ["-f", "mpegts", "a.ts"],
        ]))
    },
  ]

  /// One file without a name for all runs: the readers want a descriptor.
  private static let file: Int32 = {
    var template = Array("\(P_tmpdir)/tpick-fuzz.XXXXXX".utf8CString)
    let file = mkstemp(&template)
    unlink(template)
    return file
  }()

  private static func picture(
    _ name: String, _ words: [String], seeds: @escaping @Sendable () throws -> [[UInt8]]
  ) -> FuzzTarget {
    FuzzTarget(name: name, words: words, seeds: seeds) { bytes in
      guard ftruncate(file, 0) == 0, pwrite(file, bytes, bytes.count, 0) == bytes.count else { return false }
      var request = DecodeRequest(targetWidth: 10, targetHeight: 8, maxPixels: 1 << 18)
      if bytes.count % 2 == 0 { (request.targetWidth, request.targetHeight) = (0, 0) }
      if bytes.count % 5 == 0 { request.source = .embedded }
      if bytes.count % 7 == 0 { request.source = .developed }
      if let facts = try? FactsReader.facts(of: InputFile(file)) { MediaFacts(facts).show() }
      if let picture = try? PictureReader.picture(of: InputFile(file), request) {
        precondition(picture.facts.byteCount == picture.bytes.count)
      }
      return true
    }
  }

  private static func encoded(_ commands: [[String]]) throws -> [[UInt8]] {
    let folder = try TemporaryFolder()
    try folder.write(TestScene.make(PixelSize(width: 40, height: 34)).pam, to: "a.pam")
    try folder.run("convert", "a.pam", "-alpha", "off", "a.png")
    return try commands.map { command in
      try folder.run(command)
      let name = command.last { $0.hasSuffix(".jxl") } ?? command.last ?? ""
      return try folder.bytes(of: name.split(separator: ":").last.map(String.init) ?? "")
    }
  }

  /// Reads what a helper says of a file, and says it again.
  private static func readReport(_ bytes: [UInt8], _ range: Range<Int>) {
    var decoder = FactsDecoder(bytes, range)
    guard let report = try? decoder.report(byteCount: 1 << 20) else { return }
    if case .medium(.media(_, let facts?)) = report {
      facts.show()
      if let range = facts.thumbnail { precondition(range.upperBound <= 1 << 20) }
      if let range = facts.motionVideo { precondition(range.upperBound <= 1 << 20) }
    }
    var again: [UInt8] = []
    FactsEncoder.append(report, to: &again)
    var second = FactsDecoder(again)
    precondition((try? second.report(byteCount: 1 << 20)) == report)
  }

  static let wire = FuzzTarget(
    name: "wire",
    seeds: {
      var facts = CodecFacts()
      facts.exif = [1, 2, 3]
      facts.tags = ["make": "x"]
      facts.auxiliaryTypes = ["a"]
      var photo = MediaFacts()
      (photo.make, photo.title, photo.keywords, photo.fNumber) = ("x", "y", ["a", "b"], 2.8)
      photo.captureTime = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9)
      photo.thumbnail = 100..<200
      var reports = ReportsAnswer()
      reports.append { FactsEncoder.append(.medium(.media(.jpeg, photo)), to: &$0) }
      reports.append { FactsEncoder.append(.sidecar(photo), to: &$0) }
      var report: [UInt8] = []
      FactsEncoder.append(.medium(.media(.png, photo)), to: &report)
      let answers: [CodecAnswer] = [
        .ready(version: CodecAnswer.version, HelperConfinement(hasFilter: true, landlock: 1)),
        .facts(facts, number: 1),
        .picture(PictureFacts(width: 4, height: 3), number: 2), .failure(.unreadable("why"), number: 3),
        .reports(reports, number: 4),
      ]
      let request = CodecRequest.picture(DecodeRequest(), seconds: 1, number: 1)
      return
        (answers.map { answer in WireWriter.frame { answer.write(to: &$0) } }
        + [WireWriter.frame { request.write(to: &$0) }]).map { Array($0.dropFirst(4)) } + [report]
    }
  ) { bytes in
    if let answer = try? CodecAnswer(bytes) {
      // What was understood says the same again.
      let frame = WireWriter.frame { answer.write(to: &$0) }
      precondition((try? CodecAnswer(Array(frame.dropFirst(4)))) != nil)
    }
    _ = try? CodecRequest(bytes)
    if case .reports(let reports, _)? = try? CodecAnswer(bytes) {
      for range in reports.ranges ?? [] { readReport(reports.bytes, range) }
    }
    readReport(bytes, bytes.indices)
    return true
  }
}
