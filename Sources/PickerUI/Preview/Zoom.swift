import AssetLibrary
import Pixels

/// The scale and center of a zoomed picture in full screen.
///
/// It is independent of the picture, so that the next one is shown at the same scale and position.
struct Zoom: Hashable, Sendable {
  /// A point in pixels from the top left of a box, or in fractions of a picture.
  struct Point: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  /// Screen pixels per picture pixel, along each axis.
  var scale: Double
  /// The center of the visible part, in fractions of the picture's size.
  var center: Point

  /// The steps for zooming in and out.
  static let scales: [Double] = [
    1.0 / 16, 1.0 / 12, 1.0 / 8, 1.0 / 6, 1.0 / 4, 1.0 / 3, 1.0 / 2, 2.0 / 3, 1, 1.5, 2, 3, 4,
  ]

  /// The scale at which the whole picture is visible, at most 1.
  static func fit(_ picture: PixelSize, in box: PixelSize) -> Double {
    picture.isEmpty ? 1 : min(1, picture.scale(toward: box, .aspectFit))
  }

  /// The next scale in or out; nil = the whole picture.
  static func next(after scale: Double, inward: Bool, fit: Double) -> Double? {
    // Skips steps that would hardly be visible.
    if inward { return scales.first { $0 > scale * 1.1 } ?? max(scale, scales.last ?? scale) }
    return scales.last { $0 < scale / 1.1 && $0 > fit * 1.05 }
  }

  // MARK: The visible part

  /// The part of a picture that a box shows; nil if the whole picture fits at this scale.
  func part(of picture: PixelSize, in box: PixelSize) -> PicturePart? {
    guard !picture.isEmpty, !box.isEmpty, scale > Self.fit(picture, in: box) * 1.001 else { return nil }
    let columns = span(picture.width, box.width, around: center.x)
    let rows = span(picture.height, box.height, around: center.y)
    let region = NormalizedRect(
      x: Double(columns.lowerBound) / Double(picture.width),
      y: Double(rows.lowerBound) / Double(picture.height),
      width: Double(columns.count) / Double(picture.width),
      height: Double(rows.count) / Double(picture.height))
    guard let region else { return nil }
    return PicturePart(
      region: region,
      size: PixelSize(
        width: length(columns.count, within: box.width), height: length(rows.count, within: box.height)))
  }

  /// The visible pixels along one axis: whole ones, so that a scale of 1 is exact.
  private func span(_ side: Int, _ extent: Int, around center: Double) -> Range<Int> {
    let count = max(1, min(side, Int((Double(extent) / scale).rounded())))
    let start = Int((center * Double(side) - Double(count) / 2).rounded())
    let first = max(0, min(side - count, start))
    return first..<first + count
  }

  private func length(_ count: Int, within extent: Int) -> Int {
    max(1, min(extent, Int((Double(count) * scale).rounded())))
  }

  // MARK: Moving

  /// Pans by screen pixels to the right and down.
  func moved(byX x: Double, y: Double, over picture: PixelSize, in box: PixelSize) -> Zoom {
    var moved = settled(over: picture, in: box)
    moved.center.x += x / scale / Double(max(1, picture.width))
    moved.center.y += y / scale / Double(max(1, picture.height))
    return moved.settled(over: picture, in: box)
  }

  /// Changes the scale, keeping the picture fixed at a point of the box.
  func scaled(to scale: Double, at point: Point, over picture: PixelSize, in box: PixelSize) -> Zoom {
    let before = settled(over: picture, in: box)
    var after = Zoom(scale: scale, center: before.center)
    let (middle, newMiddle) = (before.middle(of: picture, in: box), after.middle(of: picture, in: box))
    let across = (point.x - middle.x) / before.scale - (point.x - newMiddle.x) / scale
    let down = (point.y - middle.y) / before.scale - (point.y - newMiddle.y) / scale
    after.center.x += across / Double(max(1, picture.width))
    after.center.y += down / Double(max(1, picture.height))
    return after.settled(over: picture, in: box)
  }

  /// The center of the visible part in pixels of the box; a picture lower than the box is aligned with its
  /// top.
  private func middle(of picture: PixelSize, in box: PixelSize) -> Point {
    Point(x: Double(box.width) / 2, y: min(Double(box.height), Double(picture.height) * scale) / 2)
  }

  /// The zoom with its center clamped so that the box stays within the picture.
  private func settled(over picture: PixelSize, in box: PixelSize) -> Zoom {
    let halves = (
      x: min(0.5, Double(box.width) / scale / Double(max(1, picture.width)) / 2),
      y: min(0.5, Double(box.height) / scale / Double(max(1, picture.height)) / 2)
    )
    var settled = self
    settled.center.x = max(halves.x, min(1 - halves.x, center.x))
    settled.center.y = max(halves.y, min(1 - halves.y, center.y))
    return settled
  }
}
