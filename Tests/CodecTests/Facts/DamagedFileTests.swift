import CodecProtocol
import Fixtures
import Testing

/// Truncated and altered files: each gets some answer in time, and the next file is read.
@Suite struct DamagedFileTests {
  private static func fixtures() throws -> [(name: String, bytes: [UInt8])] {
    let folder = try ToolFolder()
    let source = ["ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "mpeg4"]
    for name in ["a.mp4", "a.mkv", "a.avi"] { try folder.run(source + [name]) }
    try folder.run(source + ["-f", "mpegts", "a.ts"])
    let made = try ["a.mp4", "a.mkv", "a.avi", "a.ts"].map { (name: $0, bytes: try folder.bytes(of: $0)) }
    let heic = HandmadeHEIC(
      quarterTurns: 1, auxiliaryTypes: ["urn:mpeg:hevc:2015:auxid:2"],
      exif: [0x4D, 0x4D, 0, 42] + Boxes.zeros(900),
      xmp: "<x:xmpmeta/>", hasSecondPicture: true, isStereo: true)
    let movie = HandmadeMovie(
      rotation: 90, extensions: Boxes.box("lhvC", Boxes.zeros(6)),
      keys: [HandmadeMovie.text("com.apple.quicktime.make", "Apple")],
      timedKeys: ["com.apple.quicktime.cinematic-video.rendering"])
    return made + [("HEIC", heic.bytes), ("QuickTime", movie.bytes), ("DNG", HandmadeDNG().bytes)]
  }

  private func check(_ damaged: [[UInt8]], _ comment: Comment) throws {
    let helper = CodecClient(program: Program.helper, deadline: .seconds(60))
    let files = (damaged + [HandmadeHEIC().bytes]).map { NamelessFile($0) }
    let results = files.withDescriptors(helper.facts)
    #expect(results.count == files.count, comment)
    #expect(!results.contains(.failure(.missing(.codecs))), comment)
    #expect(try results.last?.get().width == 640, comment)
  }

  @Test func `Truncated files do no harm`() throws {
    for (name, bytes) in try Self.fixtures() {
      let lengths = (0..<24).map { $0 * 3 } + (1..<24).map { bytes.count * $0 / 24 } + [bytes.count - 1]
      try check(lengths.map { Array(bytes.prefix($0)) }, "\(name)")
    }
  }

  @Test func `Files with wrong bytes do no harm`() throws {
    var generator = SeededGenerator(seed: 11)
    for (name, bytes) in try Self.fixtures() {
      let damaged = (0..<40).map { round in
        var copy = bytes
        // The header determines most of what is read.
        let end = round % 2 == 0 ? min(800, copy.count) : copy.count
        for _ in 0..<8 {
          copy[Int.random(in: 12..<end, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        return copy
      }
      try check(damaged, "\(name)")
    }
  }

  @Test func `An empty file, and a descriptor that is no file`() throws {
    let helper = CodecClient(program: Program.helper)
    #expect(throws: CodecError.unreadable("the file is empty")) { try helper.facts(ofBytes: []) }
    #expect(throws: CodecError.unreadable("an unknown format")) {
      try helper.facts(ofBytes: Boxes.zeros(1000))
    }
  }
}
