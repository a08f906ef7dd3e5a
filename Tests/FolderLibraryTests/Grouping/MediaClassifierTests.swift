import AssetLibrary
import MediaFormats
import Metadata
import Pixels
import Testing

@testable import FolderLibrary

@Suite struct MediaClassifierTests {
  private func facts(_ change: (inout MediaFacts) -> Void) -> MediaFacts {
    var facts = MediaFacts(storedSize: PixelSize(width: 4000, height: 3000))
    change(&facts)
    return facts
  }

  @Test(arguments: [
    (2, MediaSubtypes.hdr), (3, .hdr), (6, .panorama), (7, .depthEffect), (8, .depthEffect),
    (0, MediaSubtypes()), (1, MediaSubtypes()),
  ])
  func `Metadata determines the media subtypes of a picture`(customRendered: Int, expected: MediaSubtypes) {
    let facts = facts { $0.customRendered = customRendered }
    #expect(MediaClassifier.subtypes(of: facts, format: .jpeg, named: "a.jpg") == expected)
  }

  @Test func `Some metadata fields alone determine no subtype`() {
    #expect(
      MediaClassifier.subtypes(of: facts { $0.lens = "back camera" }, format: .jpeg, named: "a.jpg") == [])
    #expect(MediaClassifier.subtypes(of: facts { $0.hdrImageType = 4 }, format: .jpeg, named: "a.jpg") == [])
    #expect(
      MediaClassifier.subtypes(of: facts { $0.userComment = "My dog" }, format: .jpeg, named: "a.jpg") == [])
  }

  @Test func `Metadata identifies selfies, screenshots and HDR photos`() {
    #expect(
      MediaClassifier.subtypes(of: facts { $0.lens = "iPhone Front camera" }, format: .jpeg, named: "a.jpg")
        == .selfie)
    #expect(
      MediaClassifier.subtypes(of: facts { $0.hdrImageType = 3 }, format: .jpeg, named: "a.jpg") == .hdr)
    #expect(
      MediaClassifier.subtypes(of: facts { $0.userComment = "Screenshot" }, format: .jpeg, named: "a.jpg")
        == .screenshot)
  }

  @Test(arguments: [
    ("Screenshot from 2024-05-01.jpg", true), ("Bildschirmfoto 1.jpg", true), ("スクリーンショット.jpg", true),
    ("My screenshot.jpg", false), ("IMG_1.jpg", false),
  ])
  func `File names identify screenshots`(name: String, isScreenshot: Bool) {
    let subtypes = MediaClassifier.subtypes(of: facts { _ in }, format: .jpeg, named: name)
    #expect(subtypes.contains(.screenshot) == isScreenshot)
  }

  @Test func `A very wide picture is a panorama only if a camera took it`() {
    let wide = PixelSize(width: 5000, height: 2000)
    #expect(MediaClassifier.subtypes(of: facts { $0.storedSize = wide }, format: .jpeg, named: "a.jpg") == [])
    let taken = facts {
      $0.storedSize = wide.transposed
      $0.make = "Canon"
    }
    #expect(MediaClassifier.subtypes(of: taken, format: .jpeg, named: "a.jpg") == .panorama)
  }

  static let bursts: [(String, String?)] = [
    ("IMG_BURST20240501120000123.jpg", "20240501120000123"),
    ("DSC_0001_BURST20240501120000123_COVER.JPG", "20240501120000123"),
    ("00000IMG_00000_BURST20240501120000.jpg", "20240501120000"),
    ("x_BURST001_COVER.jpg", "x@a"), ("x_BURST12.jpg", "x@a"), ("x_BURST1.jpg", "x@a"),
    ("IMG_20250616_163308479_BURST001.jpg", "img_20250616_163308479@a"),
    ("IMG_20250616_163308479_BURST000_COVER_TOP.jpg", "img_20250616_163308479@a"),
    ("20170618_155512_Burst01.jpg", "20170618_155512@a"),
    ("20231207_101605_001.jpg", "20231207_101605@a"),
    ("x_BURST.jpg", nil), ("x_BURST001_EDIT.jpg", nil), ("IMG_1.jpg", nil),
    ("20231207_101605.jpg", nil), ("20231207_101605_01.jpg", nil), ("20231207-101605-001.jpg", nil),
    ("x20231207_101605_001.jpg", nil),
  ]

  @Test(arguments: bursts)
  func `File names identify bursts`(name: String, expected: String?) {
    let byName = MediaClassifier.burst(of: facts { _ in }, format: .jpeg, named: name, folder: 10)
    #expect(byName?.identifier == expected)
    #expect(byName?.isCover ?? false == name.contains("_COVER"))
    let byCamera = MediaClassifier.burst(
      of: facts { $0.burstIdentifier = "A-1" }, format: .jpeg, named: name, folder: 10)
    #expect(byCamera?.identifier == "A-1")
    #expect(byCamera?.isCover == (byName?.isCover ?? false))
    #expect(byCamera?.requiresSeveralPhotos == false)
    #expect(MediaClassifier.burst(of: facts { _ in }, format: .mp4, named: name, folder: 10) == nil)
  }

  static let hints: [(MediaHints, MediaSubtypes)] = [
    (.animated, .animated), (.panorama, .panorama), (.depthMap, .depthEffect), (.gainMap, .hdr),
    (.stereo, .spatial), (.longExposure, .longExposure), (.timelapse, .timelapse),
  ]

  @Test(arguments: hints)
  func `A picture's metadata tells how it was made`(hint: MediaHints, expected: MediaSubtypes) {
    let facts = facts { $0.hints = hint }
    #expect(MediaClassifier.subtypes(of: facts, format: .heic, named: "a.heic") == expected)
  }

  @Test(arguments: [MediaHints.screenRecording, .slomo, .timelapse, .cinematic, .stereo])
  func `A video's metadata tells how it was made`(hint: MediaHints) {
    let facts = facts { $0.hints = [hint, .animated] }
    let subtypes = MediaClassifier.subtypes(of: facts, format: .quickTime, named: "a.mov")
    #expect(subtypes.rawValue.nonzeroBitCount == 1)
    #expect(!subtypes.contains(.animated))
  }

  @Test(arguments: [
    ("ScreenRecording_05-01-2024.mov", MediaSubtypes.screenRecording),
    ("Screencast from 2024.webm", .screenRecording),
    ("My Timelapse.mp4", .timelapse), ("TIME-LAPSE 1.mov", .timelapse), ("a hyperlapse.mp4", .timelapse),
    ("a.mp4", MediaSubtypes()),
  ])
  func `Names that denote a kind of recording apply to videos only`(name: String, expected: MediaSubtypes) {
    #expect(MediaClassifier.subtypes(of: MediaFacts(), format: .mp4, named: name) == expected)
    #expect(MediaClassifier.subtypes(of: MediaFacts(), format: .jpeg, named: name) == [])
  }

  @Test func `A PNG that has the size of a screen and no camera metadata is a screenshot`() {
    func subtypes(_ width: Int, _ height: Int, _ format: FileFormat, make: String? = nil) -> MediaSubtypes {
      var facts = MediaFacts(storedSize: PixelSize(width: width, height: height))
      facts.make = make
      return MediaClassifier.subtypes(of: facts, format: format, named: "a")
    }
    #expect(subtypes(1170, 2532, .png) == .screenshot)
    #expect(subtypes(1920, 1080, .png) == .screenshot)
    #expect(subtypes(1920, 1080, .jpeg) == [])
    #expect(subtypes(1920, 1080, .png, make: "Canon") == [])
    #expect(subtypes(1921, 1080, .png) == [])
  }

  @Test func `Raw files and long exposures are recognized`() {
    let facts = facts { _ in }
    #expect(MediaClassifier.subtypes(of: facts, format: .nef, named: "a.nef") == .raw)
    let name = "PXL_20240501_120000123.LONG_EXPOSURE-01.COVER.jpg"
    #expect(MediaClassifier.subtypes(of: facts, format: .jpeg, named: name) == .longExposure)
  }
}
