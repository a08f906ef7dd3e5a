import Fixtures
import Foundation
import Metadata
import TestTerminal
import Testing

extension Commands {
  /// `tpick info`: all metadata of single files.
  @Suite struct InfoCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Document: Decodable {
      struct Details: Decodable {
        var camera: String?
        var lens: String?
        var isoSpeed: Int?
        var fNumber: Double?
        var exposureTime: Double?
        var focalLength: Double?
        var rating: Int?
        var title: String?
        var caption: String?
        var keywords: [String]
        var people: [String]
      }

      struct Resource: Decodable, Equatable {
        var type: String
        var path: String
        var size: Int
      }

      struct Place: Decodable {
        var latitude: Double
        var longitude: Double
      }

      struct Asset: Decodable {
        var path: String
        var pathBytes: String?
        var localIdentifier: String
        var mediaType: String
        var mediaSubtypes: [String]
        var playbackStyle: String
        var pixelWidth: Int
        var pixelHeight: Int
        var creationDate: String
        var duration: Double
        var isFavorite: Bool
        var isHidden: Bool
        var location: Place?
        var resources: [Resource]
        var details: Details
      }

      var version: Int
      var assets: [Asset]
    }

    private static func assets(_ files: String...) throws -> [Document.Asset] {
      let result = try Program.run(["info", "--format", "json"] + files)
      #expect(result.status == .exited(0))
      #expect(result.errors.isEmpty)
      let document = try JSONDecoder().decode(Document.self, from: Data(result.output))
      #expect(document.version == 1)
      return document.assets
    }

    private static let tags = [
      "-Make=Canon", "-Model=Canon EOS 90D", "-LensModel=EF-S18-135mm", "-ISO=200", "-FNumber=4",
      "-ExposureTime=1/250", "-FocalLength=35", "-DateTimeOriginal=2024:05:02 14:10:09",
      "-OffsetTimeOriginal=+02:00", "-GPSLatitude=38.72", "-GPSLatitudeRef=N", "-GPSLongitude=9.14",
      "-GPSLongitudeRef=W", "-XMP-xmp:Rating=5", "-XMP-dc:Title=The harbour",
      "-XMP-dc:Description=Boats\nin it", "-XMP-dc:Subject=boats", "-IPTC:Keywords=sea",
      "-XMP-iptcExt:PersonInImage=Ana Lima",
    ]

    /// `photo.jpg` with all metadata of a photograph, and `picture.heic` with the same.
    private static let photographs = Result {
      let workshop = try TemporaryFolder()
      try workshop.write(try TestPhoto(width: 160, height: 120).bytes(), to: "photo.jpg")
      try workshop.run(["exiftool"] + tags + ["photo.jpg"])
      try workshop.run("heif-enc", "photo.jpg", "-o", "picture.heic")
      return try ["photo.jpg", "picture.heic"].map { (name: $0, bytes: try workshop.bytes(of: $0)) }
    }

    private func writePhotographs() throws {
      for photograph in try Self.photographs.get() { try folder.write(photograph.bytes, to: photograph.name) }
    }

    @Test func `EXIF, XMP and IPTC of a photograph are printed in lines`() throws {
      try writePhotographs()
      let path = "\(folder.path)/photo.jpg"
      let result = try Program.run(["info", path])
      #expect(result.status == .exited(0))
      let size = try folder.bytes(of: "photo.jpg").count
      for line in [
        "path          \(path)", "type          image", "size          160 × 120 pixels",
        "taken         2024-05-02T14:10:09+02:00", "camera        Canon EOS 90D",
        "lens          EF-S18-135mm", "exposure      1/250 s, f/4.0, ISO 200, 35.0 mm",
        "place         38.72, -9.14", "rating        ★★★★★", "favorite      yes", "title         The harbour",
        "caption       Boats in it", "keywords      boats, sea", "people        Ana Lima",
        "photo         \(path), public.jpeg, \(size) bytes",
      ] {
        #expect(result.lines.contains(line), "\(line)")
      }
    }

    @Test func `The same is printed as JSON, for JPEG and HEIC`() throws {
      try writePhotographs()
      let found = try Self.assets("\(folder.path)/photo.jpg", "\(folder.path)/picture.heic")
      #expect(found.map(\.path) == ["\(folder.path)/photo.jpg", "\(folder.path)/picture.heic"])
      for asset in found {
        #expect((asset.mediaType, asset.playbackStyle) == ("image", "image"))
        #expect((asset.pixelWidth, asset.pixelHeight) == (160, 120))
        #expect(asset.creationDate == "2024-05-02T14:10:09+02:00")
        #expect(asset.isFavorite)
        let place = try #require(asset.location)
        #expect(abs(place.latitude - 38.72) < 1e-6 && abs(place.longitude + 9.14) < 1e-6)
        let details = asset.details
        #expect((details.camera, details.lens) == ("Canon EOS 90D", "EF-S18-135mm"))
        #expect((details.isoSpeed, details.fNumber, details.focalLength) == (200, 4, 35))
        #expect(details.exposureTime == 0.004)
        #expect((details.rating, details.title, details.caption) == (5, "The harbour", "Boats\nin it"))
        #expect(details.keywords.contains("boats"))
        #expect(details.people == ["Ana Lima"])
      }
      #expect(found[0].details.keywords == ["boats", "sea"])
    }

    @Test func `Implausible numbers of a raw file are left out`() throws {
      var negative = HandmadeDNG()
      negative.floats = (exposure: 1e-37, aperture: 1e30, focalLength: 1e35)
      try folder.write(negative.bytes, to: "wild.dng")
      let path = "\(folder.path)/wild.dng"
      let result = try Program.run(["info", path])
      #expect(result.status == .exited(0))
      #expect(result.lines.contains("exposure      ISO 400"))
      let details = try #require(try Self.assets(path).first).details
      #expect(details.fNumber == nil && details.exposureTime == nil && details.focalLength == nil)
      #expect(details.camera == "Testmaker T1")
    }

