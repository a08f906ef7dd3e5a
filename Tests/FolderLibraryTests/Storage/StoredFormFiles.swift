import Fixtures
import Metadata

/// Files for each rule by which metadata becomes rows of the index.
///
/// Code creates all of them byte for byte, without encoders, so that they are the same on every system; none has
/// pixels.
enum StoredFormFiles {
  /// The files, by name relative to the library's folder.
  static var all: [(String, [UInt8])] { dates + words + subtypes + formats + groups + others }

  // MARK: Dates

  private static var dates: [(String, [UInt8])] {
    let original = exif(photo: { $0.text(0x9003, "2024:05:02 14:10:09") })
    let xmp = xmp("xmp:CreateDate=\"2021-03-04T05:06:07Z\"")
    let iptc = MetadataSegments.iptcSegment(
      MetadataSegments.dataset(55, Array("20200304".utf8))
        + MetadataSegments.dataset(60, Array("050607+0900".utf8)))
    let quickTime = [HandmadeMovie.text("com.apple.quicktime.creationdate", "2024-05-02T14:10:09+0200")]
    return [
      ("date-all.jpg", jpeg(original + xmp + iptc)),
      (
        "date-changed.jpg",
        jpeg(exif(main: { $0.text(0x0132, "2024:05:04 01:02:03") }))
      ),
      (
        "date-created.jpg",
        jpeg(
          exif(photo: {
            $0.text(0x9004, "2024:05:03 01:02:03")
            $0.text(0x9292, "5")
          }))
      ),
      (
        "date-exif.jpg",
        jpeg(
          exif(photo: {
            $0.text(0x9003, "2024:05:02 14:10:09")
            $0.text(0x9004, "2024:05:03 01:02:03")
            $0.text(0x9011, "+02:00")
            $0.text(0x9291, "25")
          }))
      ),
      ("date-impossible.jpg", jpeg(exif(photo: { $0.text(0x9003, "0000:00:00 00:00:00") }))),
      ("date-iptc.jpg", jpeg(iptc)),
      (
        "date-digits.jpg",
        jpeg(exif(photo: { $0.block(0x9003, Array("2024:05:02 24:08:19Z".utf8), type: 1) }))
      ),
      (
        "date-gps.jpg",
        jpeg(
          exif(main: { main in
            var gps = TIFFFile()
            gps.text(0x1D, "2024:05:02")
            gps.rationals(7, [12, 10, 9])
            main.directory(0x8825, gps)
          }))
      ),
      ("date-none.jpg", jpeg([])), ("date-of-IMG-20190715-WA0003.jpg", jpeg([])),
      ("date-second.jpg", jpeg(MetadataSegments.exifSegment(TIFFFile()) + original)),
      ("date-year.jpg", jpeg(self.xmp("exif:DateTimeOriginal=\"1964\""))),
      ("date-quicktime.mov", HandmadeMovie(keys: quickTime).bytes),
      ("date-xmp-iptc.jpg", jpeg(xmp + iptc)),
      (
        "date-xmp.jpg",
        jpeg(
          self.xmp(
            "xmp:CreateDate=\"2021-03-04T05:06:07Z\" photoshop:DateCreated=\"2022-03-04T05:06:07.125-03:30\"")
        )
      ),
    ]
  }

  // MARK: Texts, locations, sizes

