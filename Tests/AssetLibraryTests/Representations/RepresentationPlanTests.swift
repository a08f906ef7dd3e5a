import Pixels
import SystemPackage
import Testing

@testable import AssetLibrary

/// How an asset's files are delivered.
@Suite struct RepresentationPlanTests {
  private static func resource(_ type: String, _ kind: AssetResource.Kind = .photo) -> AssetResource {
    AssetResource(
      type: kind, path: FilePath("a.\(type)"), uniformTypeIdentifier: type, byteCount: 3_000_000,
      storedSize: PixelSize(width: 4000, height: 3000))
  }

  private static func asset(_ resources: AssetResource...) -> Asset {
    Asset(
      localIdentifier: LocalIdentifier("a"),
      mediaType: resources[0].type == .video ? .video : .image,
      pixelSize: PixelSize(width: 4000, height: 3000),
      creationDate: AssetDate(wallSeconds: 0), resources: resources)
  }

  private static let jpeg = asset(resource("public.jpeg"))
  private static let rare: Asset = {
    var jpeg = asset(resource("public.jpeg"))
    jpeg.resources[0].isRareJPEG = true
    return jpeg
  }()
  private static let png = asset(resource("public.png"))
  private static let heic = asset(resource("public.heic"))
  private static let gif = asset(resource("com.compuserve.gif"))
  private static let raw = asset(resource("com.adobe.raw-image"))
  private static let mov = asset(resource("com.apple.quicktime-movie", .video))
  private static let live = asset(
    resource("public.heic"), resource("com.apple.quicktime-movie", .pairedVideo))
  private static let rawAndJPEG = asset(
    resource("public.jpeg"), resource("com.adobe.raw-image", .alternatePhoto))
  private static let edited = asset(
    resource("public.heic", .fullSizePhoto), resource("public.jpeg"))
  private static let editedLive = asset(
    resource("public.heic", .fullSizePhoto), resource("public.mpeg-4", .fullSizePairedVideo),
    resource("com.apple.quicktime-movie", .pairedVideo), resource("public.jpeg"))
  private static let unknown = asset(resource("public.data"))

  private static func options(_ change: (inout RepresentationOptions) throws -> Void) -> RepresentationOptions
  {
    var options = RepresentationOptions()
    try? change(&options)
    return options
  }

  private static func part(of asset: Asset) -> Asset {
    var asset = asset
    asset.trim = .seconds(2)..<(.seconds(5))
    return asset
  }

  private static func withKeyPhoto(_ asset: Asset) -> Asset {
    var asset = asset
    asset.keyPhotoTime = .milliseconds(1500)
    return asset
  }

  private static let compatible = options { $0.mode = .compatible }
  private static let current = options { $0.mode = .current }
  private static let small = options { $0.longestSide = 2000 }
  private static let large = options { $0.longestSide = 4000 }
  private static let light = options { $0.byteCount = 1_000_000 }
  private static let nameless = options { $0.stripping = .location }
  private static let wordless = options { $0.removesCaptions = true }
  private static let wordlessCurrent = options { ($0.mode, $0.removesCaptions) = (.current, true) }
  private static let wordlessNameless = options { ($0.stripping, $0.removesCaptions) = (.location, true) }
  private static func taking(_ list: String) -> RepresentationOptions {
    options { $0.acceptedTypes = try AcceptedTypes(parsing: list) }
  }

  /// A short description of a plan.
  private static func word(_ plan: RepresentationPlan) -> String {
    let type = { (resource: AssetResource) in
      resource.uniformTypeIdentifier.split(separator: ".").last.map(String.init) ?? ""
    }
    return switch plan {
    case .file(let resource): "file \(type(resource))"
    case .stripped(let resource): "stripped \(type(resource))"
    case .picture(let resource, let formats):
      "\(type(resource)) to \(formats.map { "\($0)" }.joined(separator: "/"))"
    case .video(let resource): "video \(type(resource))"
    case .videoPart(let resource, let part): "part \(type(resource)) \(part.lowerBound / .seconds(1))"
    case .keyPhoto(let still, let clip, let time, let formats):
      "\(type(clip)) at \(time / .seconds(1)) for \(type(still)) to \(formats.map { "\($0)" }.joined(separator: "/"))"
    case .unavailable(let reason): "no: \(reason)"
    }
  }

