import AssetLibrary
import Pixels

extension PickerState {
  /// What part of the box an arrow key moves by.
  private static let panStep = 1.0 / 8

  /// The part of an asset's picture that is looked at in full screen; nil where it is the whole.
  func zoomedPart(of asset: Asset, in layout: ScreenLayout) -> PicturePart? {
    guard preview.isFullScreen, let zoom = preview.zoom, let box = previewKey(in: layout)?(asset).size else {
      return nil
    }
    return zoom.part(of: presented(asset).pixelSize, in: box)
  }

  /// The token of the part that is looked at; nil where it is the whole picture.
  func zoomedKey(of asset: Asset, in layout: ScreenLayout) -> PictureKey? {
    guard let part = zoomedPart(of: asset, in: layout) else { return nil }
    var key = previewKey(in: layout)?(asset)
    key?.part = part
    return key
  }

  /// Whether a part of the picture is seen, and not all of it.
  var isZoomed: Bool { current.map { zoomedPart(of: $0, in: layout) != nil } ?? false }

  // MARK: Keys

  /// What keys mean to a picture in full screen; nil for those that mean what they always do.
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
    case .pageUp: return lookOn(-1)
    case .pageDown: return lookOn(1)
    case .close:
      preview.zoom = nil
      return []
    default: return nil
    }
  }

  /// To 100 %, and from any part back to the whole picture.
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
    let whole = Zoom(scale: Zoom.fit(asset.pixelSize, in: box), centre: Zoom.Point(x: 0.5, y: 0.5))
    let before = isZoomed ? preview.zoom ?? whole : whole
    let middle = Zoom.Point(x: Double(box.width) / 2, y: Double(box.height) / 2)
    preview.zoom = before.scaled(to: scale, at: place ?? middle, over: asset.pixelSize, in: box)
    return []
  }

  /// The pixels that an asset is shown in; nil without pictures, or where its size is not known.
  private func zoomBox(of asset: Asset) -> PixelSize? {
    asset.pixelSize.isEmpty ? nil : previewKey(in: layout)?(asset).size
  }

  /// Moves by parts of the box.
  private mutating func pan(_ across: Double, _ down: Double) -> [PickerEffect] {
    guard let asset = current.map(presented), let box = zoomBox(of: asset) else { return [] }
    preview.zoom = preview.zoom?.moved(
      byX: across * Double(box.width), y: down * Double(box.height), over: asset.pixelSize, in: box)
    return []
  }

  /// The next picture or the previous one, as close and at the same place.
  mutating func lookOn(_ step: Int) -> [PickerEffect] {
    let command: Command = step > 0 ? .right : .left
    return input.focus == .strip ? performInStrip(command) ?? [] : moveInGrid(command)
  }

  // MARK: The mouse

  /// The wheel leads to other photos; with Control it zooms at the mouse.
  mutating func turnWheelInFullScreen(
    _ step: Int, _ event: MouseEvent, _ layout: ScreenLayout
  ) -> [PickerEffect] {
    if layout.info?.contains(row: event.row, column: event.column) ?? false {
      preview.infoScroll += step
      return []
    }
    guard event.isControl else { return lookOn(step) }
    guard let place = zoomPoint(of: event, layout) else { return [] }
    return zoom(inward: step < 0, at: place)
  }

  /// Takes hold of the picture, where it reaches beyond the screen.
  mutating func grip(_ event: MouseEvent, _ layout: ScreenLayout) {
    guard isZoomed, zoomPoint(of: event, layout) != nil else { return }
    input.mouse.grip = MouseState.Grip(row: event.row, column: event.column)
  }

  /// The picture follows the mouse that holds it.
  mutating func dragPicture(_ event: MouseEvent) -> [PickerEffect] {
    guard let grip = input.mouse.grip, let pictureGeometry = metrics.pictureGeometry,
      let asset = current.map(presented),
      let box = zoomBox(of: asset)
    else { return [] }
    input.mouse.grip = MouseState.Grip(row: event.row, column: event.column)
    preview.zoom = preview.zoom?.moved(
      byX: Double((grip.column - event.column) * pictureGeometry.cell.width),
      y: Double((grip.row - event.row) * pictureGeometry.cell.height), over: asset.pixelSize, in: box)
    return []
  }

  /// The middle of a cell in the pixels of the picture's box; nil beside it.
  private func zoomPoint(of event: MouseEvent, _ layout: ScreenLayout) -> Zoom.Point? {
    guard let cells = previewBox(in: layout), let pictureGeometry = metrics.pictureGeometry,
      let asset = current,
      let box = zoomBox(of: asset), cells.contains(row: event.row, column: event.column)
    else { return nil }
    // Where pictures are limited in size the box is smaller than its cells, and stands in their middle.
    let left = max(0, cells.columns - box.width / max(1, pictureGeometry.cell.width)) / 2
    return Zoom.Point(
      x: (Double(event.column - cells.column - left) + 0.5) * Double(pictureGeometry.cell.width),
      y: (Double(event.row - cells.row) + 0.5) * Double(pictureGeometry.cell.height))
  }
}
