import AssetLibrary
import Export
import Fixtures
import FolderLibrary
import Foundation
import PhotoPicker
import Synchronization
import SystemPackage
import TestScheduling
import Testing

/// Videos and Live Photos as objects, with files that FFmpeg made and the real helpers.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct MovingPictureTests {
  private let folder: TemporaryFolder
  private let output: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    output = try TemporaryFolder()
  }

  private static let picture = ["-f", "lavfi", "-i", "testsrc=s=96x64:r=10:d=1"]

  private func makeMovie(_ name: String, _ options: [String] = []) throws {
    try folder.run(
      ["ffmpeg"] + Self.picture + [
        "-f", "lavfi", "-i", "sine=d=1", "-c:v", "mpeg4", "-q:v", "2", "-c:a", "aac",
      ]
        + options + [name])
  }

  private func makeLivePhoto(_ name: String = "IMG_0001") throws {
    _ = try folder.write(try TestPhoto(width: 96, height: 64, date: .day(1)).bytes(), to: "\(name).JPG")
    try makeMovie("\(name).MOV")
  }

  /// A library of a folder, completely read.
  private func library(of folder: TemporaryFolder) async -> PhotoLibrary {
    let library = PhotoLibrary(FolderAssetStore(sources: [FilePath(folder.path)]))
    await library.manager.waitUntilComplete()
    return library
  }

  private func only(_ library: PhotoLibrary) throws -> Asset {
    let assets = library.manager.fetchAssets()
    #expect(assets.count == 1)
    return try #require(assets.firstObject)
  }

  /// What another program says about a file of the output.
  private func said(_ command: String) throws -> String {
    try output.run("sh", "-c", "\(command) > said")
    defer { try? FileManager.default.removeItem(atPath: "\(output.path)/said") }
    return String(decoding: try output.bytes(of: "said"), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func name(_ path: FilePath) -> String { String(decoding: path.nameBytes, as: UTF8.self) }

  // MARK: Videos

  @Test func `A video has its tracks, its duration and all of its frames`() async throws {
    try makeMovie("a.mov")
    let library = await library(of: folder)
    let video = try await library.manager.video(for: only(library))
    #expect(video.tracks.map(\.codec) == ["mpeg4", "aac"] && abs(video.duration - 1) < 0.05)
    var starts: [Duration] = []
    for try await frame in video.frames(fitting: PixelSize(width: 48, height: 48)) {
      #expect(frame.pixels.width == 48 && frame.pixels.height == 32)
      starts.append(frame.start)
    }
    #expect(starts == (0..<10).map { .milliseconds(100 * $0) })
    // Each sequence starts anew.
    var count = 0
    for try await _ in video.frames() { count += 1 }
    #expect(count == 10)
  }

  @Test func `A handler gets one result`() async throws {
    try makeLivePhoto()
    let library = await library(of: folder)
    let asset = try only(library)
    let result = await withCheckedContinuation { continuation in
      library.manager.requestVideo(for: asset) { continuation.resume(returning: $0) }
    }
    guard case .video(let video) = result.content else {
      Issue.record("\(result)")
      return
    }
    #expect(video.resource.type == .pairedVideo && !result.isInCloud && video.details?.videoTrack != nil)
  }

  @Test func `A still image is no video, and a damaged one fails`() async throws {
    _ = try folder.write(try TestPhoto(width: 96, height: 64, date: .day(1)).bytes(), to: "a.jpg")
    let library = await library(of: folder)
    let asset = try only(library)
    let error = await #expect(throws: AssetError.self) { try await library.manager.video(for: asset) }
    #expect(error?.code == .unsupported)
  }

  // MARK: Live Photos

  @Test func `A pair has the same identifier in both files, and stays a pair`() async throws {
    try makeLivePhoto()
    let library = await library(of: folder)
    let session = try library.exportSession(for: try only(library), as: .livePhoto)
    #expect(session.status == .unknown)
    let written = try await session.export(to: FilePath(output.path))
    #expect(session.status == .completed && session.progress == 1)
    #expect(written.files.map(name) == ["IMG_0001.JPG", "IMG_0001.mov"])
    guard case .converted = written.method else {
      Issue.record("\(written)")
      return
    }
    let still = try said("exiftool -s3 -MakerNotes:all -ContentIdentifier IMG_0001.JPG")
    let clip = try said(
      "ffprobe -v error -of csv=p=0 -show_entries format_tags=com.apple.quicktime.content.identifier IMG_0001.mov"
    )
    #expect(clip.count == 36 && still.contains(clip))
    // The pixels of the image and the frames of the clip are the same.
    let streams = "ffprobe -v error -of csv=p=0 -show_entries stream=codec_name"
    #expect(try said("\(streams) IMG_0001.mov").split(separator: "\n") == ["mpeg4", "aac"])
    // Written again, the files are copied.
    let copies = await self.library(of: output)
    let again = try TemporaryFolder()
    let copied = try await copies.exportSession(for: try only(copies), as: .livePhoto)
      .export(to: FilePath(again.path))
    #expect(copied.method == .copied)
    #expect(try again.bytes(of: "IMG_0001.JPG") == output.bytes(of: "IMG_0001.JPG"))
    #expect(try again.bytes(of: "IMG_0001.mov") == output.bytes(of: "IMG_0001.mov"))
  }

  @Test func `A Motion Photo is one file that plays`() async throws {
    try makeLivePhoto()
    let library = await library(of: folder)
    let written = try await library.exportSession(for: try only(library), as: .motionPhoto)
      .export(to: FilePath(output.path))
    #expect(written.files.map(name) == ["IMG_0001.JPG"] && written.uniformTypeIdentifiers == ["public.jpeg"])
    #expect(try said("exiftool -s3 -XMP-GCamera:MotionPhoto IMG_0001.JPG") == "1")
    let made = await self.library(of: output)
    let asset = try only(made)
    let clip = try #require(asset.clip())
    #expect(asset.mediaSubtypes.contains(.livePhoto) && clip.byteRange?.upperBound == Int(asset.byteCount))
    let video = try await made.manager.video(for: asset)
    var count = 0
    for try await _ in video.frames() { count += 1 }
    #expect(count == 10)
    // It is one already.
    let again = try TemporaryFolder()
    let copied = try await made.exportSession(for: asset, as: .motionPhoto).export(to: FilePath(again.path))
    #expect(copied.method == .copied)
  }

  /// A Live Photo with a place, whose clip is red for half a second, then blue.
  private func makeColoredLivePhoto() throws {
    try makeLivePhoto()
    let graph = "color=red:s=96x64:r=10:d=0.5[a];color=blue:s=96x64:r=10:d=0.5[b];[a][b]concat=n=2"
    try folder.run([
      "ffmpeg", "-y", "-f", "lavfi", "-i", graph, "-c:v", "mpeg4", "-q:v", "2", "IMG_0001.MOV",
    ])
    try folder.run(
      "exiftool", "-q", "-overwrite_original", "-GPSLatitude=10.5", "-GPSLatitudeRef=N",
      "-GPSLongitude=20.25", "-GPSLongitudeRef=E", "IMG_0001.JPG")
  }

  /// The average color of a picture in the output.
  private func color(of name: String) throws -> String {
    try output.run(
      "sh", "-c",
      "ffmpeg -v error -i '\(name)' -frames:v 1 -vf scale=1:1 -f rawvideo -pix_fmt rgb24 - > color")
    defer { try? FileManager.default.removeItem(atPath: "\(output.path)/color") }
    let color = try output.bytes(of: "color")
    if color.count == 3, color[0] > 200, color[2] < 60 { return "red" }
    if color.count == 3, color[0] < 60, color[2] > 200 { return "blue" }
    return "\(color)"
  }

  @Test(
    arguments: [
      (.compatible, ["IMG_0001.JPG"]), (.livePhoto, ["IMG_0001.JPG", "IMG_0001.mov"]),
      (.motionPhoto, ["IMG_0001.JPG"]),
    ] as [(ExportSession.Format, [String])])
  func `Another key photo is a frame of the clip with the date and place of the still image`(
    format: ExportSession.Format, names: [String]
  ) async throws {
    try makeColoredLivePhoto()
    let originals = try ["IMG_0001.JPG", "IMG_0001.MOV"].map(folder.bytes)
    let library = await library(of: folder)
    let unchanged = try only(library)
    for (time, expected) in [(Duration.milliseconds(200), "red"), (.milliseconds(800), "blue")] {
      var asset = unchanged
      asset.keyPhotoTime = time
      let written = try await library.exportSession(for: asset, as: format)
        .export(to: FilePath(output.path))
      #expect(written.files.map(name) == names)
      #expect(try color(of: names[0]) == expected)
      // Size, date and place.
      let tags = "-ImageWidth -ImageHeight -DateTimeOriginal -GPSLatitude -GPSLongitude"
      try output.run("cp", "\(folder.path)/IMG_0001.JPG", "original")
      #expect(
        try said("exiftool -s3 -n \(tags) \(names[0])") == said("exiftool -s3 -n \(tags) original"))
      if format == .motionPhoto {
        let time = try said("exiftool -s3 -XMP-GCamera:MotionPhotoPresentationTimestampUs \(names[0])")
        #expect(time == (expected == "red" ? "200000" : "800000"))
      }
      if format == .livePhoto {
        let still = try said("exiftool -s3 -MakerNotes:all -ContentIdentifier \(names[0])")
        let tag = "format_tags=com.apple.quicktime.content.identifier"
        let clip = try said("ffprobe -v error -of csv=p=0 -show_entries \(tag) \(names[1])")
        #expect(clip.count == 36 && still.contains(clip))
      }
      for file in names + ["original"] {
        try FileManager.default.removeItem(atPath: "\(output.path)/\(file)")
      }
    }
    #expect(try ["IMG_0001.JPG", "IMG_0001.MOV"].map(folder.bytes) == originals)
  }

  @Test func `A provider loads a Live Photo with another key photo, and its clip unchanged`() async throws {
    try makeColoredLivePhoto()
    let library = await library(of: folder)
    var asset = try only(library)
    asset.keyPhotoTime = .milliseconds(800)
    let provider = try library.itemProvider(for: asset)
    #expect(provider.registeredTypeIdentifiers.prefix(2) == ["com.apple.live-photo-bundle", "public.jpeg"])
    let object = try await provider.loadLivePhotoObject()
    try output.run("cp", object.still.string, "still")
    try output.run("cp", object.clip.string, "clip")
    withExtendedLifetime(object) {}
    #expect(try color(of: "still") == "blue")
    #expect(try output.bytes(of: "clip") == folder.bytes(of: "IMG_0001.MOV"))
    // A Motion Photo of it is read like others, and has its key photo from now on.
    _ = try await object.exportSession(as: .motionPhoto).export(to: FilePath("\(output.path)/motion"))
    let motion = PhotoLibrary(FolderAssetStore(sources: [FilePath("\(output.path)/motion")]))
    await motion.manager.waitUntilComplete()
    var again = try only(motion)
    #expect(again.mediaSubtypes.contains(.livePhoto))
    again.keyPhotoTime = .milliseconds(200)
    let photo = try await motion.exportSession(for: again, as: .compatible)
      .export(to: FilePath("\(output.path)/photo"))
    #expect(photo.remark?.contains("was written without its clip") ?? false)
    let written = try await motion.exportSession(for: again, as: .motionPhoto)
      .export(to: FilePath(output.path))
    #expect(!(written.remark?.contains("without its clip") ?? false))
    #expect(try color(of: name(written.files[0])) == "red")
    guard case .converted = written.method else {
      Issue.record("\(written)")
      return
    }
  }

  @Test(arguments: [(ExportSession.Format.gif, "gif", "gif"), (.mp4, "mp4", "h264")])
  func `The clip is exported alone`(format: ExportSession.Format, suffix: String, codec: String) async throws
  {
    try makeLivePhoto()
    let library = await library(of: folder)
    let written = try await library.exportSession(for: try only(library), as: format)
      .export(to: FilePath(output.path))
    #expect(written.files.map(name) == ["IMG_0001.\(suffix)"])
    let streams = try said("ffprobe -v error -of csv=p=0 -show_entries stream=codec_name IMG_0001.\(suffix)")
    #expect(streams.hasPrefix(codec))
  }

  @Test func `A failed conversion delivers the files themselves, and says so`() async throws {
    try makeLivePhoto()
    // The header is intact, and the frames are not.
    var bytes = try folder.bytes(of: "IMG_0001.MOV")
    let library = await library(of: folder)
    let asset = try only(library)
    let session = try library.exportSession(for: asset, as: .gif)
    let strict = try library.exportSession(for: asset, as: .gif, fallsBackToResource: false)
    bytes = Array("not a movie at all".utf8)
    _ = try folder.write(bytes, to: "IMG_0001.MOV")
    let written = try await session.export(to: FilePath(output.path))
    guard case .resource(let reason) = written.method else {
      Issue.record("\(written)")
      return
    }
    #expect(!reason.isEmpty && written.files.map(name) == ["IMG_0001.MOV"])
    #expect(try output.bytes(of: "IMG_0001.MOV") == bytes)
    await #expect(throws: AssetError.self) { try await strict.export(to: FilePath(output.path)) }
    #expect(strict.status == .failed)
  }

  @Test func `A cancelled session writes nothing`() async throws {
    try makeLivePhoto()
    let library = await library(of: folder)
    let session = try library.exportSession(for: try only(library), as: .mp4)
    session.cancel()
    let error = await #expect(throws: AssetError.self) { try await session.export(to: FilePath(output.path)) }
    #expect(error?.code == .cancelled && session.status == .cancelled)
    #expect(try FileManager.default.contentsOfDirectory(atPath: output.path).isEmpty)
    let again = await #expect(throws: AssetError.self) { try await session.export(to: FilePath(output.path)) }
    #expect(again?.code == .failed)
    // The fractions of a session that is over end at once.
    var fractions: [Double] = []
    for await fraction in session.progressUpdates { fractions.append(fraction) }
    #expect(fractions.count == 1)
  }

  @Test func `A photo has no moving form`() async throws {
    _ = try folder.write(try TestPhoto(width: 96, height: 64, date: .day(1)).bytes(), to: "a.jpg")
    let library = await library(of: folder)
    let asset = try only(library)
    for format in [ExportSession.Format.livePhoto, .motionPhoto, .gif, .mp4] {
      let error = #expect(throws: AssetError.self) { try library.exportSession(for: asset, as: format) }
      #expect(error?.code == .unsupported)
    }
    var options = RepresentationOptions()
    options.stripping = .location
    let error = #expect(throws: AssetError.self) {
      try library.exportSession(for: asset, as: .resource, options: options)
    }
    #expect(error?.code == .unsupported)
  }

  // MARK: Providers

  @Test func `Every advertised type of every kind of asset is loaded`() async throws {
    try makeLivePhoto()
    _ = try folder.write(try TestPhoto(width: 96, height: 64, date: .day(2)).bytes(), to: "photo.jpg")
    try makeMovie("video.mp4")
    try makeMovie("video2.mov")
    try folder.run(["ffmpeg"] + Self.picture + ["-frames:v", "1", "still.png"])
    try folder.run(["ffmpeg"] + Self.picture + ["moving.gif"])
    try folder.run(["ffmpeg"] + Self.picture + ["-c:v", "libwebp", "moving.webp"])
    try folder.run(["ffmpeg"] + Self.picture + ["-c:v", "libvpx", "film.webm"])
    let first = await library(of: folder)
    let live = try #require(first.manager.fetchAssets().first { $0.mediaSubtypes.contains(.livePhoto) })
    _ = try await first.exportSession(for: live, as: .motionPhoto).export(to: FilePath(folder.path))
    let library = await library(of: folder)
    let assets = library.manager.fetchAssets()
    #expect(assets.count == 9)
    for asset in assets {
      let provider = try library.itemProvider(for: asset)
      #expect(!provider.registeredTypeIdentifiers.isEmpty)
      for type in provider.registeredTypeIdentifiers {
        if type == "com.apple.live-photo-bundle" {
          let count = try await provider.loadFile(for: type) { path in
            try FileManager.default.contentsOfDirectory(atPath: path.string).count
          }
          #expect(count == 2)
          let object = try await provider.loadLivePhotoObject()
          // The files exist as long as the object.
          let paths = [object.still.string, object.clip.string]
          #expect(paths.allSatisfy(FileManager.default.fileExists))
          withExtendedLifetime(object) {}
        } else {
          #expect(try await !provider.loadData(for: type).isEmpty, "\(asset.localIdentifier) as \(type)")
        }
      }
    }
  }
}
