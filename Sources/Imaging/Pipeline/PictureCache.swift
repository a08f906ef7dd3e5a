import AssetLibrary
import Pixels
import Rendering

/// Decoded pictures in memory: found by the work that made them, or as a stand-in for a picture of another size.
///
/// A value type: the pipeline uses it under its lock.
struct PictureCache: Sendable {
  private var cache: CostBoundedCache<ImageWork, PixelBuffer>
  /// The shapes in which a file was made; some of the pictures may have left the cache since.
  private var shapes: [ImageSource: [PictureShape]] = [:]

  /// From this number of shapes of one file on, each insertion forgets those whose pictures left the cache.
  private static let manyShapes = 16

  /// - Parameter limit: the maximum size of the pixels in bytes.
  init(limit: Int) { cache = CostBoundedCache(limit: limit) }

  /// The maximum size of the pixels in bytes.
  var limit: Int {
    get { cache.limit }
    set { cache.limit = newValue }
  }

  mutating func value(for work: ImageWork) -> PixelBuffer? { cache.value(for: work) }

  mutating func insert(_ picture: PixelBuffer, for work: ImageWork) {
    cache.insert(picture, for: work, cost: picture.cost)
    // Pictures larger than the cache are not kept.
    guard case .picture(let shape) = work.product, cache.contains(work) else { return }
    if (shapes[work.source]?.count ?? 0) >= Self.manyShapes { forgetMissing(of: work.source) }
    if !(shapes[work.source]?.contains(shape) ?? false) { shapes[work.source, default: []].append(shape) }
    // Sources whose pictures left the cache are forgotten from time to time.
    if shapes.count > 2 * cache.count + 64 {
      for source in shapes.keys { forgetMissing(of: source) }
    }
  }

  /// Returns whether there is a picture of the same file in another size.
  func hasStandIn(for work: ImageWork) -> Bool {
    guard case .picture(let wanted) = work.product, let known = shapes[work.source] else { return false }
    return known.contains { shape in
      shape != wanted && shape.canStandIn(for: wanted)
        && cache.contains(ImageWork(source: work.source, shape: shape))
    }
  }

  /// Returns the largest picture of the same file in another size, cropped for the work but never enlarged; nil if
  /// there is none.
  mutating func standIn(for work: ImageWork) -> PixelBuffer? {
    guard case .picture(let wanted) = work.product, shapes[work.source] != nil else { return nil }
    forgetMissing(of: work.source)
    var best: PixelBuffer?
    for shape in shapes[work.source] ?? [] where shape != wanted && shape.canStandIn(for: wanted) {
      var other = work
      other.product = .picture(shape)
      guard let picture = cache.value(for: other) else { continue }
      if best.map({ $0.size.area < picture.size.area }) ?? true { best = picture }
    }
    // A larger one would cover more of the screen than the final picture.
    return best?.standingIn(for: wanted)
  }

  private mutating func forgetMissing(of source: ImageSource) {
    let left = shapes[source]?.filter { shape in
      cache.contains(ImageWork(source: source, shape: shape))
    }
    shapes[source] = left?.isEmpty ?? true ? nil : left
  }
}

extension ImageWork {
  fileprivate init(source: ImageSource, shape: PictureShape) {
    self.source = source
    product = .picture(shape)
  }
}

extension PictureShape {
  /// Whether pictures in this shape show everything.
  fileprivate var isUncropped: Bool {
    crop == .whole && (contentMode == .aspectFit || resizeMode != .exact)
  }

  /// Whether a picture in this shape shows at least what one in another shape does.
  fileprivate func canStandIn(for wanted: PictureShape) -> Bool {
    guard wanted.crop == .whole else { return false }
    if isUncropped { return true }
    guard crop == .whole, !wanted.isUncropped, !targetSize.isEmpty, !wanted.targetSize.isEmpty else {
      return false
    }
    // Both are cropped to the same proportions, up to a pixel. Clients may request any size.
    let (own, other) = (targetSize, wanted.targetSize)
    let difference = Double(own.width) * Double(other.height) - Double(own.height) * Double(other.width)
    return abs(difference) <= Double(max(own.width, own.height, other.width, other.height))
  }
}

extension PixelBuffer {
  /// Returns this picture, which shows at least what a shape does, cropped to its proportions and reduced if it is
  /// larger, but never enlarged.
  func standingIn(for shape: PictureShape) -> PixelBuffer {
    guard shape.resizeMode == .exact, !shape.targetSize.isEmpty else { return self }
    var target = shape.targetSize
    if shape.contentMode == .aspectFill {
      let scale = min(1, Double(width) / Double(target.width), Double(height) / Double(target.height))
      target = PixelSize(
        width: max(1, Int((Double(target.width) * scale).rounded())),
        height: max(1, Int((Double(target.height) * scale).rounded())))
    }
    return ReducedPicture(self, of: size).shown(at: target, shape.contentMode)
  }
}
