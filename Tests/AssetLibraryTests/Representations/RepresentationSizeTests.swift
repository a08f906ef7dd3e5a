import MediaFormats
import Pixels
import SystemPackage
import Testing

@testable import AssetLibrary

@Suite struct RepresentationSizeTests {
  /// An asset of 4000x3000 pixels unless given otherwise, and of `byteCount` bytes.
  private static func asset(
    _ format: FileFormat, _ byteCount: Int64 = 10_000_000,
    size: PixelSize = PixelSize(width: 4000, height: 3000)
  ) -> Asset {
    let resource = AssetResource(
      type: format.isVideo ? .video : .photo, path: FilePath("a"),
      uniformTypeIdentifier: format.uniformTypeIdentifier, byteCount: byteCount, storedSize: size)
    return Asset(
      localIdentifier: LocalIdentifier("a"), mediaType: format.isVideo ? .video : .image, pixelSize: size,
      creationDate: AssetDate(year: 2024, month: 1, day: 1), resources: [resource])
  }

  private static func size(
    _ asset: Asset, _ configure: (inout RepresentationOptions) -> Void = { _ in }
  ) -> RepresentationSize {
    var options = RepresentationOptions()
    configure(&options)
    return RepresentationPlan.estimatedByteCount(of: asset, options)
  }

  private static func accepting(_ types: String) -> (inout RepresentationOptions) -> Void {
    { $0.acceptedTypes = try? AcceptedTypes(parsing: types) }
  }

  @Test(arguments: [FileFormat.jpeg, .heic, .mp4, .nef])
  func `An unchanged file counts with its own size`(format: FileFormat) {
    #expect(Self.size(Self.asset(format)) == RepresentationSize(byteCount: 10_000_000, isEstimate: false))
  }

  @Test func `A part counts by its share of the time, and at most as many bytes as its pixels need`() {
    var video = Self.asset(.quickTime, size: PixelSize(width: 1920, height: 1080))
    video.duration = 20
    video.trim = .seconds(5)..<(.seconds(10))
    #expect(Self.size(video) == RepresentationSize(byteCount: 2_500_000, isEstimate: true))
    // ProRes has 27 MB a second.
    video.resources[0].byteCount = 540_000_000
    let size = Self.size(video).byteCount
    #expect((5_000_000...30_000_000).contains(size), "\(size)")
    // Nothing makes a part small enough for a limit.
    let limited = Self.size(video) { $0.byteCount = 1_000_000 }
    #expect(limited == RepresentationSize(byteCount: 0, isEstimate: false))
  }

  @Test func `A file that can't be delivered counts as zero bytes`() {
    let size = Self.size(Self.asset(.nef)) {
      Self.accepting("video/*")(&$0)
      $0.mode = .current
    }
    #expect(size == RepresentationSize(byteCount: 0, isEstimate: false))
  }

  @Test(arguments: [
    // Measured: the mean of twelve photographs, in bits per pixel.
    (85, 1024, 768, 1.16), (85, 2048, 1365, 0.96), (85, 3072, 2048, 0.85), (75, 1024, 768, 0.85),
    (92, 2048, 1365, 1.38), (60, 2048, 1365, 0.52), (40, 1024, 768, 0.50), (98, 3072, 2048, 2.49),
  ])
  func `The JPEG size estimate matches the photographs it was derived from`(
    quality: Int, width: Int, height: Int, bits: Double
  ) {
    let size = Self.size(Self.asset(.heic, size: PixelSize(width: width, height: height))) {
      $0.mode = .compatible
      $0.quality = quality
    }
    let expected = bits * Double(width * height) / 8
    #expect(size.isEstimate && abs(Double(size.byteCount) / expected - 1) < 0.15)
  }

  @Test func `Fewer pixels, lower quality and a byte limit reduce the estimate`() {
    let heic = Self.asset(.heic)
    let full = Self.size(heic) { $0.mode = .compatible }
    let half = Self.size(heic) { $0.longestSide = 2000 }
    let upright = Self.size(Self.asset(.heic, size: PixelSize(width: 3000, height: 4000))) {
      $0.longestSide = 2000
    }
    #expect(half.byteCount < full.byteCount * 2 / 5 && half == upright)
    #expect(Self.size(heic) { ($0.longestSide, $0.quality) = (2000, 50) }.byteCount < half.byteCount)
    #expect(
      Self.size(heic) { ($0.longestSide, $0.byteCount) = (2000, 100_000) }
        == RepresentationSize(byteCount: 100_000, isEstimate: true))
  }

  @Test func `Quality outside libjpeg's scale is clamped`() {
    let sizes = [0, 1, 100, 200].map { quality in
      Self.size(Self.asset(.heic)) { ($0.mode, $0.quality) = (.compatible, quality) }.byteCount
    }
    #expect(sizes[0] == sizes[1] && sizes[2] == sizes[3] && sizes[1] > 0 && sizes[1] < sizes[2])
  }

  @Test func `A JPEG made from a smooth JPEG stays small`() {
    let smooth = Self.size(Self.asset(.jpeg, 200_000)) { $0.longestSide = 3900 }
    #expect(smooth == RepresentationSize(byteCount: 200_000, isEstimate: true))
    #expect(Self.size(Self.asset(.heic, 200_000)) { $0.longestSide = 3900 }.byteCount > 1_000_000)
  }

  @Test
  func `A smaller PNG or video is scaled by pixels, and a PNG from another format has ten bits per pixel`() {
    for format in [FileFormat.png, .mp4] {
      let size = Self.size(Self.asset(format)) { $0.longestSide = 2000 }
      #expect(size == RepresentationSize(byteCount: 2_500_000, isEstimate: true))
    }
    let png = Self.size(Self.asset(.heic), Self.accepting("image/png"))
    #expect(png == RepresentationSize(byteCount: 15_000_000, isEstimate: true))
  }

  @Test func `Removed metadata is not subtracted, and an unknown size changes nothing`() {
    #expect(
      Self.size(Self.asset(.jpeg)) { $0.stripping = .all }
        == RepresentationSize(byteCount: 10_000_000, isEstimate: true))
    for format in [FileFormat.heic, .mp4] {
      let size = Self.size(Self.asset(format, size: .zero)) { ($0.mode, $0.longestSide) = (.compatible, 100) }
      #expect(size == RepresentationSize(byteCount: 10_000_000, isEstimate: true))
    }
  }

  @Test func `An asset brief has the same plan as its asset`() throws {
    var pair = Self.asset(.nef)
    var beside = Self.asset(.jpeg, 3_000_000).resources[0]
    beside.type = .alternatePhoto
    var clip = Self.asset(.mp4, 1_000_000).resources[0]
    (clip.type, clip.byteRange) = (.pairedVideo, 5..<9)
    pair.resources += [beside, clip]
    for asset in [Self.asset(.jpeg), Self.asset(.heic), Self.asset(.mp4), pair] {
      for types in ["image/jpeg", "video/*", "image/png", ".nef"] {
        for side in [nil, 1000] {
          var options = RepresentationOptions()
          Self.accepting(types)(&options)
          options.longestSide = side
          let standIn = Asset(placeholderFor: AssetBrief(asset))
          let (plan, other) = (RepresentationPlan(asset, options), RepresentationPlan(standIn, options))
          #expect(plan.unavailability == other.unavailability)
          #expect(plan.resource?.byteCount == other.resource?.byteCount)
          #expect(
            plan.estimatedByteCount(of: asset, options) == other.estimatedByteCount(of: standIn, options))
        }
      }
    }
  }
}
