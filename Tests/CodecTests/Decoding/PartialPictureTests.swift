import CodecProtocol
import Fixtures
import Pixels
import TestScheduling
import Testing

/// Partly available files, of which the shipped helper makes small pictures.
@Suite(.onOwnThreads) struct PartialPictureTests {
  /// The result for a file that was downloaded bit by bit.
  private struct Reading {
    var picture: DecodedPicture?
    /// Why there is no picture in the end.
    var error: CodecError?
    var rounds = 0
    var byteCount = 0
  }

  /// Makes a picture of a file as tpick does; the answer must be the same for holes and for noise in their place.
  private func read(
    _ bytes: [UInt8], _ request: DecodeRequest, block: Int = 64 << 10
  ) throws -> Reading {
    let file = try PartialFile(bytes)
    let head = 0..<min(block, bytes.count)
    file.fetch(head)
    var loader = RangeLoader(present: PresentRanges([head]), byteCount: bytes.count, block: block)
    var reading = Reading()
    while true {
      let made = file.pictures(Decoding.helper, request, loader.present)
      reading.byteCount = loader.present.byteCount
      switch (made[0], made[1]) {
      case (.success(let picture?), .success(let other?)):
        #expect(picture.pixels == other.pixels, "a hole was read")
        reading.picture = picture
        return reading
      case (.failure(.incomplete(let range)), .failure(let other)):
        #expect(other == .incomplete(range))
        #expect(!loader.present.contains(range), "\(range) is there")
        guard let next = loader.next(after: range) else {
          reading.error = .incomplete(range)
          return reading
        }
        file.fetch(next)
        reading.rounds += 1
      case (.failure(let error), .failure(let other)):
        #expect(error == other)
        reading.error = error
        return reading
      default:
        Issue.record("\(made)")
        return reading
      }
    }
  }