  private static let cases: [(String, Asset, RepresentationOptions, String)] = [
    ("as it is", heic, RepresentationOptions(), "file heic"),
    ("unknown as it is", unknown, RepresentationOptions(), "file data"),
    ("unknown", unknown, compatible, "no: its format is not known"),
    ("of four inks", rare, compatible, "jpeg to jpeg/png"),
    ("taken with four inks", rare, taking(".jpg"), "file jpeg"),
    ("of four inks as it is", rare, current, "file jpeg"),
    ("compatible", jpeg, compatible, "file jpeg"), ("compatible PNG", png, compatible, "file png"),
    ("compatible GIF", gif, compatible, "file gif"), ("HEIC", heic, compatible, "heic to jpeg/png"),
    ("raw", raw, compatible, "raw-image to jpeg/png"), ("video", mov, compatible, "video quicktime-movie"),
    ("small", jpeg, small, "jpeg to jpeg/png"), ("small enough", jpeg, large, "file jpeg"),
    ("small PNG stays one", png, small, "png to png/jpeg"),
    ("small video", mov, small, "video quicktime-movie"),
    ("light", jpeg, light, "jpeg to jpeg/png"), ("light PNG", png, light, "png to jpeg/png"),
    ("heavy video", mov, light, "no: it exceeds the size limit"),
    ("without place", jpeg, nameless, "stripped jpeg"), ("HEIC without", heic, nameless, "heic to jpeg/png"),
    ("video without", mov, nameless, "stripped quicktime-movie"),
    ("without captions", jpeg, wordless, "stripped jpeg"),
    ("HEIC without captions", heic, wordless, "stripped heic"),
    ("current HEIC without captions", heic, wordlessCurrent, "stripped heic"),
    ("raw without captions", raw, wordless, "stripped raw-image"),
    ("video without captions", mov, wordless, "stripped quicktime-movie"),
    ("without captions and place", heic, wordlessNameless, "heic to jpeg/png"),
    ("unknown without captions", unknown, wordless, "no: its format is not known"),
    ("current HEIC", heic, current, "file heic"),
    (
      "current HEIC without", heic,
      options {
        $0.mode = .current; $0.stripping = .all
      },
      "no: metadata can't be removed from a HEIC file that is not converted"
    ),
    ("taken", heic, taking("image/*"), "file heic"), ("to JPEG", heic, taking("image/jpeg"), "heic to jpeg"),
    ("to PNG", jpeg, taking("image/png"), "jpeg to png"),
    ("to nothing", jpeg, taking("video/mp4"), "no: a JPEG file can't be delivered as MP4"),
    ("part", part(of: mov), RepresentationOptions(), "part quicktime-movie 2.0"),
    ("part as MP4", part(of: mov), taking("video/mp4"), "part quicktime-movie 2.0"),
    (
      "part as it is", part(of: mov), current, "no: a part of it is a new MP4, which is not accepted"
    ),
    (
      "part as QuickTime", part(of: mov), taking(".mov"),
      "no: a part of it is a new MP4, which is not accepted"
    ),
    ("part of a photo", part(of: jpeg), RepresentationOptions(), "no: it can't be trimmed"),
    (
      "key photo", withKeyPhoto(live), RepresentationOptions(),
      "quicktime-movie at 1.5 for heic to jpeg/png"
    ),
    ("key photo as PNG", withKeyPhoto(live), taking("image/png"), "quicktime-movie at 1.5 for heic to png"),
    ("key photo of an edit", withKeyPhoto(editedLive), compatible, "mpeg-4 at 1.5 for heic to jpeg/png"),
    (
      "key photo of the original", withKeyPhoto(editedLive).presenting(.unadjusted), nameless,
      "quicktime-movie at 1.5 for jpeg to jpeg/png"
    ),
    (
      "key photo as it is", withKeyPhoto(live), current,
      "no: its new key photo is a new JPEG, which is not accepted"
    ),
    (
      "key photo as HEIC", withKeyPhoto(live), taking(".heic"),
      "no: its new key photo is a new JPEG, which is not accepted"
    ),
    ("clip of a key photo", withKeyPhoto(live), taking("video/mp4"), "video quicktime-movie"),
    ("clip of a key photo as it is", withKeyPhoto(live), taking(".mov"), "file quicktime-movie"),
    (
      "key photo without a clip", withKeyPhoto(heic), RepresentationOptions(),
      "no: it has no clip that a key photo could be taken from"
    ),
    ("to MP4", mov, taking("video/mp4"), "video quicktime-movie"),
    ("video to JPEG", mov, taking("image/jpeg"), "no: a QuickTime file can't be delivered as JPEG"),
    ("clip", live, taking("video/mp4"), "video quicktime-movie"),
    ("clip as it is", live, taking(".mov"), "file quicktime-movie"),
    ("edited clip", editedLive, taking("video/*"), "file mpeg-4"),
    ("edit, not the clip", editedLive, taking(".mov"), "no: a HEIC file can't be delivered as .mov"),
    ("unedited clip", editedLive.presenting(.unadjusted), taking("video/*"), "file quicktime-movie"),
    ("still", live, taking("image/jpeg"), "heic to jpeg"),
    ("raw of both", rawAndJPEG, taking(".dng"), "file raw-image"),
    ("JPEG of both", rawAndJPEG, taking("image/jpeg"), "file jpeg"),
    ("the edit, not the original", edited, taking("image/jpeg"), "heic to jpeg"),
    ("quality", jpeg, options { $0.quality = 50 }, "jpeg to jpeg/png"),
    ("quality of PNG", png, options { $0.quality = 50 }, "file png"),
    (
      "small and current", jpeg,
      options {
        $0.mode = .current; $0.longestSide = 100
      }, "no: it exceeds the size limit and must not be converted"
    ),
  ]

