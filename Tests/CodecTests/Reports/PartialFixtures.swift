import Fixtures
import Pixels

/// Files of every format that are much longer than their first read, made once per run.
enum PartialFixtures {
  typealias File = (name: String, bytes: [UInt8])

  /// Camera metadata as EXIF.
  static var camera: TIFFFile {
    var photo = TIFFFile()
    photo.text(0x9003, "2024:05:02 14:10:09")
    var main = TIFFFile()
    main.text(0x010F, "Canon")
    main.directory(0x8769, photo)
    return main
  }

  static let packet = MetadataSegments.xmp(
    attributes: "xmp:Rating=\"4\" xmp:CreateDate=\"2023-01-02T03:04:05\"")

  /// Bytes that match the beginning of no known format.
  private static func filler(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x55, count: count) }

  static func jpeg() throws -> [File] { try madeJPEG.get() }

  private static let madeJPEG = Result<[File], any Error> {
    var photo = TestPhoto(width: 640, height: 480, date: .day(3))
    photo.setCamera()
    photo.embedThumbnail()
    let bytes = try photo.bytes()
    let profiles = Array(repeatElement(MetadataSegments.segment(0xE2, filler(60_000)), count: 4).joined())
    let claim = MetadataSegments.xmpSegment(
      MetadataSegments.xmp(attributes: "Camera:MicroVideo=\"1\" Camera:MicroVideoOffset=\"300000\""))
    let video = MediaBytes.ftyp("mp42", ["isom"]) + filler(300_000 - 20)
    let depth = MetadataSegments.xmp(
      attributes: "GDepth:Data=\"x\"", elements: "<!--" + String(repeating: "x", count: 400_000) + "-->")
    let identifier = String(repeating: "A", count: 32)
    let extended = MetadataSegments.extendedSegments(depth, identifier: identifier, partLength: 60_000)
      .flatMap { $0 }
    let announced = MetadataSegments.xmpSegment(
      MetadataSegments.xmp(attributes: "xmpNote:HasExtendedXMP=\"\(identifier)\""))
    return [
      ("plain.jpg", bytes + filler(200_000)),
      ("behind-profiles.jpg", bytes.prefix(2) + profiles + bytes.dropFirst(2)),
      ("before-profiles.jpg", try withSegments(behindEXIF: profiles, bytes)),
      ("motion.jpg", bytes.prefix(2) + claim + bytes.dropFirst(2) + video),
      ("extended.jpg", bytes.prefix(2) + announced + extended + bytes.dropFirst(2)),
      (
        "samsung.jpg",
        MetadataSegments.jpeg(MetadataSegments.exifSegment(samsung)) + filler(200_000)
          + MetadataSegments.samsungTrailer(MetadataSegments.video)
      ),
    ]
  }

  private static var samsung: TIFFFile {
    var main = TIFFFile()
    main.text(0x010F, "samsung")
    return main
  }

  private static func withSegments(behindEXIF segments: [UInt8], _ bytes: [UInt8]) throws -> [UInt8] {
    let length = 4 + Int(bytes[4]) << 8 + Int(bytes[5]) - 2 + 2
    return bytes.prefix(length) + segments + bytes.dropFirst(length)
  }

  static let png: [File] = {
    let exif = PictureFiles.pngChunk("eXIf", camera.bytes())
    let text = PictureFiles.pngText("XML:com.adobe.xmp", packet, isInternational: true)
    let large = PictureFiles.pngChunk("IDAT", filler(300_000))
    return [
      ("before.png", PictureFiles.png(width: 640, height: 480, before: exif, dataChunks: 4000)),
      ("behind.png", PictureFiles.png(width: 640, height: 480, dataChunks: 4000, behind: exif + text)),
      (
        "one-chunk.png",
        PictureFiles.png(width: 640, height: 480, before: large, dataChunks: 0, behind: exif + text)
      ),
      (
        "far-behind.png",
        PictureFiles.png(
          width: 640, height: 480, dataChunks: 4000,
          behind: exif + PictureFiles.pngText("Comment", filler(100_000)) + text)
      ),
      ("says-nothing.png", PictureFiles.png(width: 640, height: 480, dataChunks: 4000)),
    ]
  }()

  static let webp: [File] = {
    let picture = PictureFiles.webpChunk("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 64, 0, 48, 0] + filler(300_001))
    let behind = PictureFiles.webpChunk("EXIF", camera.bytes()) + PictureFiles.webpChunk("XMP ", packet)
    func header(_ flags: UInt8) -> [UInt8] {
      PictureFiles.webpChunk("VP8X", [flags, 0, 0, 0, 63, 0, 0, 47, 0, 0])
    }
    let frames = Array(repeatElement(PictureFiles.webpChunk("ANMF", filler(50_000)), count: 6).joined())
    return [
      ("behind.webp", PictureFiles.webp(header(0x0C) + picture + behind)),
      ("before.webp", PictureFiles.webp(header(0x0C) + behind + picture)),
      ("plain.webp", PictureFiles.webp(picture)),
      ("animated.webp", PictureFiles.webp(header(0x02) + frames)),
      ("animated-behind.webp", PictureFiles.webp(header(0x0A) + frames + behind)),
    ]
  }()

  static let gifAndBMP: [File] = {
    let blocks = Array(repeatElement([255] + filler(255), count: 1000).joined())
    let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 64, 0, 48, 0, 0, 2]
    let frame = descriptor + blocks + [0]
    let head = Array(PictureFiles.gif(width: 64, height: 48, frames: 0).dropLast())
    let still = Array(PictureFiles.gif(width: 64, height: 48, frames: 0, loops: false).dropLast())
    return [
      ("animated.gif", head + frame + frame + [0x3B]), ("still.gif", still + frame + [0x3B]),
      ("a.bmp", PictureFiles.bmp(width: 64, height: 48) + filler(300_000)),
    ]
  }()

  static let jpegXL: [File] = {
    let stream = PictureFiles.jpegXL(width: 640, height: 480) + filler(300_000)
    let picture = MediaBytes.box("jxlc", stream)
    let exif = MediaBytes.box("Exif", [0, 0, 0, 0] + camera.bytes())
    let xmp = MediaBytes.box("xml ", packet)
    return [
      ("bare.jxl", stream), ("behind.jxl", PictureFiles.jpegXLContainer(picture + exif + xmp)),
      ("before.jxl", PictureFiles.jpegXLContainer(exif + xmp + picture)),
      ("around.jxl", PictureFiles.jpegXLContainer(exif + picture + xmp)),
    ]
  }()

  static let tiff: [File] = {
    var main = camera
    main.long(0x0100, 640)
    main.long(0x0101, 480)
    main.block(0x02BC, packet, type: 1)
    let place = 8 + 300_000
    let mark = [0x49, 0x49, 42, 0] + MediaBytes.little(place, 4) + filler(300_000)
    return [("at-the-end.tif", main.bytes(mark: mark)), ("at-the-start.tif", main.bytes() + filler(300_000))]
  }()

  static let heif: [File] = {
    var file = HandmadeHEIC(
      auxiliaryTypes: ["urn:com:apple:photo:2020:aux:hdrgainmap"], exif: camera.bytes(),
      xmp: String(decoding: packet, as: UTF8.self), hasSecondPicture: true)
    file.pictureLength = 150_000
    var small = file
    small.pictureLength = 400
    let video = MediaBytes.ftyp("mp42", ["isom"]) + filler(300_000 - 20)
    var moving = small
    moving.xmp = String(
      decoding: MetadataSegments.xmp(
        attributes: "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset=\"\(video.count)\""), as: UTF8.self)
    return [
      ("behind.heic", file.bytes), ("trailer.heic", file.bytes + MediaBytes.box("mpvd", filler(200_000))),
      ("padded.heic", small.bytes + MediaBytes.box("free", filler(200_000))),
      ("motion.heic", moving.bytes + video),
    ]
  }()

  static let movie: [File] = {
    let keys = [HandmadeMovie.text("com.apple.quicktime.creationdate", "2024-05-02T14:10:09+0200")]
    let bytes = HandmadeMovie(frameCount: 60_000, ticksPerFrame: 20, keys: keys).bytes
    return [("tables.mov", bytes), ("padded.mov", bytes + MediaBytes.box("free", filler(100_000)))]
  }()

  static func raw() throws -> [File] { try madeRAW.get() }

  private static let madeRAW = Result<[File], any Error> {
    let samples = (0..<512 * 384).map { UInt16($0 % 4000) }
    var negative = HandmadeDNG(width: 512, height: 384, samples: samples)
    let plain = negative.bytes
    negative.preview = (try TestPhoto(width: 320, height: 240).bytes(), 320, 240)
    let preview = negative.bytes
    negative.padding = 200_000
    return [("plain.dng", plain), ("preview.dng", preview), ("at-the-end.dng", negative.bytes)]
  }
}
