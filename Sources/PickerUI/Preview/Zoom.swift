import Pixels

/// How closely a picture in full screen is looked at, and at which place.
///
/// It belongs to no picture: the next one is seen as closely at the same place.
struct Zoom: Hashable, Sendable {
  /// A place in a box on the screen, in its pixels from the top left.
  struct Point: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  /// How many pixels of the screen one of the picture takes up, along each side.
  var scale: Double
  /// The middle of what is seen, in fractions of the picture's sides.
  var centre: Point

  /// The scales that zooming in and out leads through.
  static let scales: [Double] = [
    1.0 / 16, 1.0 / 12, 1.0 / 8, 1.0 / 6, 1.0 / 4, 1.0 / 3, 1.0 / 2, 2.0 / 3, 1, 1.5, 2, 3, 4,
  ]

  /// The scale at which the whole picture is seen; 1 where it is smaller than the box.
  static func fit(_ picture: PixelSize, in box: PixelSize) -> Double {
    picture.isEmpty ? 1 : min(1, picture.scale(toward: box, .aspectFit))
  }

  /// The next scale in or out; nil = the whole picture.
  static func next(after scale: Double, inward: Bool, fit: Double) -> Double? {
    // A step that can hardly be seen is none.
    if inward { return scales.first { $0 > scale * 1.1 } ?? max(scale, scales.last ?? scale) }
    return scales.last { $0 < scale / 1.1 && $0 > fit * 1.05 }
  }

  // MARK: What is seen

  /// The part of a picture that a box shows; nil where that is no less than the whole picture fitted into it.
  func part(of picture: PixelSize, in box: PixelSize) -> PicturePart? {
    guard !picture.isEmpty, !box.isEmpty, scale > Self.fit(picture, in: box) * 1.001 else { return nil }
    let columns = span(picture.width, box.width, around: centre.x)
    let rows = span(picture.height, box.height, around: centre.y)
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

  /// The pixels of the picture that are seen along one side: whole ones, so that a scale of 1 is exact.
  private func span(_ side: Int, _ room: Int, around centre: Double) -> Range<Int> {
    let count = max(1, min(side, Int((Double(room) / scale).rounded())))
    let start = Int((centre * Double(side) - Double(count) / 2).rounded())
    let first = max(0, min(side - count, start))
    return first..<first + count
  }

  private func length(_ count: Int, within room: Int) -> Int {
    max(1, min(room, Int((Double(count) * scale).rounded())))
  }

  // MARK: Moving

  /// The same scale, the box moved over the picture by so many pixels of the screen to the right and down.
  func moved(byX x: Double, y: Double, over picture: PixelSize, in box: PixelSize) -> Zoom {
    var moved = settled(over: picture, in: box)
    moved.centre.x += x / scale / Double(max(1, picture.width))
    moved.centre.y += y / scale / Double(max(1, picture.height))
    return moved.settled(over: picture, in: box)
  }

  /// Another scale; what is under a point of the box stays there.
  func scaled(to scale: Double, at point: Point, over picture: PixelSize, in box: PixelSize) -> Zoom {
    let before = settled(over: picture, in: box)
    var after = Zoom(scale: scale, centre: before.centre)
    let (middle, newMiddle) = (before.middle(of: picture, in: box), after.middle(of: picture, in: box))
    let across = (point.x - middle.x) / before.scale - (point.x - newMiddle.x) / scale
    let down = (point.y - middle.y) / before.scale - (point.y - newMiddle.y) / scale
    after.centre.x += across / Double(max(1, picture.width))
    after.centre.y += down / Double(max(1, picture.height))
    return after.settled(over: picture, in: box)
  }

  /// The middle of what is seen, in the box: a picture that does not fill it stands at its top, centred.
  private func middle(of picture: PixelSize, in box: PixelSize) -> Point {
    Point(x: Double(box.width) / 2, y: min(Double(box.height), Double(picture.height) * scale) / 2)
  }

  /// The centre as near as it can come to the picture's border.
  private func settled(over picture: PixelSize, in box: PixelSize) -> Zoom {
    let halves = (
      x: min(0.5, Double(box.width) / scale / Double(max(1, picture.width)) / 2),
      y: min(0.5, Double(box.height) / scale / Double(max(1, picture.height)) / 2)
    )
    var settled = self
    settled.centre.x = max(halves.x, min(1 - halves.x, centre.x))
    settled.centre.y = max(halves.y, min(1 - halves.y, centre.y))
    return settled
  }
}
