import CodecProtocol
import Fixtures
import Pixels
import Testing

/// Truncated and altered pictures: each gets some answer in time, and the next picture is decoded.
@Suite struct DamagedPictureTests {
  private static func fixtures() throws -> [(name: String, bytes: [UInt8])] {
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 64, height: 48), to: "a.ppm")
    try folder.run("convert", "a.ppm", "a.png")
    try folder.run("heif-enc", "a.png", "-o", "a.heic")
    try folder.run("heif-enc", "-A", "a.png", "-o", "a.avif")
    try folder.run("cjxl", "a.png", "a.jxl", "-e", "3", "--container=1")
    try folder.run("convert", "a.ppm", "-compress", "lzw", "a.tif")
    try folder.run("convert", "a.ppm", "-compress", "jpeg", "-define", "tiff:tile-geometry=32x32", "b.tif")
    let movie = ["ffmpeg", "-loop", "1", "-framerate", "5", "-t", "1", "-i", "a.ppm"]
    try folder.run(movie + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "a.mp4"])
    try folder.run(movie + ["-c:v", "mpeg4", "a.mkv"])
    let names = ["a.heic", "a.avif", "a.jxl", "a.tif", "b.tif", "a.mp4", "a.mkv"]
    var negative = HandmadeDNG()
    var photo = TestPhoto(width: 64, height: 48)
    photo.hasEXIF = false
    negative.preview = (try photo.bytes(), 64, 48)
    return try names.map { (name: $0, bytes: try folder.bytes(of: $0)) } + [
      ("preview.dng", negative.bytes), ("sensor.dng", HandmadeDNG().bytes),
    ]
  }

  private func check(_ damaged: [[UInt8]], then good: [UInt8], _ comment: Comment) throws {
    let helper = CodecClient(program: Program.helper, decoders: 1, decodeDeadline: .seconds(60))
    let request = DecodeRequest(targetWidth: 30, targetHeight: 20, maxPixels: 4_000_000)
    for bytes in damaged + [good] {
      do throws(CodecError) {
        let picture = try NamelessFile(bytes).withDescriptor { (file) throws(CodecError) in
          try helper.decode(file, request)
        }
        let count = picture?.withUnsafeBytes { $0.reduce(0) { $0 &+ Int($1) } }
        #expect(count != nil, comment)
      } catch {
        #expect(!error.isHelperUnavailable, comment)
        #expect(bytes != good, comment)
      }
    }
  }

  @Test func `Truncated pictures do no harm`() throws {
    for (name, bytes) in try Self.fixtures() {
      let lengths = [0, 1, 8, 12, 40] + (1..<16).map { bytes.count * $0 / 16 } + [bytes.count - 1]
      try check(lengths.map { Array(bytes.prefix($0)) }, then: bytes, "\(name)")
    }
  }

  @Test func `Pictures with wrong bytes do no harm`() throws {
    var generator = SeededGenerator(seed: 12)
    for (name, bytes) in try Self.fixtures() {
      let damaged = (0..<30).map { round in
        var copy = bytes
        // The header determines most of what is read.
        let end = round % 2 == 0 ? min(600, copy.count) : copy.count
        for _ in 0..<6 {
          copy[Int.random(in: 12..<end, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        return copy
      }
      try check(damaged, then: bytes, "\(name)")
    }
  }

  @Test func `Pictures with altered lengths, pieces and ends do no harm`() throws {
    let fixtures = try Self.fixtures()
    for (index, (name, bytes)) in fixtures.enumerated() {
      let other = fixtures[(index + 1) % fixtures.count].bytes
      let damaged = (1...30 as ClosedRange<UInt64>).map { seed in
        var mutator = ByteMutator(seed: seed)
        return mutator.damage(bytes, other: other)
      }
      // Some changes affect bytes that are not read.
      try check(damaged.filter { $0 != bytes }, then: bytes, "\(name)")
    }
  }

  @Test func `An empty file, and one that is no picture`() {
    #expect(Decoding.error([]) == .unreadable("the file is empty"))
    #expect(Decoding.error(Boxes.zeros(1000)) == .unreadable("an unknown format"))
  }
}
