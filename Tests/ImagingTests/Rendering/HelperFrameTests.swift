import AssetLibrary
import CodecProtocol
import Fixtures
import Pixels
import Testing

@testable import Imaging

/// Playback by the helper from files that change.
@Suite struct HelperFrameTests {
  @Test func `Playback ends with an error when the file is truncated`() throws {
    let folder = try TemporaryFolder()
    try folder.run([
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "libaom-av1", "-cpu-used", "8",
      "a.avif",
    ])
    let file = try OpenFile(folder.path(of: "a.avif"))
    let reader = try HelperDecoder(CodecClient(program: Program.helper)).frames(
      of: file, range: 0..<file.count, name: "a", targetSize: PixelSize(width: 64, height: 48),
      cancellation: Cancellation())
    for _ in 0..<2 {
      var count = 0
      while try reader.next(.none) != nil { count += 1 }
      #expect(count == 5)
      try reader.rewind()
    }
    try folder.write([0], to: "a.avif")
    #expect(throws: AssetError.self) { try reader.next(.none) }
  }

  @Test func `A time beyond all numbers is sought`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("frames".utf8), to: "a")
    let file = try OpenFile(folder.path(of: "a"))
    let reader = try HelperDecoder(CodecClient(program: Program.standIn)).frames(
      of: file, range: 0..<file.count, name: "a", targetSize: PixelSize(width: 8, height: 4),
      cancellation: Cancellation())
    try reader.seek(to: .seconds(Int64.max))
    try reader.seek(to: .zero)
    #expect(try reader.next(FrameSkip(until: .seconds(Int64.max), most: 1)) != nil)
  }

  /// A store of files.
  private final class FileStore: MemoryBackedStore {
    let memory = MemoryAssetStore()

    func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
      do { return try OpenFile(resource.path.bytes) } catch { throw AssetError(resource.subject, "\(error)") }
    }

    func isLocal(_ resource: AssetResource) -> Bool { true }
  }

  @Test(arguments: AssetVersion.allCases, [false, true])
  func `The frames are those of the version that is requested`(version: AssetVersion, isLive: Bool) throws {
    let folder = try TemporaryFolder()
    for name in ["red", "blue"] {
      try folder.run([
        "ffmpeg", "-f", "lavfi", "-i", "color=c=\(name):s=64x48:r=5:d=1", "-c:v", "mpeg4", "-q:v", "2",
        "\(name).mov",
      ])
    }
    let resource = { (kind: AssetResource.Kind, name: String) in
      AssetResource(
        type: kind, path: .init(bytes: folder.path(of: name)),
        uniformTypeIdentifier: "com.apple.quicktime-movie", byteCount: 1)
    }
    var asset = Asset(
      localIdentifier: LocalIdentifier("a"), mediaType: isLive ? .image : .video,
      pixelSize: PixelSize(width: 64, height: 48),
      creationDate: AssetDate(wallSeconds: 0),
      resources: isLive
        ? [
          resource(.fullSizePhoto, "none"), resource(.fullSizePairedVideo, "blue.mov"),
          resource(.pairedVideo, "red.mov"), resource(.photo, "none"),
        ] : [resource(.fullSizeVideo, "blue.mov"), resource(.video, "red.mov")])
    if isLive { asset.playbackStyle = .livePhoto }
    let pipeline = ImagePipeline(
      store: FileStore(), foreign: HelperDecoder(CodecClient(program: Program.helper)))
    let request = FrameRequest(asset: asset, targetSize: PixelSize(width: 64, height: 48), version: version)
    let reader = try pipeline.frames(of: request, cancellation: Cancellation())
    let frame = try #require(try reader.next(.none))
    let color = frame.pixels[5, 5]
    #expect(version == .current ? color.blue > 200 && color.red < 60 : color.red > 200 && color.blue < 60)
    let length = try #require(reader.length)
    #expect(abs(length / .seconds(1) - 1) < 0.05)
    try reader.seek(to: .milliseconds(700))
    #expect(try #require(try reader.next(.none)).start == .milliseconds(600))
  }
}