  @Test(arguments: cases.indices)
  func `The plan follows from formats and options`(index: Int) {
    let (name, asset, options, expected) = Self.cases[index]
    #expect(Self.word(RepresentationPlan(asset, options)) == expected, "\(name)")
  }

  @Test func `The clip in a Motion Photo becomes a file of its own`() throws {
    var clip = Self.resource("public.mpeg-4", .pairedVideo)
    clip.byteRange = 100..<200
    let asset = Self.asset(Self.resource("public.jpeg"), clip)
    #expect(RepresentationPlan(asset, Self.taking("video/mp4")) == .video(clip))
  }

  @Test func `A rare JPEG format counts as JPEG in a selection's metadata too`() {
    let brief = AssetBrief(Self.rare)
    #expect(
      Self.word(RepresentationPlan(Asset(placeholderFor: brief), Self.compatible)) == "jpeg to jpeg/png")
  }

  private static let names: [(type: String, name: String, options: RepresentationOptions, suffix: String?)] =
    [
      ("public.jpeg", "a.HEIC", taking(".jpg"), "jpg"),
      ("public.jpeg", "a.HEIC", taking("image/jpeg"), "jpg"),
      ("public.jpeg", "a.HEIC", taking(".jpeg"), "jpeg"), ("public.jpeg", "a.HEIC", taking("image/*"), "jpg"),
      ("public.jpeg", "a.HEIC", compatible, "jpg"), ("public.jpeg", "a.HEIC", RepresentationOptions(), nil),
      ("public.jpeg", "a.HEIC", current, nil), ("public.jpeg", "a.HEIC", taking("*/*"), nil),
      ("public.jpeg", "a.HEIC", nameless, nil), ("public.jpeg", "a.JPG", taking(".jpg"), nil),
      ("public.jpeg", "a.JPEG", taking(".jpg"), nil), ("public.jpeg", "a.jfif", compatible, nil),
      ("public.jpeg", "a", taking(".jpg"), "jpg"), ("public.jpeg", "a.png", compatible, "jpg"),
      ("public.png", "a.jpg", taking("image/png"), "png"), ("public.png", "a.jpg", compatible, "png"),
      ("com.compuserve.gif", "a.png", compatible, "gif"), ("public.heic", "a.jpg", taking(".heic"), "heic"),
      ("public.heic", "a.heif", taking(".heic"), nil), ("public.tiff", "a.tif", taking(".tiff"), nil),
      ("public.mpeg-4", "a.MOV", taking("video/mp4"), "mp4"), ("public.mpeg-4", "a.mov", compatible, "mp4"),
      ("public.mpeg-4", "a.m4v", compatible, nil), ("com.apple.m4v-video", "a.mp4", compatible, nil),
      ("public.mpeg-4", "a.m4v", taking(".mp4"), "mp4"),
      ("com.apple.m4v-video", "a.mp4", taking(".m4v"), "m4v"),
      ("com.apple.quicktime-movie", "a.mp4", taking(".mov"), "mov"),
      ("public.data", "a.jpg", compatible, nil),
      ("public.3gpp", "a.3gpp", taking("video/*"), nil),
    ]

  @Test func `If a type is requested, an unchanged file gets the extension of its content`() {
    for (type, name, options, suffix) in Self.names {
      var resource = Self.resource(type)
      resource.path = FilePath(name)
      #expect(options.neededSuffix(of: resource) == suffix, "\(type) \(name) \(options)")
    }
  }
}
