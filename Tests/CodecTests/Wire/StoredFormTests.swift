import Fixtures
import MediaFormats
import Metadata
import Pixels
import Testing

@testable import CodecProtocol

/// The messages between tpick and its helpers are recorded with their protocol version.
@Suite struct StoredFormTests {
  @Test func `The bytes of a message change only with the version in the helper's greeting`() {
    let now = StoredForm(
      version: Int(CodecAnswer.version), text: (Self.lines + [Self.formats]).joined(separator: "\n"))
    let constant = "CodecAnswer.version (Sources/CodecProtocol/Messages/CodecAnswer.swift)"
    let advice = "tpick refuses a helper of another version: install all programs together."
    #expect(Self.messages.mismatch(with: now, constant: constant, advice: advice) == nil)
  }

  /// The wire numbers of the formats.
  private static let formats =
    "formats: " + FileFormat.allCases.map { "\($0.rawValue) \($0)" }.joined(separator: ", ")

  private static func line(_ name: String, _ write: (inout WireWriter) -> Void) -> String {
    var wire = WireWriter()
    write(&wire)
    return "\(name): "
      + wire.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private static var lines: [String] {
    requests.map { request in line("request \(request.name)") { request.value.write(to: &$0) } }
      + answers.map { answer in line("answer \(answer.name)") { answer.value.write(to: &$0) } }
      + reports.map { report in line("report \(report.name)") { report.value.write(to: &$0) } }
      + [
        line("metadata, nothing left out") { MetadataRequest(MetadataPolicy()).write(to: &$0) },
        line("metadata") {
          MetadataRequest(
            MetadataPolicy(stripping: .location, newSize: PixelSize(width: 3, height: 2)),
            byteCount: 1000, longestXMP: 500
          ).write(to: &$0)
        },
        line("metadata without captions") {
          MetadataRequest(MetadataPolicy(removesCaptions: true)).write(to: &$0)
        },
        line("captions") { wire in
          var captions = CaptionEdits()
          captions.edits = [FileEdit(2..<4, [0x20, 0x20]), FileEdit(6..<9, [])]
          (captions.losses, captions.isComplete) = ([.xmp], true)
          captions.write(to: &wire)
        },
        line("blocks") { wire in
          var output = MetadataOutput()
          (output.exif, output.xmp, output.extendedXMP, output.iptc) = ([1], [2, 3], [4], [5])
          (output.losses, output.hasEXIF) = ([.iptc], true)
          output.write(to: &wire)
        },
      ]
  }

  private static var requests: [(name: String, value: CodecRequest)] {
    var decode = DecodeRequest(
      targetWidth: 900, targetHeight: 675, fills: true, source: .developed, maxPixels: 1 << 40)
    decode.present = PresentRanges([0..<64, 100..<200])
    var rendering = RenderingRequest()
    (rendering.range, rendering.targetWidth, rendering.targetHeight) = (5..<99, 30, 20)
    (rendering.crop, rendering.orientation, rendering.keptSide) = ([0, 0.25, 0.5, 1], 6, 128)
    let play = FramesRequest(targetWidth: 800, targetHeight: 600, range: 7..<99, orientation: 3)
    let times = FrameTimes(until: -1, most: 9)
    let kinds: [ReportRequest.Kind] = [.medium, .sidecar, .foreign, .metadata]
    return [
      ("picture", .picture(decode, seconds: 30, number: 1)),
      ("frames", .frames(play, times, seconds: 3, number: 2)),
      ("next frame", .nextFrame(times, seconds: 3, number: 3)),
      ("rendering", .rendering(rendering, number: 4)),
      (
        "thumbnail",
        .thumbnail(ThumbnailRequest(longestSide: 256, longestFile: 1000, wantsPicture: true), number: 5)
      ),
      (
        "reports",
        .reports(
          kinds.map { ReportRequest($0, byteCount: 1000, present: [0..<9], detail: [7]) }, seconds: 9,
          number: 6)
      ),
      ("stop", .stop), ("cancel", .cancel),
    ]
  }

  private static var answers: [(name: String, value: CodecAnswer)] {
    var picture = PictureFacts(width: 1000, height: 7)
    (picture.sourceWidth, picture.isOpaque, picture.note) = (4000, false, "why")
    var reports = ReportsAnswer()
    reports.append { MediaReport.medium(.nothing).write(to: &$0) }
    let errors: [CodecError] = [
      .unreadable("why"), .tooLarge("why"), .nothingEmbedded, .incomplete(1..<2), .noMemory, .noDescriptors,
      .unknownFormat, .readError("why"), .late, .cancelled,
    ]
    return [
      ("greeting", .ready(version: 0, HelperConfinement(hasFilter: true, landlock: 5))),
      ("picture", .picture(picture, number: 1)),
      (
        "frame",
        .frame(
          picture, FrameFacts(start: 1 << 40, duration: 33_333, playCount: 3, length: 1 << 41), number: 2)
      ),
      ("end of frames", .endOfFrames(number: 3)),
      (
        "rendering",
        .rendering(RenderingFacts(picture: picture, thumbnail: picture, decodedPixels: 12), number: 4)
      ),
      ("thumbnail", .thumbnail(ThumbnailFacts(words: ["Thumb::URI": "file:///a"]), number: 5)),
      ("reports", .reports(reports, number: 6)),
    ] + errors.map { ("\($0)", .failure($0, number: 7)) }
  }

  private static var reports: [(name: String, value: MediaReport)] {
    var facts = MediaFacts(storedSize: PixelSize(width: 40, height: 30))
    facts.orientation = .rightTop
    var time = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9)
    (time.nanosecond, time.utcOffset) = (250_000_000, -12_600)
    (facts.captureTime, facts.captureTimeSource) = (time, .xmp)
    (facts.make, facts.model, facts.lens) = ("make", "model", "lens")
    (facts.isoSpeed, facts.fNumber, facts.exposureTime, facts.focalLength) = (100, 2.5, 0.5, 35)
    facts.coordinate = Coordinate(latitude: 1, longitude: -2, altitude: 3)
    (facts.customRendered, facts.hdrImageType, facts.rating) = (6, 3, -1)
    (facts.userComment, facts.burstIdentifier, facts.contentIdentifier) = ("comment", "burst", "content")
    (facts.title, facts.caption, facts.keywords, facts.people) = ("title", "caption", ["one", "zwei"], ["é"])
    facts.hints = [.panorama, .countsInUTC]
    (facts.duration, facts.frameRate) = (1.5, 25)
    (facts.motionVideo, facts.thumbnail) = (10..<20, 5..<9)
    return [
      ("of nothing", .medium(.nothing)), ("of a medium", .medium(.media(.jpeg, MediaFacts()))),
      ("of all facts", .medium(.media(.png, facts))), ("of a format", .medium(.media(.heic, nil))),
      ("of damage", .medium(.damaged(.gif, "why"))), ("of a sidecar", .sidecar(MediaFacts())),
      ("of a library", .described(MediaFacts())), ("of a failure", .failed("why")), ("of memory", .noMemory),
      ("of a range", .incomplete(5..<9)),
    ]
  }