  private static var words: [(String, [UInt8])] {
    let elements =
      MetadataSegments.list("dc:title", ["On the beach"], kind: "Alt")
      + MetadataSegments.list("dc:description", ["Sand"], kind: "Alt")
      + MetadataSegments.list("dc:subject", ["sea", "sun"])
      + MetadataSegments.list("lr:hierarchicalSubject", ["Places|Lisbon"])
      + MetadataSegments.list("Iptc4xmpExt:PersonInImage", ["Ana"])
    let iptc = [(5, "Title"), (25, "one"), (25, "two"), (120, "Caption")].flatMap {
      MetadataSegments.dataset(UInt8($0.0), Array($0.1.utf8))
    }
    return [
      (
        "camera-of-its-maker.jpg",
        jpeg(
          exif(
            main: {
              $0.text(0x010F, "Canon")
              $0.text(0x0110, "Canon EOS 90D")
              $0.short(0x0112, 6)
            },
            photo: { $0.text(0xA434, "EF-S18-135mm") }, thumbnail: thumbnail))
      ),
      (
        "camera.jpg",
        jpeg(
          exif(main: {
            $0.text(0x010F, "NIKON CORPORATION")
            $0.text(0x0110, "D850")
            $0.text(0x010E, "Described")
          }))
      ),
      (
        "movie-words.mov",
        HandmadeMovie(keys: [
          HandmadeMovie.text("com.apple.quicktime.make", "Apple"),
          HandmadeMovie.text("com.apple.quicktime.model", "iPhone 15"),
          HandmadeMovie.text("com.apple.quicktime.location.ISO6709", "+48.8577+002.2950/"),
        ]).bytes
      ),
      (
        "place-apart.jpg",
        jpeg(
          xmp(
            "exif:GPSLatitude=\"48.85\" exif:GPSLongitude=\"2.29\" exif:GPSLongitudeRef=\"w\" "
              + "exif:GPSLatitudeRef=\"S\""))
      ),
      ("place.jpg", jpeg(xmp("exif:GPSLatitude=\"48,51.5N\" exif:GPSLongitude=\"2,17,42W\""))),
      ("rating-none.jpg", jpeg(xmp("xmp:Rating=\"0\""))),
      ("rating-rejected.jpg", jpeg(xmp("xmp:Rating=\"-1\""))),
      ("words-iptc.jpg", jpeg(MetadataSegments.iptcSegment(iptc))),
      ("words-xmp.jpg", jpeg(xmp("xmp:Rating=\"4\"", elements))),
    ]
  }

  // MARK: Subtypes

  private static var subtypes: [(String, [UInt8])] {
    let cinematic = "com.apple.quicktime.cinematic-video.rendering"
    let rendered = [2, 3, 6, 7, 8].map { number in
      ("rendered-\(number).jpg", jpeg(exif(photo: { $0.short(0xA401, number) })))
    }
    return rendered + [
      ("Bildschirmfoto 1.jpg", jpeg([])),
      ("PXL_20240501.LONG_EXPOSURE-01.COVER.jpg", jpeg([])),
      ("ScreenRecording_05-01.mov", HandmadeMovie().bytes),
      (
        "android-slow.mov",
        HandmadeMovie(keys: [("com.android.capture.fps", 23, [0x43, 0x70, 0, 0])]).bytes
      ),
      (
        "recorded.mov",
        HandmadeMovie(keys: [
          HandmadeMovie.text("com.apple.quicktime.author", "ReplayKitRecording")
        ]).bytes
      ),
      ("a_BURST20240501120000123.jpg", jpeg([])),
      ("a_BURST20240501120000123_COVER.jpg", jpeg([])),
      ("20231207_101605_001.jpg", jpeg([])),
      ("burst.jpg", jpeg(appleNote { $0.text(0x000B, "5D2C-81") })),
      ("cinematic.mov", HandmadeMovie(timedKeys: [cinematic]).bytes),
      ("depth.heic", HandmadeHEIC(auxiliaryTypes: ["urn:mpeg:hevc:2015:auxid:2"]).bytes),
      ("depth.jpg", jpeg(xmp("GDepth:Format=\"RangeInverse\""))),
      ("hdr-note.jpg", jpeg(appleNote { $0.long(0x000A, 3) })),
      ("hdr-original.jpg", jpeg(appleNote { $0.long(0x000A, 4) })),
      ("hdr.heic", HandmadeHEIC(auxiliaryTypes: ["urn:com:apple:photo:2020:aux:hdrgainmap"]).bytes),
      ("hdr.jpg", jpeg(xmp("hdrgm:Version=\"1.0\""))),
      ("hyperlapse.mov", HandmadeMovie().bytes),
      ("panorama.jpg", jpeg(xmp("GPano:ProjectionType=\"equirectangular\""))),
      ("screen-size.png", PictureFiles.png(width: 1170, height: 2532)),
      ("selfie.jpg", jpeg(exif(photo: { $0.text(0xA434, "iPhone 15 front camera") }))),
      ("slow.mov", HandmadeMovie(frameCount: 240, ticksPerFrame: 5).bytes),
      ("spatial.heic", HandmadeHEIC(hasSecondPicture: true, isStereo: true).bytes),
      ("spatial-video.mov", HandmadeMovie(extensions: Boxes.box("lhvC", Boxes.zeros(6))).bytes),
      ("wide.png", PictureFiles.png(width: 500, height: 200, before: PictureFiles.pngChunk("eXIf", maker))),
    ]
  }

