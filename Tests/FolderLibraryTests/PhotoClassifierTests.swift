import AssetLibrary
import Metadata
import Pixels
import Testing

@testable import FolderLibrary

@Suite struct PhotoClassifierTests {
  private func facts(_ change: (inout PhotoFacts) -> Void) -> PhotoFacts {
    var facts = PhotoFacts(storedSize: PixelSize(width: 4000, height: 3000))
    change(&facts)
    return facts
  }

  @Test(arguments: [
    (2, MediaSubtypes.hdr), (3, .hdr), (6, .panorama), (7, .depthEffect), (8, .depthEffect),
    (0, MediaSubtypes()), (1, MediaSubtypes()),
  ])
  func `What the camera made of it`(customRendered: Int, expected: MediaSubtypes) {
    let facts = facts { $0.customRendered = customRendered }
    #expect(PhotoClassifier.subtypes(of: facts, named: "a.jpg") == expected)
  }

  @Test func `Facts that claim nothing by themselves`() {
    #expect(PhotoClassifier.subtypes(of: facts { $0.lens = "back camera" }, named: "a.jpg") == [])
    #expect(PhotoClassifier.subtypes(of: facts { $0.hdrImageType = 4 }, named: "a.jpg") == [])
    #expect(PhotoClassifier.subtypes(of: facts { $0.userComment = "My dog" }, named: "a.jpg") == [])
  }

  @Test func `Selfies, screenshots and HDR by other facts`() {
    #expect(
      PhotoClassifier.subtypes(of: facts { $0.lens = "iPhone Front camera" }, named: "a.jpg") == .selfie)
    #expect(PhotoClassifier.subtypes(of: facts { $0.hdrImageType = 3 }, named: "a.jpg") == .hdr)
    #expect(
      PhotoClassifier.subtypes(of: facts { $0.userComment = "Screenshot" }, named: "a.jpg") == .screenshot)
  }

  @Test(arguments: [
    ("Screenshot from 2024-05-01.jpg", true), ("Bildschirmfoto 1.jpg", true), ("スクリーンショット.jpg", true),
    ("My screenshot.jpg", false), ("IMG_1.jpg", false),
  ])
  func `Screenshots by name`(name: String, isScreenshot: Bool) {
    let subtypes = PhotoClassifier.subtypes(of: facts { _ in }, named: name)
    #expect(subtypes.contains(.screenshot) == isScreenshot)
  }

  @Test func `A very wide picture is a panorama only if a camera took it`() {
    let wide = PixelSize(width: 5000, height: 2000)
    #expect(PhotoClassifier.subtypes(of: facts { $0.storedSize = wide }, named: "a.jpg") == [])
    let taken = facts {
      $0.storedSize = wide.transposed
      $0.make = "Canon"
    }
    #expect(PhotoClassifier.subtypes(of: taken, named: "a.jpg") == .panorama)
  }

  @Test(arguments: [
    ("IMG_BURST20240501120000123.jpg", "20240501120000123"),
    ("x_BURST001_COVER.jpg", "001"), ("00000IMG_00000_BURST20240501120000.jpg", "20240501120000"),
    ("x_BURST.jpg", nil), ("x_BURST12.jpg", nil), ("x_BURST001_EDIT.jpg", nil), ("IMG_1.jpg", nil),
  ])
  func `Bursts by name`(name: String, expected: String?) {
    #expect(PhotoClassifier.burst(of: facts { _ in }, named: name) == expected)
    #expect(PhotoClassifier.burst(of: facts { $0.burstIdentifier = "A-1" }, named: name) == "A-1")
  }
}
