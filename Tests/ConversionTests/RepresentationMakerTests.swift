import AssetLibrary
import CPlatform
import CodecProtocol
import Decoding
import Export
import Fixtures
import Glibc
import Imaging
import MediaFormats
import Metadata
import Pixels
import SystemPackage
import TestScheduling
import Testing

@testable import Conversion

/// Conversions by the helpers, for each format.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct RepresentationMakerTests {
  /// The files of a folder.
  private struct Files: OriginalAccess {
    func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
      do {
        let file = try OpenFile(resource.path.bytes)
        return try resource.byteRange.map { MemoryReader(try file.bytes(in: $0)) } ?? file
      } catch { throw AssetError(resource.name, "can't be read") }
    }

    func isLocal(_ resource: AssetResource) -> Bool { true }
  }

  private static let maker = FileRepresentationMaker(
    Files(), reader: ReaderClient(program: Program.path(of: "tpick-reader"), processes: 2),
    foreign: HelperDecoder(CodecClient(program: Program.helper)),
    blocks: MetadataClient(program: Program.path(of: "tpick-reader")),
    helper: CodecClient(program: Program.helper))

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func resource(
    _ bytes: [UInt8], _ name: String, _ format: FileFormat, size: PixelSize = .zero,
    orientation: Orientation = .topLeft
  ) throws -> AssetResource {
    AssetResource(
      type: format.isVideo ? .video : .photo, path: FilePath(bytes: try folder.write(bytes, to: name)),
      uniformTypeIdentifier: format.uniformTypeIdentifier, byteCount: Int64(bytes.count),
      orientation: orientation, storedSize: size)
  }

  private func make(
    _ plan: RepresentationPlan, _ options: RepresentationOptions = RepresentationOptions(),
    progress: (Double) -> Void = { _ in }
  ) throws(AssetError) -> (bytes: [UInt8], made: MadeRepresentation) {
    let descriptor = memory_file_create()
    defer { close(descriptor) }
    let made = try Self.maker.make(
      plan, options, into: descriptor, cancellation: Cancellation(), progress: progress)
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    _ = pread(descriptor, &bytes, bytes.count, 0)
    return (bytes, made)
  }

  private func facts(_ made: MadeRepresentation) throws -> MadeRepresentation.Facts {
    guard case .file(let facts) = made else { throw FixtureError("nothing was made") }
    return facts
  }

  private func holds(_ bytes: [UInt8], _ part: String) -> Bool {
    let part = Array(part.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  /// The average difference between two pictures, in steps of 255.
  private func difference(_ picture: PixelBuffer, _ other: PixelBuffer) -> Double {
    guard picture.size == other.size else { return 255 }
    let sum = zip(picture.bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(picture.bytes.count)
  }

  // MARK: Pictures

  private static func format(of name: String) -> FileFormat {
    [FileFormat.jpeg, .png, .gif, .webp, .bmp].first { format in
      format.suffixes.contains { name.hasSuffix(".\($0)") }
    } ?? .jpeg
  }

  @Test(arguments: SmallPictures.kinds)
  func `Every kind of picture becomes a JPEG, or a PNG if it has transparency`(name: String) throws {
    let bytes = try SmallPictures.bytes(name)
    let resource = try resource(bytes, "a", Self.format(of: name), size: SmallPictures.size)
    let (made, result) = try make(.picture(resource, [.jpeg, .png]))
    let facts = try facts(result)
    let picture = try #require(try decode(made)).pixels
    let source = try #require(try decode(bytes))
    #expect(picture.size == SmallPictures.size && facts.size == SmallPictures.size && facts.remark == nil)
    let isJPEG = made.starts(with: [0xFF, 0xD8])
    #expect(isJPEG == source.pixels.isOpaque)
    #expect(facts.suffix == (isJPEG ? "jpg" : "png"))
    #expect(
      facts.uniformTypeIdentifier == (isJPEG ? FileFormat.jpeg : .png).uniformTypeIdentifier)
    // CMYK colors differ, and dithering of few colors compresses badly as JPEG.
    if !name.contains("CMYK") {
      let difference = difference(picture, source.pixels)
      #expect(difference < (isJPEG ? 12 : 0.01))
    }
    // For a consumer of only JPEG it is drawn on white.
    let flat = try #require(try decode(try make(.picture(resource, [.jpeg])).bytes)).pixels
    #expect(flat.isOpaque && (isJPEG || flat[0, 0].squaredDistance(to: .white) < 2000))
  }

  @Test func `A rotated picture becomes upright, and keeps all texts`() throws {
    var photo = TestPhoto(width: 96, height: 64, orientation: .rightTop, date: .day(3))
    photo.setCamera()
    let resource = try resource(
      try photo.bytes(), "a.jpg", .jpeg, size: photo.storedSize, orientation: .rightTop)
    for format in [RepresentationPlan.PictureFormat.jpeg, .png] {
      let (bytes, made) = try make(.picture(resource, [format]))
      let picture = try #require(try decode(bytes)).pixels
      #expect(TestPicture.corners(of: picture) == TestPicture.Corner.allCases)
      #expect(try facts(made).remark == nil)
      #expect(holds(bytes, "Canon EOS 90D") && holds(bytes, "2024:05:03"))
      var options = RepresentationOptions()
      options.stripping = .all
      #expect(!holds(try make(.picture(resource, [format]), options).bytes, "Canon"))
      // A smaller picture, with its size in the answer.
      options.longestSide = 32
      let small = try make(.picture(resource, [format]), options)
      #expect(try facts(small.made).size == PixelSize(width: 32, height: 21))
      #expect(try #require(try decode(small.bytes)).pixels.size == PixelSize(width: 32, height: 21))
    }
  }

  @Test(arguments: [(89, 0x22), (90, 0x11), (100, 0x11)] as [(Int, UInt8)])
  func `From quality 90 on chroma is not subsampled`(quality: Int, sampling: UInt8) throws {
    let photo = try resource(
      try TestPhoto(width: 64, height: 48).bytes(), "a.jpg", .jpeg, size: PixelSize(width: 64, height: 48))
    var options = RepresentationOptions()
    options.quality = quality
    let bytes = try make(.picture(photo, [.jpeg]), options).bytes
    let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    #expect(bytes[frame + 11] == sampling)
  }

  @Test func `A picture stays within its byte limit, including texts and profile`() throws {
    var photo = TestPhoto(TestScene.make(PixelSize(width: 320, height: 240)), date: .day(3))
    photo.setCamera()
    photo.quality = 98
    let resource = try resource(try photo.bytes(), "a.jpg", .jpeg, size: photo.storedSize)
    for format in [RepresentationPlan.PictureFormat.jpeg, .png] {
      for count in [12_000, 20_000] as [Int64] {
        var options = RepresentationOptions()
        options.byteCount = count
        let (bytes, made) = try make(.picture(resource, [format]), options)
        #expect(bytes.count <= count && bytes.count > count / 2, "\(format): \(bytes.count) of \(count)")
        let picture = try #require(try decode(bytes))
        #expect(try facts(made).size == picture.pixels.size)
        #expect(holds(bytes, "Canon"))
      }
      var options = RepresentationOptions()
      options.byteCount = 400
      #expect(throws: AssetError("a.jpg", "can't be made as small as 400 bytes")) {
        try make(.picture(resource, [format]), options)
      }
    }
  }

  @Test func `Pictures from the codec helper are converted with their texts`() throws {
    let raw = HandmadeDNG().bytes
    let resource = try resource(raw, "a.dng", .dng)
    let (bytes, made) = try make(.picture(resource, [.jpeg]))
    #expect(try decode(bytes) != nil)
    #expect(try facts(made).suffix == "jpg")
  }

  @Test func `A full disk is reported, and not answered with the original`() throws {
    let full = open("/dev/full", O_RDWR)
    defer { close(full) }
    let photo = try resource(
      try TestPhoto(width: 64, height: 48).bytes(), "a.jpg", .jpeg, size: PixelSize(width: 64, height: 48))
    try folder.run(["ffmpeg", "-f", "lavfi", "-i", "testsrc=s=96x64:r=10:d=1", "-c:v", "mpeg4", "a.mov"])
    let movie = try resource(try folder.bytes(of: "a.mov"), "b.mov", .quickTime)
    let options = RepresentationOptions()
    for form in ["jpg", "mp4", "gif"] {
      let error = #expect(throws: AssetError.self) {
        switch form {
        case "jpg":
          _ = try Self.maker.make(
            .picture(photo, [.jpeg]), options, into: full, cancellation: Cancellation(), progress: { _ in })
        case "mp4":
          _ = try Self.maker.make(
            .video(movie), options, into: full, cancellation: Cancellation(), progress: { _ in })
        default:
          _ = try Self.maker.makeGIF(
            movie, part: nil, longestSide: 48, into: full, cancellation: Cancellation(), progress: { _ in })
        }
      }
      #expect(error?.isWriteFailure == true && error?.reason == "not copied: \(Errno.noSpace)", "\(form)")
    }
  }

  @Test func `A file that is no picture is reported as such`() throws {
    for (format, name) in [(FileFormat.jpeg, "a.jpg"), (.png, "a.png"), (.heic, "a.heic")] {
      let resource = try resource(Array("no picture".utf8), name, format)
      #expect(throws: AssetError.self) { try make(.picture(resource, [.jpeg])) }
      #expect(throws: AssetError.self) { try make(.stripped(resource)) }
    }
    #expect(throws: AssetError("asset", "some reason")) { try make(.unavailable("some reason")) }
  }

  // MARK: Files without metadata

  @Test(arguments: ["a.jpg", "PNG24:a.png", "a.gif", "-quality 80 a.webp", "BMP3:a.bmp"])
  func `A file loses its metadata and looks the same`(name: String) throws {
    let bytes = try SmallPictures.bytes(name)
    let format = Self.format(of: name)
    let resource = try resource(bytes, "b", format, size: SmallPictures.size)
    let before = try #require(try decode(bytes)).pixels
    for stripping in [RepresentationOptions.Stripping.location, .all] {
      var options = RepresentationOptions()
      options.stripping = stripping
      let (written, made) = try make(.stripped(resource), options)
      let facts = try facts(made)
      #expect(try #require(try decode(written)).pixels == before)
      #expect(facts.uniformTypeIdentifier == format.uniformTypeIdentifier && facts.suffix == nil)
      #expect(facts.remark == nil)
    }
  }

  @Test func `Without location a photo keeps its camera, and without metadata nothing`() throws {
    var photo = TestPhoto(width: 96, height: 64, date: .day(3))
    photo.setCamera()
    photo.facts.coordinate = Coordinate(latitude: 48.8577, longitude: 2.295)
    let bytes = try photo.bytes()
    let resource = try resource(bytes, "a.jpg", .jpeg, size: photo.storedSize)
    // A part of another file that is the same photo.
    var part = try self.resource([1, 2, 3] + bytes + [4], "b.jpg", .jpeg, size: photo.storedSize)
    part.byteRange = 3..<(3 + bytes.count)
    for resource in [resource, part] {
      var options = RepresentationOptions()
      options.stripping = .location
      let located = try make(.stripped(resource), options).bytes
      #expect(holds(located, "Canon EOS 90D") && holds(located, "2024:05:03"))
      options.stripping = .all
      let bare = try make(.stripped(resource), options).bytes
      #expect(!holds(bare, "Canon") && !holds(bare, "2024"))
      let pixels = try #require(try decode(bytes)).pixels
      #expect(try #require(try decode(located)).pixels == pixels)
      #expect(try #require(try decode(bare)).pixels == pixels)
    }
  }

  @Test(arguments: ["a.jpg", "PNG24:a.png", "a.gif", "-quality 80 a.webp"])
  func `A file loses its captions and nothing else; one without any stays as it is`(name: String) throws {
    var options = RepresentationOptions()
    options.removesCaptions = true
    let format = Self.format(of: name)
    let plain = try resource(try SmallPictures.bytes(name), "a", format, size: SmallPictures.size)
    // What ImageMagick writes may contain a comment: without it there is nothing more to remove.
    let first = try make(.stripped(plain), options)
    let bytes = first.bytes.isEmpty ? try SmallPictures.bytes(name) : first.bytes
    let clean = try resource(bytes, "b", format, size: SmallPictures.size)
    let second = try make(.stripped(clean), options)
    #expect(second.made == .resource(reason: nil) && second.bytes.isEmpty)
  }

  @Test func `A photo loses its comment and keeps its camera, also if it is converted`() throws {
    var photo = TestPhoto(width: 96, height: 64, date: .day(3))
    photo.setCamera()
    let whole = try photo.bytes()
    // A comment after the first marker.
    let comment = Array("Secret".utf8)
    let bytes = whole[..<2] + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + whole[2...]
    let resource = try resource(Array(bytes), "a.jpg", .jpeg, size: photo.storedSize)
    var options = RepresentationOptions()
    options.removesCaptions = true
    let (written, made) = try make(.stripped(resource), options)
    #expect(written.count == bytes.count && !holds(written, "Secret") && holds(written, "Canon EOS 90D"))
    #expect(try facts(made).uniformTypeIdentifier == FileFormat.jpeg.uniformTypeIdentifier)
    #expect(try #require(try decode(written)).pixels == #require(try decode(Array(bytes))).pixels)
    let converted = try make(.picture(resource, [.jpeg]), options).bytes
    #expect(!holds(converted, "Secret") && holds(converted, "Canon EOS 90D"))
  }

  @Test func `Metadata that a format can't store is reported`() {
    var output = MetadataOutput()
    #expect(output.remark(lacking: [.exif, .xmp, .iptc]) == nil)
    (output.exif, output.xmp, output.iptc) = ([1], [1], [1])
    #expect(output.remark() == nil)
    #expect(output.remark(lacking: [.iptc]) == "was written without some of its IPTC")
    #expect(
      output.remark(lacking: [.exif, .xmp])
        == "was written without some of its EXIF and some of its XMP")
    output.losses = [.all]
    #expect(output.remark() == "was written without metadata that can't be read")
  }

  // MARK: Videos

  private func video(_ words: [String], _ name: String) throws -> AssetResource {
    try folder.run(
      ["ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1", "-metadata", "title=Atlantis"] + words + [
        name
      ])
    let suffix = String(name.split(separator: ".").last ?? "")
    return try resource(
      try folder.bytes(of: name), name, try #require(FileFormat(suffix: suffix)),
      size: PixelSize(width: 64, height: 48))
  }

  @Test func `A video becomes a compatible MP4, and a compatible one is unchanged`() throws {
    let old = try video(["-c:v", "mpeg4"], "a.avi")
    var heard: [Double] = []
    let (bytes, made) = try make(.video(old)) { heard.append($0) }
    let facts = try facts(made)
    #expect(facts.suffix == "mp4" && facts.method == "transcoded" && facts.remark == nil)
    #expect(facts.size == PixelSize(width: 64, height: 48))
    #expect(facts.uniformTypeIdentifier == FileFormat.mp4.uniformTypeIdentifier)
    #expect(bytes.dropFirst(4).starts(with: "ftyp".utf8) && holds(bytes, "avc1"))
    #expect(heard.allSatisfy { (0...1).contains($0) } && heard.max() ?? 0 > 0.5)
    var options = RepresentationOptions()
    options.longestSide = 32
    let copy = try resource(bytes, "b.mp4", .mp4, size: facts.size)
    #expect(try make(.video(copy)).made == .resource(reason: nil))
    let small = try self.facts(try make(.video(copy), options).made)
    #expect(small.size == PixelSize(width: 32, height: 24))
    // Without metadata it is the same video.
    options = RepresentationOptions()
    options.stripping = .all
    #expect(holds(bytes, "Atlantis"))
    let (bare, stripped) = try make(.stripped(copy), options)
    #expect(!holds(bare, "Atlantis") && holds(bare, "avc1"))
    let left = try self.facts(stripped)
    #expect(left.method == "remuxed" && left.suffix == nil)
  }

  @Test(arguments: [
    ("-c:v mpeg4 -c:a pcm_s16le", "a.mov"), ("-c:v libx264 -g 40 -bf 2 -pix_fmt yuv420p -c:a aac", "a.mp4"),
  ])
  func `A part of a video has exactly its frames, with its title`(codecs: String, name: String) throws {
    let graph = "color=red:s=64x48:r=10:d=2[a];color=blue:s=64x48:r=10:d=2[b];[a][b]concat=n=2[v];sine=d=4[s]"
    try folder.run(
      ["ffmpeg", "-filter_complex", graph, "-map", "[v]", "-map", "[s]", "-metadata", "title=Atlantis"]
        + codecs.split(separator: " ").map(String.init) + [name])
    let video = try resource(
      try folder.bytes(of: name), "b" + name, name.hasSuffix("mov") ? .quickTime : .mp4,
      size: PixelSize(width: 64, height: 48))
    let (bytes, made) = try make(.videoPart(video, .milliseconds(1500)..<(.milliseconds(2601))))
    let facts = try facts(made)
    #expect(facts.suffix == "mp4" && facts.method == "transcoded" && facts.remark == nil)
    #expect(holds(bytes, "Atlantis"))
    try folder.write(bytes, to: "part.mp4")
    try folder.run([
      "ffmpeg", "-i", "part.mp4", "-vf", "scale=1:1", "-pix_fmt", "rgb24", "-f", "rawvideo", "pixels",
    ])
    try folder.run(
      "sh", "-c", "ffprobe -v error -show_entries format=duration -of csv=p=0 part.mp4 > duration")
    // From 1.5 to 2.6 s, whose frame is the last.
    let reds = stride(from: 0, to: 36, by: 3).map { [pixels = try folder.bytes(of: "pixels")] in
      pixels.indices.contains($0) ? pixels[$0] > 128 : nil
    }
    #expect(reds == Array(repeating: true, count: 5) + Array(repeating: false, count: 7))
    #expect(try folder.bytes(of: "pixels").count == 36)
    let text = String(decoding: try folder.bytes(of: "duration"), as: UTF8.self).split(separator: "\n")
      .joined()
    #expect(abs((Double(text) ?? 0) - 1.2) < 0.11, "\(text)")
  }

  @Test func `A part behind the end is an error, not the whole video`() throws {
    let video = try video(["-c:v", "mpeg4"], "short.mp4")
    #expect(throws: AssetError.self) { try make(.videoPart(video, .seconds(5)..<(.seconds(6)))) }
  }

  @Test func `An unreadable video is delivered unchanged unless its metadata must be removed`() throws {
    let broken = try resource(Array("no video".utf8), "a.mov", .quickTime)
    let (bytes, made) = try make(.video(broken))
    #expect(bytes.isEmpty)
    #expect(made == .resource(reason: "is not converted: ffmpeg can't convert it"))
    var options = RepresentationOptions()
    options.stripping = .all
    #expect(throws: AssetError("a.mov", "ffmpeg can't convert it")) { try make(.stripped(broken), options) }
    // A consumer that accepts only MP4 gets nothing.
    options = RepresentationOptions()
    options.longestSide = 10
    var large = broken
    large.storedSize = PixelSize(width: 64, height: 48)
    #expect(throws: AssetError("a.mov", "ffmpeg can't convert it")) { try make(.video(large), options) }
  }
}