  /// A noisy picture of 1600x1200.
  private static let noisy = Result {
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 1600, height: 1200), to: "a.ppm")
    try folder.run(
      "convert", "-seed", "7", "a.ppm", "-attenuate", "0.3", "+noise", "Gaussian", "-quality", "10", "a.png")
    return try folder.bytes(of: "a.png")
  }

  private static let withThumbnail = Result { try heic(["-t", "320"]) }

  /// The noisy picture by libheif's encoder.
  private static func heic(_ options: [String] = [], name: String = "a.heic") throws -> [UInt8] {
    let folder = try ToolFolder()
    try folder.write(noisy.get(), to: "a.png")
    // Any quality will do, and the best settings take seconds.
    let pace = name.hasSuffix("avif") ? "speed=9" : "preset=ultrafast"
    try folder.run(["heif-enc", "-q", "90", "-p", pace] + options + ["a.png", "-o", name])
    return try folder.bytes(of: name)
  }

  @Test(arguments: [4 << 10, 64 << 10])
  func `For a HEIC file with a thumbnail only that is downloaded`(block: Int) throws {
    let bytes = try Self.withThumbnail.get()
    #expect(bytes.count > 500_000)
    let request = DecodeRequest(targetWidth: 384, targetHeight: 384, source: .embedded)
    let whole = try Decoding.picture(bytes, request)
    let reading = try read(bytes, request, block: block)
    let picture = try #require(reading.picture)
    #expect(picture.pixels == whole.pixels && picture.isUpright && picture.width == 320)
    #expect(picture.sourceWidth == 1600)
    #expect(reading.rounds <= 3 && reading.byteCount < 150_000)
  }

  @Test(arguments: [[], ["-A"]])
  func `For one without it only the tables are downloaded`(options: [String]) throws {
    let bytes = try Self.heic(options, name: options.isEmpty ? "a.heic" : "a.avif")
    // Also if the picture itself is requested: all of it would have to be available.
    for source in [DecodeRequest.Source.embedded, .picture] {
      let reading = try read(bytes, DecodeRequest(targetWidth: 384, targetHeight: 384, source: source))
      #expect(reading.error == .nothingEmbedded && reading.byteCount <= 131_072)
    }
  }

  /// Eight seconds of a picture under noise by the codecs of these files, encoded once.
  private static let streams = Result<[String: [UInt8]], any Error> {
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 640, height: 384), to: "a.ppm")
    let codecs = [
      "a.avi": ["-c:v", "mpeg4", "-q:v", "2"],
      "a.mp4": ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "20"],
    ]
    for (name, codec) in codecs {
      try folder.run(
        ["ffmpeg", "-loop", "1", "-framerate", "10", "-t", "8", "-i", "a.ppm", "-vf", "noise=alls=30:allf=t"]
          + codec + ["-g", "20", "-pix_fmt", "yuv420p", name])
    }
    return try codecs.keys.reduce(into: [:]) { $0[$1] = try folder.bytes(of: $1) }
  }

  @Test(
    arguments: [
      ("a.mp4", []), ("a.mp4", ["-movflags", "+faststart"]), ("a.mov", []), ("a.mkv", []), ("a.avi", []),
      ("a.ts", []),
    ] as [(String, [String])])
  func `For a video its index is downloaded, and one of its pictures`(
    name: String, options: [String]
  ) throws {
    let folder = try ToolFolder()
    let encoded = name == "a.avi" ? name : "a.mp4"
    try folder.write(#require(Self.streams.get()[encoded]), to: "encoded-\(encoded)")
    try folder.run(["ffmpeg", "-i", "encoded-\(encoded)", "-c", "copy"] + options + [name])
    let bytes = try folder.bytes(of: name)
    #expect(bytes.count > 3_000_000)
    let request = DecodeRequest(targetWidth: 384, targetHeight: 384)
    let whole = try Decoding.picture(bytes, request)
    let reading = try read(bytes, request)
    let picture = try #require(reading.picture, "\(reading)")
    #expect(picture.isUpright && picture.sourceWidth == 640)
    // Without an index, seeking to a tenth of the duration passes missing parts.
    if name != "a.ts" { #expect(picture.pixels == whole.pixels) }
    #expect(reading.byteCount < (name == "a.ts" ? 4 << 20 : 1 << 20), "\(name): \(reading), \(bytes.count)")
  }

  @Test func `A video that begins black is read slightly further`() throws {
    let folder = try ToolFolder()
    let filter = "[1:v]scale=320:192,noise=alls=30:allf=t,setsar=1[b];[0:v]setsar=1[a];[a][b]concat=n=2"
    try folder.write(TestPicture.make(width: 320, height: 192), to: "a.ppm")
    try folder.run(
      "ffmpeg", "-f", "lavfi", "-i", "color=black:s=320x192:r=10:d=3", "-loop", "1", "-framerate", "10", "-t",
      "17", "-i", "a.ppm", "-filter_complex", filter, "-c:v", "libx264", "-preset", "ultrafast", "-g", "10",
      "-pix_fmt", "yuv420p",
      "a.mp4")
    let reading = try read(folder.bytes(of: "a.mp4"), DecodeRequest(targetWidth: 384, targetHeight: 384))
    #expect(reading.picture?.isUpright == true)
  }

  @Test func `For a raw file its preview is downloaded, wherever it is`() throws {
    for (name, bytes) in try PartialFixtures.raw() {
      let request = DecodeRequest(targetWidth: 384, targetHeight: 384, source: .embedded)
      let reading = try read(bytes, request, block: 4 << 10)
      if name == "plain.dng" {
        #expect(reading.error == .nothingEmbedded)
      } else {
        #expect(reading.picture?.pixels == (try Decoding.picture(bytes, request).pixels), "\(name)")
        #expect(reading.byteCount < bytes.count / 2, "\(name): \(reading.byteCount) of \(bytes.count)")
      }
      // The sensor's data is never downloaded.
      let developed = try read(bytes, DecodeRequest(source: .developed), block: 4 << 10)
      #expect(developed.error == .nothingEmbedded && developed.byteCount < bytes.count / 2, "\(name)")
    }
  }

  @Test func `A file without a small picture is reported, and not downloaded`() throws {
    let files = PartialFixtures.jpegXL + PartialFixtures.tiff
    for (name, bytes) in files {
      let reading = try read(bytes, DecodeRequest(targetWidth: 384, targetHeight: 384, source: .embedded))
      #expect(reading.picture == nil && reading.error != nil, "\(name)")
      #expect(reading.byteCount <= 196_608, "\(name): \(reading.byteCount)")
    }
  }

  @Test(arguments: 1...UInt64(TestSize.count(2, long: 40)))
  func `With any damage no hole is read and reading ends`(seed: UInt64) throws {
    var mutator = ByteMutator(seed: seed)
    for (name, bytes) in try PartialFixtures.heif + PartialFixtures.movie + PartialFixtures.raw()
      + PartialFixtures.tiff + [("small.heic", AssembledHEIC.withThumbnail().bytes)]
    {
      let damaged = mutator.damage(Array(bytes.prefix(4000))) + bytes.dropFirst(4000)
      for source in [DecodeRequest.Source.embedded, .picture] {
        let request = DecodeRequest(
          targetWidth: 384, targetHeight: 384, source: source, maxPixels: 4_000_000,
          maxDecodedPixels: 4_000_000)
        let reading = try read(damaged, request, block: 4 << 10)
        #expect(reading.byteCount <= RangeLoader.mostBytes, "\(name)")
      }
    }
  }
}

extension AssembledHEIC {
  fileprivate static func withThumbnail() throws -> AssembledHEIC {
    try AssembledHEIC(
      tiles: [TestPicture.make(width: 320, height: 192)],
      thumbnails: [TestPicture.make(width: 120, height: 72)])
  }
}
