import MediaFormats
import Pixels
import System

/// How many bytes are handed over of an asset.
public struct RepresentationSize: Hashable, Sendable {
  public var byteCount: Int64
  /// Whether the file is still to be made, so that its length is only known by experience.
  public var isEstimate: Bool

  public init(byteCount: Int64, isEstimate: Bool) {
    self.byteCount = byteCount
    self.isEstimate = isEstimate
  }
}

extension RepresentationPlan {
  /// How many bytes are handed over of an asset: exact for a file that goes as it is, else estimated, and never more
  /// than the options let it have.
  public static func estimatedByteCount(
    of asset: Asset, _ options: RepresentationOptions
  ) -> RepresentationSize {
    RepresentationPlan(asset, options).estimatedByteCount(of: asset, options)
  }

  /// How many bytes are handed over where this is the plan for the asset.
  package func estimatedByteCount(of asset: Asset, _ options: RepresentationOptions) -> RepresentationSize {
    let estimate: Int64
    switch self {
    case .unavailable: return RepresentationSize(byteCount: 0, isEstimate: false)
    case .file(let resource): return RepresentationSize(byteCount: resource.byteCount, isEstimate: false)
    // Metadata is little beside the picture.
    case .stripped(let resource): estimate = resource.byteCount
    case .video(let resource):
      estimate = Int64(
        saturating: Double(resource.byteCount) * PixelCount(of: resource, asset, options).share)
    case .picture(let resource, let formats):
      estimate = Self.byteCount(
        of: resource, as: formats.first ?? .jpeg, PixelCount(of: resource, asset, options), options)
    }
    return RepresentationSize(byteCount: min(estimate, options.byteCount ?? .max), isEstimate: true)
  }

  private static func byteCount(
    of resource: AssetResource, as format: PictureFormat, _ pixels: PixelCount,
    _ options: RepresentationOptions
  ) -> Int64 {
    guard pixels.made > 0 else { return resource.byteCount }
    let original = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    switch format {
    case .png:
      // PNGs of five photographs of 0.6 to 0.8 megapixels had 6 to 15 bits a pixel, 10 on average.
      if original == .png { return Int64(saturating: Double(resource.byteCount) * pixels.share) }
      return Int64(saturating: pixels.made * 10 / 8)
    case .jpeg:
      let quality = options.quality ?? RepresentationOptions.standardQuality
      let bytes = Int64(saturating: pixels.made * bitsPerPixel(pixels.made, quality: quality) / 8)
      // What is smooth enough to take few bytes goes on taking few.
      return original == .jpeg ? min(bytes, resource.byteCount) : bytes
    }
  }

  /// The bits that a pixel takes in a JPEG, on average.
  ///
  /// Fitted to twelve photographs in sizes of 0.6, 2.5 and 5.5 megapixels, encoded by libjpeg-turbo with 4:2:0 in the
  /// qualities 40, 60, 75, 85, 92 and 98. At quality 85 they had 1.16, 0.96 and 0.85 bits a pixel, single ones a
  /// quarter to three times as many. The other qualities follow the scale of libjpeg's quantization tables
  /// (`jpeg_quality_scaling`), within 11 percent.
  private static func bitsPerPixel(_ pixels: Double, quality: Int) -> Double {
    let quality = Double(max(1, min(quality, 100)))
    let scale = quality < 50 ? 5000 / quality : max(2, 200 - 2 * quality)
    return 1.1 * pow(pixels / 1_000_000, -0.14) * pow(30 / scale, 0.58)
  }

  /// The pixels of a picture that is made of another one.
  private struct PixelCount {
    /// Their number; 0 where it is not known.
    let made: Double
    /// As a part of those of the original.
    let share: Double

    init(of resource: AssetResource, _ asset: Asset, _ options: RepresentationOptions) {
      let size = resource.storedSize.isEmpty ? asset.pixelSize : resource.storedSize
      guard !size.isEmpty else {
        (made, share) = (0, 1)
        return
      }
      let scale = options.longestSide.map { min(1, Double($0) / Double(max(size.width, size.height))) } ?? 1
      share = scale * scale
      made = Double(size.area) * share
    }
  }
}