  // MARK: Formats

  private static var jpeg2000EXIF: [UInt8] {
    var photo = TIFFFile()
    photo.text(0x9003, "2024:05:02 14:10:09")
    var main = TIFFFile()
    main.short(0x0112, 6)
    main.directory(0x8769, photo)
    return main.bytes()
  }

  private static var formats: [(String, [UInt8])] {
    [
      ("format-bmp.bmp", PictureFiles.bmp(width: 30, height: -20)),
      ("format-dng.dng", HandmadeDNG(orientation: 6).bytes),
      ("format-gif.gif", PictureFiles.gif(width: 30, height: 20, frames: 2)),
      ("format-heic.heic", HandmadeHEIC(quarterTurns: 1).bytes),
      (
        "format-jp2.jp2",
        PictureFiles.jpeg2000(
          width: 30, height: 20, before: PictureFiles.jpeg2000Block("EXIF", jpeg2000EXIF))
      ),
      ("format-jxl.jxl", PictureFiles.jpegXL(width: 30, height: 20, orientation: 6)),
      ("format-mov.mov", HandmadeMovie(rotation: 90).bytes),
      ("format-tif.tif", TIFFFile(width: 30, height: 20).bytes()),
      ("format-webp.webp", PictureFiles.webp(PictureFiles.webpLossy(width: 30, height: 20))),
      ("format-still.gif", PictureFiles.gif(width: 30, height: 20, frames: 1)),
    ]
  }

  // MARK: Files that belong together

  private static var groups: [(String, [UInt8])] {
    let identifier = "com.apple.quicktime.content.identifier"
    let video = MetadataSegments.video
    let sidecar = MetadataSegments.xmp(
      attributes: "xmp:Rating=\"5\"", elements: MetadataSegments.list("dc:subject", ["side"]))
    return [
      ("IMG_1001.jpg", jpeg([])),
      ("IMG_E1001.jpg", jpeg([])),
      ("IMG_1002.AAE", Array("<plist/>".utf8)),
      ("IMG_1002.jpg", jpeg([])),
      ("IMG_1003.jpg", jpeg([])),
      ("IMG_O1003.AAE", Array("<plist/>".utf8)),
      ("IMG_1004.HEIC", HandmadeHEIC().bytes),
      ("IMG_1004.MOV", HandmadeMovie().bytes),
      ("IMG_1005.JPG", jpeg([])),
      ("IMG_1005_HEVC.MOV", HandmadeMovie().bytes),
      ("PXL_20240502.RAW-01.COVER.jpg", jpeg([])),
      ("PXL_20240502.RAW-02.ORIGINAL.dng", HandmadeDNG().bytes),
      ("both.dng", HandmadeDNG().bytes),
      ("both.heic", HandmadeHEIC().bytes),
      ("both.jpg", jpeg([])),
      ("both.mov", HandmadeMovie().bytes),
      ("IMG_1006.JPG", jpeg([])),
      ("IMG_1006.MOV", HandmadeMovie(frameCount: 240, ticksPerFrame: 600).bytes),
      ("PXL_20240503_101112131.MP.jpg", jpeg([])),
      ("PXL_20240503_101112131.dng", HandmadeDNG().bytes),
      ("motion.heic", HandmadeHEIC().bytes + Boxes.box("mpvd", MetadataSegments.video)),
      (
        "smart-switch.jpg",
        jpeg(exif(main: { $0.text(0x010F, "Apple") })) + MetadataSegments.samsungTrailer(video)
      ),
      ("clip.mov", HandmadeMovie(keys: [HandmadeMovie.text(identifier, "6F9A-12")]).bytes),
      ("identified.jpg", jpeg(appleNote { $0.text(0x0011, "6F9A-12") })),
      (
        "motion.jpg",
        jpeg(xmp("Camera:MicroVideo=\"1\" Camera:MicroVideoOffset=\"\(video.count)\"")) + video
      ),
      ("raw.dng", HandmadeDNG().bytes),
      ("raw.jpg", jpeg([])),
      ("side.jpg", jpeg(xmp("xmp:Rating=\"1\"", MetadataSegments.list("dc:subject", ["own"])))),
      ("side.xmp", sidecar),
      ("twin.jpg", jpeg([])),
      ("twin.png", PictureFiles.png(width: 64, height: 48)),
      ("twin.png.xmp", sidecar),
      ("IMG_1007.JPG", jpeg([])), ("IMG_1007.MOV", HandmadeMovie().bytes),
      ("IMG_E1007.JPG", jpeg([])), ("IMG_E1007.MOV", HandmadeMovie().bytes),
      ("walk-edited.mov", HandmadeMovie(frameCount: 30).bytes),
      ("walk.mov", HandmadeMovie().bytes),
    ]
  }