    @Test func `Videos, raw files and Motion Photos list their parts`() throws {
      try folder.run(
        "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=30:d=2", "-c:v", "mpeg4", "-metadata",
        "creation_time=2024-05-02T12:10:09Z", "-metadata", "location=+48.8577+002.2950/", "clip.mov")
      let clip = try folder.bytes(of: "clip.mov")
      try folder.run("ffmpeg", "-i", "clip.mov", "-c", "copy", "clip.mp4")
      let motion = try folder.bytes(of: "clip.mp4")
      let photo = try FactPhoto.motion(length: motion.count, behind: motion)
      try folder.write(photo, to: "motion.jpg")
      try folder.write(HandmadeDNG().bytes, to: "raw.dng")
      let found = try Self.assets(
        "\(folder.path)/clip.mov", "\(folder.path)/raw.dng", "\(folder.path)/motion.jpg")

      let video = found[0]
      #expect((video.mediaType, video.playbackStyle, video.duration) == ("video", "video", 2))
      #expect((video.pixelWidth, video.pixelHeight) == (64, 48))
      // Its header is in UTC; clocks in Paris showed this.
      #expect(video.creationDate == "2024-05-02T14:10:09+02:00")
      #expect(video.location?.latitude == 48.8577)
      #expect(video.resources == [.init(type: "video", path: video.path, size: clip.count)])

      let raw = found[1]
      #expect((raw.mediaType, raw.mediaSubtypes) == ("image", ["raw"]))
      #expect((raw.pixelWidth, raw.pixelHeight) == (64, 48))
      #expect((raw.details.camera, raw.details.lens) == ("Testmaker T1", "Test Lens 35mm"))

      let live = found[2]
      #expect((live.mediaSubtypes, live.playbackStyle) == (["livePhoto"], "livePhoto"))
      #expect(
        live.resources == [
          .init(type: "photo", path: live.path, size: photo.count),
          .init(type: "pairedVideo", path: live.path, size: motion.count),
        ])
      let text = try Program.run(["info", live.path])
      #expect(
        text.lines.contains {
          $0.hasPrefix("pairedVideo ") && $0.hasSuffix("embedded at byte \(photo.count - motion.count)")
        })
    }

    @Test func `A file includes the others of its asset`() throws {
      try folder.write(HandmadeHEIC().bytes, to: "IMG_1.heic")
      try folder.write(HandmadeMovie().bytes, to: "IMG_1.mov")
      try folder.write(MetadataSegments.xmp(attributes: "xmp:Rating=\"3\""), to: "IMG_1.xmp")
      try folder.write(HandmadeHEIC().bytes, to: "IMG_2.heic")
      let asset = try #require(try Self.assets("\(folder.path)/IMG_1.heic").first)
      #expect(asset.resources.map(\.type) == ["photo", "pairedVideo", "adjustmentData"])
      #expect(asset.details.rating == 3)
      // Whichever of its files is named.
      let clip = try #require(try Self.assets("\(folder.path)/IMG_1.mov").first)
      #expect(clip.localIdentifier == asset.localIdentifier)
    }

    @Test func `A file that can't be described is reported, and the others are described`() throws {
      try writePhotographs()
      try folder.write(Array("words".utf8), to: "notes.txt")
      try folder.write([], to: "empty.jpg")
      try folder.write(Array("words".utf8), to: "false.mov")
      let path = folder.path
      let failures = [
        ("\(path)/missing.jpg", "No such file or directory"), (path, "is a folder; tpick list"),
        ("\(path)/notes.txt", "not a picture or video"), ("\(path)/empty.jpg", "the file is empty"),
        ("\(path)/false.mov", "its content is no picture or video"),
      ]
      for (file, reason) in failures {
        let result = try Program.run(["info", file])
        #expect(result.status == .exited(2))
        #expect(result.errors.hasPrefix("tpick: \(file): \(reason)"))
        #expect(result.output.isEmpty)
      }
      let mixed = try Program.run(
        ["info", "--format", "jsonl", "\(path)/photo.jpg"] + failures.map(\.0) + ["\(path)/picture.heic"])
      #expect(mixed.status == .exited(2))
      #expect(mixed.errors.split(separator: "\n").count == failures.count)
      let assets = try mixed.lines.map { try JSONDecoder().decode(Document.Asset.self, from: Data($0.utf8)) }
      #expect(assets.map(\.path) == ["\(path)/photo.jpg", "\(path)/picture.heic"])
    }

    @Test func `A file that is not UTF-8, and a hidden one, are described`() throws {
      let photo = try FactPhoto.photo()
      let path = try folder.write(photo, to: [0x2E, 0xFF] + Array(".jpg".utf8))
      let result = try Program.run(rawArguments: [Array("info".utf8), Array("--format=json".utf8), path])
      let document = try JSONDecoder().decode(Document.self, from: Data(result.output))
      let asset = try #require(document.assets.first)
      #expect(asset.pathBytes.flatMap { Data(base64Encoded: $0) }.map(Array.init) == path)
      #expect(asset.isHidden)
    }

    @Test(arguments: [
      ([], "expected a file"), (["--format", "uris", "a.jpg"], "formats are text, json, jsonl"),
      (["--filter", "images", "a.jpg"], "--filter"),
    ])
    func `Usage errors are reported`(arguments: [String], words: String) throws {
      let result = try Program.run(["info"] + arguments)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains(words))
      #expect(result.errors.contains("tpick info --help"))
    }
  }
}
