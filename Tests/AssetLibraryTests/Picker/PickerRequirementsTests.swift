import AssetLibrary
import Pixels
import Testing

@Suite struct PickerRequirementsTests {
  private static let all = PickerRequirements(minimumDuration: 3, maximumDuration: 60, maximumByteCount: 100)

  @Test(
    arguments: [
      (.video, 3, 100, nil), (.video, 60, 0, nil), (.video, 2.9, 100, .tooShort(minimum: 3)),
      // Recorders stop at the end of a frame.
      (.video, 60.03, 100, nil), (.video, 60.2, 100, .tooLong(maximum: 60)),
      (.video, 0, 100, .unknownDuration),
      (.video, 0.5, 100, .tooShort(minimum: 3)), (.video, -1, 100, .unknownDuration),
      (.video, 10, 101, .tooLarge(maximum: 100)), (.image, 0, 100, nil),
      (.image, 0, 101, .tooLarge(maximum: 100)),
      (.video, 1, 101, .tooLarge(maximum: 100)),
    ] as [(MediaType, Double, Int64, PickerRequirements.Shortfall?)])
  func `An unmet requirement is reported with the required value`(
    mediaType: MediaType, duration: Double, bytes: Int64, shortfall: PickerRequirements.Shortfall?
  ) {
    var asset = Asset.photo("a", size: bytes)
    asset.mediaType = mediaType
    asset.duration = duration
    #expect(Self.all.shortfall(of: AssetBrief(asset)) == shortfall)
    #expect(Self.all.shortfall(of: asset) == shortfall)
    #expect(PickerRequirements().shortfall(of: AssetBrief(asset)) == nil)
  }

  @Test func `What counts is the part that is delivered`() {
    var asset = Asset.photo("a", size: 100)
    asset.mediaType = .video
    asset.duration = 90
    #expect(Self.all.shortfall(of: asset) == .tooLong(maximum: 60))
    asset.trim = .seconds(10)..<(.seconds(70))
    #expect(Self.all.shortfall(of: asset) == nil)
    asset.trim = .seconds(10)..<(.seconds(12))
    #expect(Self.all.shortfall(of: asset) == .tooShort(minimum: 3))
  }

  @Test func `The part of a large video may be small enough, by the share of its time`() {
    var asset = Asset.photo("a", size: 1000)
    asset.mediaType = .video
    asset.duration = 50
    asset.resources[0].uniformTypeIdentifier = "public.mpeg-4"
    let limit = PickerRequirements(maximumByteCount: 100)
    #expect(limit.shortfall(of: asset) == .tooLarge(maximum: 100))
    asset.trim = .seconds(10)..<(.seconds(15))
    #expect(limit.shortfall(of: asset) == nil)
    asset.trim = .seconds(10)..<(.seconds(16))
    #expect(limit.shortfall(of: asset) == .tooLarge(maximum: 100))
    // Fewer pixels need fewer bytes.
    asset.pixelSize = PixelSize(width: 400, height: 300)
    var options = RepresentationOptions()
    options.longestSide = 200
    #expect(limit.shortfall(of: asset, as: options) == nil)
  }

  @Test func `A missing bound is open`() {
    var asset = Asset.photo("a")
    asset.mediaType = .video
    asset.duration = 5
    let brief = AssetBrief(asset)
    #expect(PickerRequirements(minimumDuration: 6).shortfall(of: brief) == .tooShort(minimum: 6))
    #expect(PickerRequirements(minimumDuration: 4).shortfall(of: brief) == nil)
    #expect(PickerRequirements(maximumDuration: 4).shortfall(of: brief) == .tooLong(maximum: 4))
    #expect(PickerRequirements(maximumDuration: 6).shortfall(of: brief) == nil)
  }
}
