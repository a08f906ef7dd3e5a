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

  // MARK: What is seen

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

extension PickerState {
  /// The fraction of the box that an arrow key pans by.
  private static let panStep = 1.0 / 8

  /// The visible part of an asset's picture in full screen; nil if all of it is visible.
  private func zoomedPart(of asset: Asset, in layout: ScreenLayout) -> PicturePart? {
    guard preview.isFullScreen, let zoom = preview.zoom, let box = previewKey(in: layout)?(asset).size else {
      return nil
    }
    return zoom.part(of: presented(asset).pixelSize, in: box)
  }

  /// The key of the visible part; nil if all of the picture is visible.
  func zoomedKey(of asset: Asset, in layout: ScreenLayout) -> PictureKey? {
    guard let part = zoomedPart(of: asset, in: layout) else { return nil }
    var key = previewKey(in: layout)?(asset)
    key?.part = part
    return key
  }

  /// Whether only a part of the picture is visible.
  var isZoomed: Bool { current.map { zoomedPart(of: $0, in: layout) != nil } ?? false }

  // MARK: Keys

  /// Handles the commands of the full-screen preview; nil for those handled as usual.
  mutating func performInFullScreen(_ command: Command) -> [PickerEffect]? {
    switch command {
    case .largerThumbnails: return zoom(inward: true)
    case .smallerThumbnails: return zoom(inward: false)
    case .zoom: return toggleZoom()
    default: break
    }
    guard isZoomed else { return nil }
    switch command {
    case .left: return pan(-Self.panStep, 0)
    case .right: return pan(Self.panStep, 0)
    case .up: return pan(0, -Self.panStep)
    case .down: return pan(0, Self.panStep)
    case .pageUp: return showNeighbor(-1)
    case .pageDown: return showNeighbor(1)
    case .close:
      preview.zoom = nil
      return []
    default: return nil
    }
  }

  /// Zooms to 100 %, or back to the whole picture.
  mutating func toggleZoom() -> [PickerEffect] {
    guard allows(.preview), let asset = current.map(presented), !asset.isBroken else { return [] }
    openFullScreen()
    if isZoomed {
      preview.zoom = nil
      return []
    }
    guard let box = zoomBox(of: asset) else { return [] }
    // A picture that is smaller than the screen is at 100 % already.
    return zoom(to: Zoom.fit(asset.pixelSize, in: box) < 0.95 ? 1 : 2, of: asset, in: box)
  }

  private mutating func zoom(inward: Bool, at place: Zoom.Point? = nil) -> [PickerEffect] {
    guard let asset = current.map(presented), !asset.isBroken, let box = zoomBox(of: asset) else {
      return []
    }
    let fit = Zoom.fit(asset.pixelSize, in: box)
    let scale = isZoomed ? preview.zoom?.scale ?? fit : fit
    guard let next = Zoom.next(after: scale, inward: inward, fit: fit) else {
      preview.zoom = nil
      return []
    }
    return zoom(to: next, of: asset, in: box, at: place)
  }

  private mutating func zoom(
    to scale: Double, of asset: Asset, in box: PixelSize, at place: Zoom.Point? = nil
  ) -> [PickerEffect] {
    let whole = Zoom(scale: Zoom.fit(asset.pixelSize, in: box), center: Zoom.Point(x: 0.5, y: 0.5))
    let before = isZoomed ? preview.zoom ?? whole : whole
    let middle = Zoom.Point(x: Double(box.width) / 2, y: Double(box.height) / 2)
    preview.zoom = before.scaled(to: scale, at: place ?? middle, over: asset.pixelSize, in: box)
    return []
  }

  /// The box of the picture in pixels; nil without pictures or if the asset's size is unknown.
  private func zoomBox(of asset: Asset) -> PixelSize? {
    asset.pixelSize.isEmpty ? nil : previewKey(in: layout)?(asset).size
  }

  /// Pans by fractions of the box.
  private mutating func pan(_ across: Double, _ down: Double) -> [PickerEffect] {
    guard let asset = current.map(presented), let box = zoomBox(of: asset) else { return [] }
    preview.zoom = preview.zoom?.moved(
      byX: across * Double(box.width), y: down * Double(box.height), over: asset.pixelSize, in: box)
    return []
  }

  /// Shows the next or previous picture at the same scale and position.
  mutating func showNeighbor(_ step: Int) -> [PickerEffect] {
    let command: Command = step > 0 ? .right : .left
    return input.focus == .strip ? performInStrip(command) ?? [] : moveInGrid(command)
  }

  // MARK: The mouse

  /// Scrolls to other photos, or zooms at the pointer with Control.
  mutating func handleWheelInFullScreen(
    _ step: Int, _ event: MouseEvent, _ layout: ScreenLayout
  ) -> [PickerEffect] {
    if layout.info?.contains(row: event.row, column: event.column) ?? false {
      preview.infoScroll += step
      return []
    }
    guard event.isControl else { return showNeighbor(step) }
    guard let place = zoomPoint(of: event, layout) else { return [] }
    return zoom(inward: step < 0, at: place)
  }

  /// Starts dragging a picture that is larger than the screen.
  mutating func beginPan(_ event: MouseEvent, _ layout: ScreenLayout) {
    guard isZoomed, zoomPoint(of: event, layout) != nil else { return }
    input.mouse.dragAnchor = MouseState.DragAnchor(row: event.row, column: event.column)
  }

  /// Pans with the mouse.
  mutating func continuePan(_ event: MouseEvent) -> [PickerEffect] {
    guard let anchor = input.mouse.dragAnchor, let pictureGeometry = metrics.pictureGeometry,
      let asset = current.map(presented),
      let box = zoomBox(of: asset)
    else { return [] }
    input.mouse.dragAnchor = MouseState.DragAnchor(row: event.row, column: event.column)
    preview.zoom = preview.zoom?.moved(
      byX: Double((anchor.column - event.column) * pictureGeometry.cell.width),
      y: Double((anchor.row - event.row) * pictureGeometry.cell.height), over: asset.pixelSize, in: box)
    return []
  }

  /// The center of the pointer's cell in pixels of the picture's box; nil outside of the box.
  private func zoomPoint(of event: MouseEvent, _ layout: ScreenLayout) -> Zoom.Point? {
    guard let cells = previewBox(in: layout), let pictureGeometry = metrics.pictureGeometry,
      let asset = current,
      let box = zoomBox(of: asset), cells.contains(row: event.row, column: event.column)
    else { return nil }
    // If picture sizes are limited, the box is smaller than its cells, and centered in them.
    let left = max(0, cells.columns - box.width / max(1, pictureGeometry.cell.width)) / 2
    return Zoom.Point(
      x: (Double(event.column - cells.column - left) + 0.5) * Double(pictureGeometry.cell.width),
      y: (Double(event.row - cells.row) + 0.5) * Double(pictureGeometry.cell.height))
  }
}
