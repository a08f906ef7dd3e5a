import AssetLibrary
import Pixels
import Testing

@Suite struct PickerFilterTests {
  static let expressions: [(String, PickerFilter)] = [
    ("images", .matching(.images)),
    ("IMAGES", .matching(.images)),
    ("livephotos", .matching(.livePhotos)),
    (" images ", .matching(.images)),
    ("images,videos", .any([.matching(.images), .matching(.videos)])),
    ("any(images,videos)", .any([.matching(.images), .matching(.videos)])),
    ("all( images , favorites )", .all([.matching(.images), .matching(.favorites)])),
    ("not(videos)", .not(.matching(.videos))),
    ("NOT(videos,hidden)", .not(.any([.matching(.videos), .matching(.hidden)]))),
    ("!videos", .not(.matching(.videos))),
    ("! !videos", .not(.not(.matching(.videos)))),
    ("!all(images,raw)", .not(.all([.matching(.images), .matching(.raw)]))),
    (
      "all(any(images,videos),!hidden),raw",
      .any([
        .all([.any([.matching(.images), .matching(.videos)]), .not(.matching(.hidden))]), .matching(.raw),
      ])
    ),
  ]

  @Test(arguments: expressions)
  func `Filter expressions combine`(text: String, filter: PickerFilter) throws {
    #expect(try PickerFilter(parsing: text) == filter)
  }

  @Test(arguments: [
    ("still", PlaybackStyle.image, true), ("still", .livePhoto, false), ("still", .video, false),
    ("live", .livePhoto, true), ("live", .image, false), ("moving", .imageAnimated, true),
    ("moving", .image, false), ("video", .video, true), ("video", .videoLooping, false),
    ("video", .unsupported, false),
  ])
  func `A filter for a playback style admits what is played like that`(
    name: String, style: PlaybackStyle, isShown: Bool
  ) {
    var asset = Asset(
      localIdentifier: LocalIdentifier(name), mediaType: name == "video" ? .video : .image,
      pixelSize: PixelSize(width: 4, height: 3), creationDate: AssetDate(year: 2026, month: 1, day: 1),
      resources: [])
    if name == "live" { asset.mediaSubtypes = .livePhoto }
    if name == "moving" { asset.mediaSubtypes = .animated }
    #expect(PickerFilter.playbackStyle(style).matches(asset) == isShown)
  }

  @Test func `Removing the location keeps a stronger setting`() {
    var configuration = PickerConfiguration()
    configuration.removesLocation = true
    #expect(configuration.representation.stripping == .location)
    configuration.representation.stripping = .all
    configuration.removesLocation = true
    #expect(configuration.representation.stripping == .all && configuration.removesLocation)
    configuration.removesLocation = false
    #expect(configuration.representation.stripping == .all)
    configuration.representation.stripping = .location
    configuration.removesLocation = false
    #expect(configuration.representation.isPlain)
  }

  @Test func `Captions are removed beside the location, and with all metadata`() {
    var configuration = PickerConfiguration()
    configuration.removesCaptions = true
    #expect(configuration.representation.removesCaptions && !configuration.representation.isPlain)
    #expect(!configuration.removesLocation)
    configuration.removesLocation = true
    configuration.removesCaptions = false
    #expect(!configuration.removesCaptions && configuration.removesLocation)
    configuration.representation.stripping = .all
    #expect(configuration.removesCaptions)
  }

  @Test(arguments: PickerFilter.Name.allCases)
  func `Every filter name is recognized in any case`(name: PickerFilter.Name) throws {
    for word in [name.rawValue, name.rawValue.uppercased(), name.rawValue.lowercased()] {
      #expect(try PickerFilter(parsing: word) == .matching(name))
    }
  }

  static let errors: [(String, PickerFilterError)] = [
    ("cats", .unknownName("cats")),
    ("images,dogs-2", .unknownName("dogs-2")),
    ("not(any(birds))", .unknownName("birds")),
    ("any", .unknownName("any")),
    ("", .emptyList),
    ("  ", .emptyList),
    (",", .emptyList),
    ("images,", .emptyList),
    ("images,,videos", .emptyList),
    ("any()", .emptyList),
    ("all( )", .emptyList),
    ("!", .emptyList),
    ("images videos", .unexpected("'videos'", expected: "a comma or the end")),
    ("images)", .unexpected("')'", expected: "a comma or the end")),
    ("any(images", .unexpected("the end", expected: "')'")),
    ("any(images;videos)", .unexpected("';videos)'", expected: "')'")),
    ("some(images)", .unexpected("'some('", expected: "any(…), all(…) or not(…)")),
    ("&images", .unexpected("'&'", expected: "a filter")),
  ]

  @Test(arguments: errors)
  func `An invalid filter is named in the error`(text: String, error: PickerFilterError) {
    #expect(throws: error) { try PickerFilter(parsing: text) }
  }

  @Test func `The message names the invalid word and the valid ones`() {
    let message = PickerFilterError.unknownName("cats").description
    #expect(message.contains("'cats'"))
    for name in PickerFilter.Name.allCases { #expect(message.contains(name.rawValue)) }
  }

  @Test(arguments: ["not(", "!", "any(all("])
  func `Excessive nesting is rejected`(open: String) {
    let text = String(repeating: open, count: 5000) + "images"
    #expect(throws: PickerFilterError.self) { try PickerFilter(parsing: text) }
  }

  @Test(arguments: [
    ("images", "images only"), ("livePhotos", "live photos only"), ("images,raw", "images or RAW only"),
    ("all(images,any(hdr,!favorites))", "images and (HDR or not favorites) only"),
  ])
  func `Filters can be described in words`(text: String, words: String) throws {
    #expect(try PickerFilter(parsing: text).description == words)
  }
}
