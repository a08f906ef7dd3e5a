@testable import CodecProtocol
import Fixtures
@testable import FolderLibrary
@testable import HelperDecoders
import HelperMetadata
import MediaFormats
import Metadata
import Pixels
import Glibc

/// What the helper reads, run in this process without confinement, and what tpick accepts of its answers.
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
        + (try EncodedFiles.heif().map(\.bytes)) + HostileFiles.all("heic", "avif", "cr3")
    },
    picture("jpegxl", ["jxlc", "jxlp", "ftypjxl ", "Exif"]) {
      try EncodedFiles.jpegXL().map(\.bytes) + HostileFiles.all("jxl")
    },
    picture("tiff", ["II*\0", "MM\0*", "II+\0\u{8}\0\0\0"]) {
      try EncodedFiles.tiff().map(\.bytes) + HostileFiles.all("tif")
    },
    picture("raw", ["II*\0", "FUJIFILM", "IIRO"]) {
      try EncodedFiles.raw().map(\.bytes)
        + HostileFiles.all("dng", "nef", "arw", "pef", "srw", "orf", "rw2", "cr2", "raf")
    },
    picture("movie", ["moov", "trak", "stbl", "stsd", "avc1", "vexu", "eyes", "stri", "keys", "mebx"]) {
      try EncodedFiles.movies().map(\.bytes) + HostileFiles.all("mov", "mp4", "mkv", "avi", "mts")
    },
  ]

  /// One unnamed file for all runs, because the readers need a descriptor.
  private static let file: Int32 = {
    var template = Array("\(P_tmpdir)/tpick-fuzz.XXXXXX".utf8CString)
    let file = mkstemp(&template)
    unlink(template)
    return file
  }()

  private static func picture(
    _ name: String, _ words: [String], seeds: @escaping @Sendable () throws -> [[UInt8]]
  ) -> FuzzTarget {
    FuzzTarget(name: name, words: words, memory: { _ in 512 << 20 }, seeds: seeds) { bytes in
      guard ftruncate(file, 0) == 0, pwrite(file, bytes, bytes.count, 0) == bytes.count else { return false }
      var request = DecodeRequest(targetWidth: 10, targetHeight: 8, maxPixels: 1 << 18)
      if bytes.count % 2 == 0 { (request.targetWidth, request.targetHeight) = (0, 0) }
      if bytes.count % 5 == 0 { request.source = .embedded }
      if bytes.count % 7 == 0 { request.source = .developed }
      let facts = try? FactsReader.facts(of: InputFile(file))
      if let facts { MediaFacts(facts).show() }
      if let picture = try? PictureReader.picture(of: InputFile(file), request) {
        precondition(picture.facts.byteCount == picture.bytes.count)
        // A picture's metadata and its pixels come from different calls of a library.
        if let facts, name == "heif" || name == "raw" {
          precondition(
            facts.width == picture.facts.sourceWidth && facts.height == picture.facts.sourceHeight,
            "metadata: \(facts.width)x\(facts.height), decoded: \(picture.facts.sourceWidth)x\(picture.facts.sourceHeight)"
          )
        }
      }
      return true
    }
  }

  /// Partly available files: the result must not depend on the filler of the missing parts.
  static let partial = FuzzTarget(
    name: "partial",
    words: ["ftyp", "meta", "iloc", "iinf", "iref", "thmb", "moov", "stco", "stsz", "stss", "II*\0"],
    memory: { _ in 512 << 20 },
    seeds: {
      try EncodedFiles.heif().map(\.bytes) + EncodedFiles.raw().map(\.bytes)
        + EncodedFiles.movies().map(\.bytes)
        + HostileFiles.all("heic", "avif", "mov", "mp4", "mkv", "dng", "tif")
    }
  ) { bytes in
    let block = 512
    let head = 0..<min(block, bytes.count)
    var loader = RangeLoader(present: PresentRanges([head]), byteCount: bytes.count, block: block)
    for _ in 0..<12 {
      let outcomes = try? [UInt8(0), 0xA5].map {
        try PartialOutcome(bytes, loader.present, filling: $0, in: file)
      }
      guard let outcomes else { return false }
      precondition(outcomes[0] == outcomes[1], "a hole was read: \(loader.present.ranges)")
      guard case .incomplete(let range) = outcomes[0], loader.next(after: range) != nil else { break }
    }
    return true
  }

  /// The result for a partly available file.
  private enum PartialOutcome: Equatable {
    case picture([UInt8])
    case incomplete(Range<Int>)
    case nothing

    /// - Parameter filler: The bytes in place of missing parts.
    init(_ bytes: [UInt8], _ present: PresentRanges, filling filler: UInt8, in file: Int32) throws {
      var there = [UInt8](repeating: filler, count: bytes.count)
      for range in present.ranges { there[range] = bytes[range] }
      guard ftruncate(file, 0) == 0, pwrite(file, there, there.count, 0) == there.count else {
        throw WireError()
      }
      var request = DecodeRequest(targetWidth: 10, targetHeight: 8, maxPixels: 1 << 18)
      // As for videos and for other files.
      if bytes.count % 2 == 0 { request.source = .embedded }
      request.present = present
      let input = InputFile(file, present: present)
      let picture = try? PictureReader.picture(of: input, request)
      self =
        input.missing.map { .incomplete($0) } ?? picture.map { .picture(Array($0.bytes)) } ?? .nothing
    }
  }

  /// Parses a helper's report on a file, and writes it again.
  private static func readReport(_ bytes: [UInt8], _ range: Range<Int>) {
    var wire = WireReader(bytes, range)
    guard let report = try? MediaReport(from: &wire, byteCount: 1 << 20) else { return }
    if case .medium(.media(let format, let facts?)) = report {
      facts.show()
      // The library's use of it.
      _ = MediaClassifier.subtypes(of: facts, format: format, named: "a.jpg")
      precondition(facts.storedSize.width <= MediaFacts.longestSide && facts.storedSize.width >= 0)
      if let range = facts.thumbnail { precondition(range.upperBound <= 1 << 20) }
      if let range = facts.motionVideo { precondition(range.upperBound <= 1 << 20) }
    }
    var again = WireWriter()
    report.write(to: &again)
    var second = WireReader(again.bytes)
    precondition((try? MediaReport(from: &second, byteCount: 1 << 20)) == report && second.isAtEnd)
  }

  static let wire = FuzzTarget(
    name: "wire",
    seeds: {
      var photo = MediaFacts()
      (photo.make, photo.title, photo.keywords, photo.fNumber) = ("x", "y", ["a", "b"], 2.8)
      photo.captureTime = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9)
      photo.thumbnail = 100..<200
      var reports = ReportsAnswer()
      reports.append { MediaReport.medium(.media(.jpeg, photo)).write(to: &$0) }
      reports.append { MediaReport.sidecar(photo).write(to: &$0) }
      var report = WireWriter()
      MediaReport.medium(.media(.png, photo)).write(to: &report)
      let picture = PictureFacts(width: 4, height: 3)
      let answers: [CodecAnswer] = [
        .ready(version: CodecAnswer.version, HelperConfinement(hasFilter: true, landlock: 1)),
        .picture(picture, number: 2),
        .failure(.unreadable("why"), number: 3), .endOfFrames(number: 4),
        .frame(
          picture, FrameFacts(start: 1 << 40, duration: 33_333, playCount: 3, length: 1 << 41), number: 5),
        .rendering(RenderingFacts(picture: picture, thumbnail: picture, decodedPixels: 12), number: 6),
        .thumbnail(ThumbnailFacts(words: ["Thumb::URI": "file:///a"], picture: picture), number: 7),
        .reports(reports, number: 8),
      ]
      let thumbnail = ThumbnailRequest(longestSide: 256, longestFile: 1 << 20, wantsPicture: true)
      let requests: [CodecRequest] = [
        .picture(DecodeRequest(), seconds: 1, number: 1), .rendering(RenderingRequest(), number: 2),
        .thumbnail(thumbnail, number: 3), .stop, .cancel,
      ]
      let frames =
        answers.map { answer in WireWriter.frame { answer.write(to: &$0) } }
        + requests.map { request in WireWriter.frame { request.write(to: &$0) } }
      return frames.map { Array($0.dropFirst(4)) } + [report.bytes]
    }
  ) { bytes in
    if let answer = try? CodecAnswer(bytes) {
      // A parsed report is written the same again.
      let frame = WireWriter.frame { answer.write(to: &$0) }
      precondition((try? CodecAnswer(Array(frame.dropFirst(4)))) != nil)
      // Where tpick reads the pixels.
      if case .rendering(let facts, _) = answer { precondition(facts.offsets.allSatisfy { $0 >= 0 }) }
    }
    _ = try? CodecRequest(bytes)
    if case .reports(let reports, _)? = try? CodecAnswer(bytes) {
      for range in reports.ranges ?? [] { readReport(reports.bytes, range) }
    }
    readReport(bytes, bytes.indices)
    return true
  }
}