  private static var others: [(String, [UInt8])] {
    [
      (".dotted.jpg", jpeg([])), ("broken.jpg", Array("no picture".utf8)), ("empty.jpg", []),
      ("letter.txt", Array("words".utf8)), ("hidden/.nomedia", []), ("hidden/a.jpg", jpeg([])),
    ]
  }

  // MARK: Bytes

  private static func jpeg(_ segments: [UInt8]) -> [UInt8] { MetadataSegments.jpeg(segments) }

  private static func xmp(_ attributes: String, _ elements: String = "") -> [UInt8] {
    MetadataSegments.xmpSegment(MetadataSegments.xmp(attributes: attributes, elements: elements))
  }

  /// A segment with EXIF: the first directory, the photograph's, and a thumbnail.
  private static func exif(
    main fillMain: (inout TIFFFile) -> Void = { _ in }, photo fillPhoto: (inout TIFFFile) -> Void = { _ in },
    thumbnail: [UInt8] = []
  ) -> [UInt8] {
    var (main, photo) = (TIFFFile(), TIFFFile())
    fillMain(&main)
    fillPhoto(&photo)
    main.directory(0x8769, photo)
    var bytes = main.bytes()
    if !thumbnail.isEmpty {
      // The first directory begins at offset 8 and ends with the offset of the next one.
      let pointer = 10 + Int(bytes[8]) * 12
      bytes.replaceSubrange(pointer..<pointer + 4, with: MediaBytes.little(bytes.count, 4))
      let start = bytes.count + 2 + 2 * 12 + 4
      bytes += MediaBytes.little(2, 2)
      for (tag, value) in [(0x0201, start), (0x0202, thumbnail.count)] {
        bytes += MediaBytes.little(tag, 2) + MediaBytes.little(4, 2) + MediaBytes.little(1, 4)
        bytes += MediaBytes.little(value, 4)
      }
      bytes += [0, 0, 0, 0] + thumbnail
    }
    return MetadataSegments.segment(0xE1, Array("Exif\0\0".utf8) + bytes)
  }

  private static func appleNote(_ fill: (inout TIFFFile) -> Void) -> [UInt8] {
    var note = TIFFFile()
    fill(&note)
    let bytes = note.bytes(mark: Array("Apple iOS\0\0\u{1}II".utf8))
    return exif(photo: { $0.block(0x927C, bytes) })
  }

  /// Bytes with the start and end markers of a JPEG.
  private static let thumbnail = MetadataSegments.jpeg([])

  /// EXIF with a camera maker.
  private static var maker: [UInt8] {
    var main = TIFFFile()
    main.text(0x010F, "Canon")
    return main.bytes()
  }
}
