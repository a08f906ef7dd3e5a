import MediaFormats
import Pixels
import System

/// The size of the file that is delivered for an asset.
public struct RepresentationSize: Hashable, Sendable {
  /// The size in bytes.
  public var byteCount: Int64
  /// Whether the file does not exist yet, so that its size is an estimate.
  public var isEstimate: Bool

  /// Creates a size.
  public init(byteCount: Int64, isEstimate: Bool) {
    self.byteCount = byteCount
    self.isEstimate = isEstimate
  }
}

extension RepresentationPlan {
  /// Returns the size of the file that is delivered for an asset: exact for an unchanged file, otherwise an
  /// estimate that is at most the limit in the options, unless it is for a part of a video.
  public static func estimatedByteCount(
    of asset: Asset, _ options: RepresentationOptions
  ) -> RepresentationSize {
    RepresentationPlan(asset, options).estimatedByteCount(of: asset, options)
  }

  /// Returns the size of the delivered file, if this is the plan for the asset.
  package func estimatedByteCount(of asset: Asset, _ options: RepresentationOptions) -> RepresentationSize {
    let estimate: Int64
    switch self {
    case .unavailable: return RepresentationSize(byteCount: 0, isEstimate: false)
    case .file(let resource): return RepresentationSize(byteCount: resource.byteCount, isEstimate: false)
    // The metadata is small compared to the pixels.
    case .stripped(let resource): estimate = resource.byteCount
    case .video(let resource):
      estimate = Int64(
        saturating: Double(resource.byteCount) * PixelCount(of: resource, asset, options).share)
    case .videoPart(let resource, let part):
      let pixels = PixelCount(of: resource, asset, options)
      let seconds = (part.upperBound - part.lowerBound) / .seconds(1)
      let share = asset.duration > 0 ? min(1, seconds / asset.duration) : 1
      let most = pixels.made > 0 ? seconds * pixels.made * Self.encodedBitsPerPixelSecond / 8 : .infinity
      // Encoders have no limit of the size: a larger result is refused.
      return RepresentationSize(
        byteCount: Int64(saturating: min(Double(resource.byteCount) * share * pixels.share, most)),
        isEstimate: true)
    case .keyPhoto(let resource, let clip, _, let formats):
      estimate = Self.byteCount(
        of: resource, as: formats.first ?? .jpeg, PixelCount(of: clip, asset, options), options)
    case .picture(let resource, let formats):
      estimate = Self.byteCount(
        of: resource, as: formats.first ?? .jpeg, PixelCount(of: resource, asset, options), options)
    }
    return RepresentationSize(byteCount: min(estimate, options.byteCount ?? .max), isEstimate: true)
  }

  /// The maximum number of bits per pixel and second that a part of a video is expected to need.
  ///
  /// It matters for originals of codecs such as MJPEG and ProRes, which compress frames one by one. At the quality
  /// of conversions, x264 needed 0.13 to 0.6 bits per pixel and frame for moving drawings with and without noise
  /// (1280x720, 30 frames per second), and more only for noise that no camera stores.
  private static let encodedBitsPerPixelSecond = 0.5 * 30

  private static func byteCount(
    of resource: AssetResource, as format: PictureFormat, _ pixels: PixelCount,
    _ options: RepresentationOptions
  ) -> Int64 {
    guard pixels.made > 0 else { return resource.byteCount }
    let original = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    switch format {
    case .png:
      // PNGs of five photos with 0.6 to 0.8 megapixels took 6 to 15 bits per pixel, 10 on average.
      if original == .png { return Int64(saturating: Double(resource.byteCount) * pixels.share) }
      return Int64(saturating: pixels.made * 10 / 8)
    case .jpeg:
      let quality = options.quality ?? RepresentationOptions.standardQuality
      let bytes = Int64(saturating: pixels.made * bitsPerPixel(pixels.made, quality: quality) / 8)
      // An original with little detail compresses well again.
      return original == .jpeg ? min(bytes, resource.byteCount) : bytes
    }
  }

  /// Returns the average number of bits per pixel in a JPEG.
  ///
  /// Fitted to twelve photos with 0.6, 2.5 and 5.5 megapixels, encoded by libjpeg-turbo with 4:2:0
  /// subsampling at the qualities 40, 60, 75, 85, 92 and 98. At quality 85 the averages were 1.16, 0.96 and
  /// 0.85 bits per pixel; individual photos took between a quarter and three times the average. The other
  /// qualities follow the scale of libjpeg's quantization tables (`jpeg_quality_scaling`), within 11 percent.
  private static func bitsPerPixel(_ pixels: Double, quality: Int) -> Double {
    let quality = Double(max(1, min(quality, 100)))
    let scale = quality < 50 ? 5000 / quality : max(2, 200 - 2 * quality)
    return 1.1 * pow(pixels / 1_000_000, -0.14) * pow(30 / scale, 0.58)
  }

  /// The pixel count of a converted image.
  private struct PixelCount {
    /// The number of pixels; 0 if unknown.
    let made: Double
    /// The fraction of the original's pixels.
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
