import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct PreviewStateTests {
  private static let size = PixelSize(width: 400, height: 300)

  private static func key(_ name: String, _ size: PixelSize = size) -> PictureKey {
    PictureKey(.photo(name), size: size, mode: .aspectFit)
  }

  private static func ready(_ keys: PictureKey...) -> PictureState {
    var pictures = PictureState()
    pictures.add(Dictionary(uniqueKeysWithValues: keys.map { ($0, PictureStatus.ready(note: nil)) }))
    return pictures
  }

  @Test func `The old preview stays until the new one arrives`() {
    var preview = PreviewState()
    let (old, new) = (Self.key("a"), Self.key("b"))
    let effects = preview.keepShowing(old, until: new, size: PixelSize(width: 4, height: 3), Self.ready(old))
    #expect(preview.outgoing == old)
    #expect(effects.compactMap(\.timer) == [.preview(generation: preview.outgoingGeneration)])
    #expect(
      preview.keepShowing(old, until: new, size: PixelSize(width: 4, height: 3), Self.ready(old, new)).isEmpty
    )
    #expect(preview.outgoing == nil)
  }

  @Test func `An old preview of another size, or one that never arrived, is not used as a stand-in`() {
    var preview = PreviewState()
    let small = Self.key("a", PixelSize(width: 40, height: 30))
    _ = preview.keepShowing(
      small, until: Self.key("b"), size: PixelSize(width: 4, height: 3), Self.ready(small))
    #expect(preview.outgoing == nil)
    _ = preview.keepShowing(
      Self.key("a"), until: Self.key("b"), size: PixelSize(width: 4, height: 3), PictureState())
    #expect(preview.outgoing == nil)
  }

  @Test func `Metadata is requested once, and kept for nearby photos`() {
    var preview = PreviewState()
    let (a, b, c) = (Asset.photo("a"), Asset.photo("b"), Asset.photo("c"))
    #expect(preview.requestDetails(of: [a, b]) == [.loadDetails(a), .loadDetails(b)])
    var details = AssetDetails()
    details.camera = "iPhone 15"
    preview.add(details, of: b.id)
    preview.add(details, of: c.id)
    #expect(preview.details[c.id] == nil)
    #expect(preview.requestDetails(of: [b, c]) == [.loadDetails(c)])
    #expect(preview.details[b.id] == details && preview.details[a.id] == nil)
  }

  @Test func `Metadata and pictures of a changed file are requested again`() {
    var preview = PreviewState()
    let before = Asset.photo("a")
    var after = before
    after.resources[0].fileVersion = FileVersion(inode: 1, changeTime: 2)
    #expect(preview.requestDetails(of: [before]) == [.loadDetails(before)])
    #expect(preview.requestDetails(of: [after]) == [.loadDetails(after)])
    #expect(preview.requestDetails(of: [after]).isEmpty)
    #expect(
      PictureKey(before, size: Self.size, mode: .aspectFit)
        != PictureKey(after, size: Self.size, mode: .aspectFit))
  }

  @Test func `A part that is being made is completed before another is requested`() {
    var preview = PreviewState()
    func part(_ x: Double) -> PictureKey {
      var key = Self.key("a")
      key.part = Zoom(scale: 1, center: Zoom.Point(x: x, y: 0.5))
        .part(of: PixelSize(width: 4000, height: 3000), in: Self.size)
      return key
    }
    preview.requestPart(part(0.3), PictureState())
    preview.requestPart(part(0.6), PictureState())
    #expect(preview.requestedPart == part(0.3))
    preview.requestPart(part(0.6), Self.ready(part(0.3)))
    #expect(preview.requestedPart == part(0.6))
    preview.requestPart(nil, PictureState())
    #expect(preview.requestedPart == nil)
  }

  @Test func `A chosen version applies only to its asset`() {
    var preview = PreviewState()
    var asset = Asset.photo("a")
    var raw = asset.resources[0]
    raw.type = .alternatePhoto
    asset.resources.append(raw)
    let hasAnother = preview.showNextVersion(of: asset)
    #expect(hasAnother)
    #expect(preview.version(of: asset) != .current)
    #expect(preview.version(of: .photo("b")) == .current)
    preview.keepVersion(of: asset.id)
    #expect(preview.version(of: asset) != .current)
    preview.keepVersion(of: LocalIdentifier("b"))
    #expect(preview.version(of: asset) == .current)
  }

  @Test func `Arrived pictures are kept while they are wanted`() {
    var pictures = Self.ready(Self.key("a"), Self.key("b"))
    pictures.keep { $0 == Self.key("a") }
    #expect(pictures[Self.key("a")] != nil && pictures[Self.key("b")] == nil)
    pictures.wants = [
      PictureRequest(key: Self.key("b"), asset: .photo("b"), priority: .visible),
      PictureRequest(key: Self.key("a"), asset: .photo("a"), priority: .preview),
    ]
    #expect(pictures.wantedPreview == Self.key("a"))
    pictures.forgetAll()
    #expect(pictures.wantedPreview == nil && pictures[Self.key("a")] == nil)
  }
}
