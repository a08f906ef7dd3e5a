import AssetLibrary
import Fixtures
import Pixels
import Testing

@testable import FolderLibrary

/// Which files stand for each version of an edited video or Live Photo, wherever a version is chosen.
@Suite struct EditedClipTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The names of the files that a version is shown, played and delivered by.
  private struct Chosen: Equatable {
    var shown: String?
    var played: String?
    var delivered: String?
    var movie: String?
  }

  private func name(_ resource: AssetResource?) -> String? {
    resource.map { String(decoding: $0.filename, as: UTF8.self) }
  }

  private func chosen(_ asset: Asset, _ version: AssetVersion) throws -> Chosen {
    let presented = asset.presenting(version)
    let frames = FrameRequest(asset: asset, targetSize: PixelSize(width: 9, height: 9), version: version)
    // The version that is presented is the current one of what is presented.
    let playedAlone = FrameRequest(asset: presented, targetSize: frames.targetSize)
    #expect(playedAlone.resource == frames.resource)
    #expect(presented.presenting(version) == presented && presented.presenting(.current) == presented)
    #expect(Set(presented.resources).isSubset(of: asset.resources))
    var movie = RepresentationOptions()
    movie.acceptedTypes = try AcceptedTypes(parsing: "video/*")
    return Chosen(
      shown: name(asset.resource(for: version)), played: name(frames.resource),
      delivered: name(RepresentationPlan(presented, RepresentationOptions()).resource),
      movie: name(RepresentationPlan(presented, movie).resource))
  }

  private func asset(_ library: FolderAssetStore) throws -> Asset {
    let all = library.all()
    #expect(all.count == 1)
    return try #require(all.first)
  }

  @Test(arguments: AssetVersion.allCases)
  func `A version of a Live Photo has its own picture and its own clip`(version: AssetVersion) throws {
    for name in ["IMG_0040.JPG", "IMG_E0040.JPG"] { try folder.writePhoto(name) }
    for name in ["IMG_0040.mov", "IMG_E0040.mov"] { try folder.write(HandmadeMovie().bytes, to: name) }
    let live = try asset(folder.library())
    #expect(live.mediaSubtypes == .livePhoto && live.resources.count == 4)
    let prefix = version == .current ? "IMG_E0040" : "IMG_0040"
    let (still, clip) = ("\(prefix).JPG", "\(prefix).mov")
    #expect(
      try chosen(live, version) == Chosen(shown: still, played: clip, delivered: still, movie: clip))
    let brief = Asset(placeholderFor: AssetBrief(live)).presenting(version)
    #expect(brief.clip()?.type == (version == .current ? .fullSizePairedVideo : .pairedVideo))
  }

  @Test func `An edit of the picture alone keeps the clip, one of the clip alone the picture`() throws {
    try folder.writePhoto("a.jpg")
    try folder.write(HandmadeMovie().bytes, to: "a.mov")
    try folder.writePhoto("a-edited.jpg")
    let picture = try asset(folder.library())
    #expect(
      try chosen(picture, .current)
        == Chosen(shown: "a-edited.jpg", played: "a.mov", delivered: "a-edited.jpg", movie: "a.mov"))
    folder.remove("a-edited.jpg")
    try folder.write(HandmadeMovie().bytes, to: "a-edited.mov")
    let clip = try asset(folder.library())
    for version in AssetVersion.allCases {
      let movie = version == .current ? "a-edited.mov" : "a.mov"
      #expect(
        try chosen(clip, version)
          == Chosen(shown: "a.jpg", played: movie, delivered: "a.jpg", movie: movie))
    }
  }

  @Test(arguments: AssetVersion.allCases)
  func `A version of a video is played and delivered by its own file`(version: AssetVersion) throws {
    for name in ["walk.mov", "walk-edited.mov"] { try folder.write(HandmadeMovie().bytes, to: name) }
    let video = try asset(folder.library())
    let file = version == .current ? "walk-edited.mov" : "walk.mov"
    #expect(try chosen(video, version) == Chosen(shown: file, played: file, delivered: file, movie: file))
  }

  @Test func `The video within an edited Motion Photo is the edited clip`() throws {
    let claim = MetadataSegments.xmp(
      attributes: "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset=\"\(MetadataSegments.video.count)\"")
    let motion = MetadataSegments.jpeg(MetadataSegments.xmpSegment(claim)) + MetadataSegments.video
    for name in ["a.jpg", "a-edited.jpg"] { try folder.write(motion, to: name) }
    let both = try asset(folder.library())
    for version in AssetVersion.allCases {
      let file = version == .current ? "a-edited.jpg" : "a.jpg"
      #expect(try chosen(both, version) == Chosen(shown: file, played: file, delivered: file, movie: file))
    }
    // An original without a video is a still image.
    try folder.write(MetadataSegments.jpeg([]), to: "a.jpg")
    let edited = try asset(folder.library())
    #expect(edited.playableResource()?.filename == Array("a-edited.jpg".utf8))
    let original = edited.presenting(.unadjusted)
    #expect(edited.playableResource(for: .unadjusted) == nil && original.playableResource() == nil)
    #expect(original.playbackStyle == .image && original.mediaSubtypes == [])
  }

  @Test func `A named file is presented by itself, with the clip of its version`() throws {
    for name in ["IMG_1.JPG", "IMG_E1.JPG"] { try folder.writePhoto(name) }
    for name in ["IMG_1.mov", "IMG_E1.mov"] { try folder.write(HandmadeMovie().bytes, to: name) }
    let live = try asset(folder.library())
    for (file, played) in [
      ("IMG_1.JPG", "IMG_1.mov"), ("IMG_E1.JPG", "IMG_E1.mov"), ("IMG_1.mov", "IMG_1.mov"),
      ("IMG_E1.mov", "IMG_E1.mov"),
    ] {
      let presented = live.presenting(fileAt: folder.filePath(of: file))
      #expect(name(presented.primaryResource) == file && name(presented.playableResource()) == played)
    }
    #expect(live.presenting(fileAt: "elsewhere.jpg") == live)
  }
}