  private static let messages = StoredForm(
    version: 17,
    text: #"""
      request picture: 02010000001e00000084030000a3020000010200000000000100000000100000000000ffffffffffffff7f0102000000000000000000000040000000000000006400000000000000c800000000000000
      request frames: 0302000000030000002003000058020000070000000000000063000000000000000090d00300000000030000000000000000ffffffffffffffff09000000
      request next frame: 040300000003000000ffffffffffffffff09000000
      request rendering: 060400000000050000000000000063000000000000001e00000000000000140000000000000000020000000000000000000000000000d03f000000000000e03f000000000000f03f060000000000000000000000000000000080000000000000000090d003000000000000001000000000
      request thumbnail: 070500000000010000e803000001
      request reports: 0906000000090000000400000000e803000000000000010100000000000000000000000900000000000000010000000701e803000000000000010100000000000000000000000900000000000000010000000702e803000000000000010100000000000000000000000900000000000000010000000703e8030000000000000101000000000000000000000009000000000000000100000007
      request stop: 0500000000
      request cancel: 0800000000
      answer greeting: 74000000000105000000
      answer picture: 0301000000e803000007000000a00f000007000000000103000000776879
      answer frame: 0602000000e803000007000000a00f00000700000000010300000077687900000000000100003582000000000000030000000000000000020000
      answer end of frames: 0703000000
      answer rendering: 0a04000000e803000007000000a00f00000700000000010300000077687901e803000007000000a00f0000070000000001030000007768790c00000000000000
      answer thumbnail: 0b05000000010000000a0000005468756d623a3a5552490900000066696c653a2f2f2f6100
      answer reports: 100600000001000000050000000100000000
      answer unreadable("why"): 020700000003000000776879
      answer tooLarge("why"): 040700000003000000776879
      answer nothingEmbedded: 0507000000
      answer incomplete(Range(1..<2)): 110700000001000000000000000200000000000000
      answer noMemory: 0807000000
      answer noDescriptors: 0907000000
      answer unknownFormat: 0c07000000
      answer readError("why"): 0d0700000003000000776879
      answer late: 0e07000000
      answer cancelled: 0f07000000
      report of nothing: 00
      report of a medium: 0101000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000000000
      report of all facts: 010228000000000000001e00000000000000060102e80700000000000005020e0a0980b2e60e0000000001c8ceffffffffffff01040000006d616b6501050000006d6f64656c01040000006c656e7301640000000000000001000000000000044001000000000000e03f01000000000080414001000000000000f03f00000000000000c00100000000000008400106000000000000000107000000636f6d6d656e74010500000062757273740107000000636f6e74656e7401030000000000000001ffffffffffffffff01050000007469746c65010700000063617074696f6e02000000030000006f6e65040000007a7765690100000002000000c3a90208000001000000000000f83f01000000000000394000010a000000000000000a000000000000000105000000000000000400000000000000
      report of a format: 0205
      report of damage: 030303000000776879
      report of a sidecar: 04000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000000000
      report of a library: 07000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000000000
      report of a failure: 0503000000776879
      report of memory: 06
      report of a range: 0805000000000000000400000000000000
      metadata, nothing left out: 0000000000000000
      metadata: 0100010300000000000000020000000000000001e80300000000000001f401000000000000000000
      metadata without captions: 0001000000000000
      captions: 040102000000020000000000000004000000000000000200000020200600000000000000090000000000000000000000
      blocks: 0801010000000102000000020301000000040100000005
      formats: 1 jpeg, 2 png, 3 gif, 4 webp, 5 heic, 6 avif, 7 tiff, 8 bmp, 9 jpegXL, 10 dng, 11 cr2, 12 cr3, 13 nef, 14 arw, 15 orf, 16 rw2, 17 raf, 18 pef, 19 srw, 20 mp4, 21 quickTime, 22 m4v, 23 matroska, 24 webm, 25 avi, 26 threeGP, 27 mpegTransport, 28 jpeg2000, 29 netpbm, 30 qoi
      """#)
}
