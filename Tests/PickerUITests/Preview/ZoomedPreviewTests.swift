import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct ZoomedPreviewTests {
  /// A picker in full screen with all requested pictures made.
  private func open(_ library: [Asset] = .numbered(30)) -> TestPicker {
    var picker = TestPicker.open(library) { $0.configuration.sort = .name }
    picker.press(.character("o"))
    picker.makeDemanded()
    return picker
  }

  private func shown(_ picker: TestPicker) -> PictureKey? { picker.frame.slots.first?.key }

  /// The displayed part once everything requested has arrived; nil for a whole picture.
  private func target(_ picker: TestPicker) -> PictureKey? {
    guard let slot = picker.drawn.slots.first, slot.key.part != nil else { return nil }
    return slot.key
  }

  private func seen(_ key: PictureKey?) -> PixelRegion? {
    guard let region = key?.part?.region.region(in: PixelSize(width: 4000, height: 3000)) else { return nil }
    return PixelRegion(
      x: region.x.rounded(), y: region.y.rounded(), width: region.width.rounded(),
      height: region.height.rounded())
  }

  private func make(_ key: PictureKey?, _ picker: inout TestPicker) throws {
    picker.send(.pictures([try #require(key): .ready(note: nil)]))
  }

  @Test func `A key requests only the part at 100 %, and zooming out requests nothing`() throws {
    var picker = open()
    let before = picker.demand
    let whole = try #require(shown(picker))
    #expect(whole.part == nil)
    picker.press(.character("z"))
    let want = try #require(picker.demand.first)
    #expect(want.priority == .preview)
    #expect(picker.demand.filter { $0.priority == .preview }.count == 1)
    #expect(want.request.options.normalizedCropRect == want.key.part?.region)
    #expect(want.request.targetSize == whole.size)
    #expect(seen(want.key)?.width == Double(whole.size.width))
    #expect(picker.shows("100%"))
    // The whole picture stays until the part arrives, and remains cached afterwards.
    #expect(shown(picker) == whole)
    try make(want.key, &picker)
    #expect(shown(picker) == want.key)
    picker.press(.character("z"))
    #expect(shown(picker) == whole)
    #expect(picker.demand == before)
    #expect(!picker.shows("100%"))
  }

  @Test func `Prefetched neighbors stay wanted`() {
    var picker = open()
    picker.press(.right, .right)
    let neighbors = { (picker: TestPicker) in picker.demand.filter { $0.priority == .prefetch } }
    let before = neighbors(picker)
    #expect(before.count == 4)
    picker.press(.character("z"))
    #expect(neighbors(picker) == before)
    picker.press(.right, .down, .character("+"))
    #expect(neighbors(picker) == before)
  }

  @Test func `Arrows and letters pan the picture`() throws {
    var picker = open()
    picker.press(.character("z"))
    let before = try #require(seen(target(picker)))
    picker.press(.right, .character("j"))
    let after = try #require(seen(target(picker)))
    #expect(after.x == before.x + 150)
    #expect(after.y > before.y)
    picker.press(.left, .character("k"))
    #expect(seen(target(picker)) == before)
    #expect(picker.cursorIndex == 0)
    for _ in 0..<99 { picker.press(.character("l"), .down) }
    let corner = try #require(seen(target(picker)))
    #expect(corner.x + corner.width == 4000 && corner.y + corner.height == 3000)
  }

  @Test func `While a key is held, a part that is being made is completed and shown`() throws {
    var picker = open()
    picker.press(.character("z"))
    let first = try #require(picker.demand.first?.key)
    picker.press(.right, .right, .right)
    #expect(picker.demand.first?.key == first)
    try make(first, &picker)
    // The newest part is requested next; the previous one is shown meanwhile.
    #expect(shown(picker) == first)
    let last = try #require(picker.demand.first?.key)
    #expect(last == target(picker))
    try make(last, &picker)
    #expect(shown(picker) == last)
  }

  @Test func `A displayed part stays until a better one arrives, however long that takes`()
    throws
  {
    var picker = open()
    let whole = try #require(shown(picker))
    let timer = try #require(picker.press(.character("z")).compactMap(\.timer).first)
    picker.send(.timer(timer))
    #expect(shown(picker) == whole)
    let part = try #require(picker.demand.first?.key)
    picker.send(.pictures([part: .failed(reason: "not enough memory")]))
    #expect(shown(picker) == nil)
    #expect(picker.shows("not enough memory"))
  }

  @Test func `The next picture is shown at the same zoom and position`() throws {
    var picker = open()
    picker.press(.character("z"), .right)
    try make(picker.demand.first?.key, &picker)
    let region = try #require(target(picker)?.part)
    let old = shown(picker)
    let timer = try #require(picker.press(.pageDown).compactMap(\.timer).first)
    #expect(picker.cursorIndex == 1)
    #expect(target(picker)?.part == region)
    #expect(shown(picker) == old)
    // The old picture's time is up: the new one as a whole is closer to the request.
    picker.send(.timer(timer))
    #expect(shown(picker)?.asset.rawValue == "1")
    picker.press(.pageUp)
    #expect(picker.cursorIndex == 0)
  }

  @Test func `Escape returns to the whole picture, then to the grid`() {
    var picker = open()
    picker.press(.character("z"), .escape)
    #expect(picker.isFullScreen && target(picker) == nil && !picker.lines[38].contains("%"))
    picker.press(.escape)
    #expect(!picker.isFullScreen)
    picker.press(.character("z"))
    #expect(picker.isFullScreen && target(picker) != nil)
    picker.press(.character("o"))
    #expect(target(picker) == nil && !picker.lines[38].contains("%"))
  }

  @Test func `Plus and minus step through the scales`() {
    var picker = open()
    for words in ["33%", "50%", "67%", "100%", "150%", "200%", "300%", "400%", "400%"] {
      picker.press(.character("+"))
      #expect(picker.shows(words), "\(words)")
    }
    for words in ["300%", "200%", "150%", "100%", "67%", "50%", "33%"] {
      picker.press(.character("-"))
      #expect(picker.shows(words), "\(words)")
    }
    picker.press(.character("-"))
    #expect(target(picker) == nil && picker.isFullScreen)
    picker.press(.character("-"))
    #expect(target(picker) == nil)
  }

  @Test func `When enlarged, no more pixels are requested than exist`() throws {
    var picker = open()
    picker.press(.character("z"), .character("+"), .character("+"))
    let key = try #require(target(picker))
    #expect(seen(key)?.width == Double(key.size.width / 2))
    #expect(key.part?.size == key.size)
  }

  @Test func `A small picture is enlarged, one of unknown size is not`() {
    var small = Asset.photo("small")
    small.pixelSize = PixelSize(width: 200, height: 100)
    var picker = open([small])
    picker.press(.character("z"))
    #expect(picker.shows("200%"))
    #expect(target(picker)?.part?.size == PixelSize(width: 400, height: 200))
    var unknown = Asset.photo("unknown")
    unknown.pixelSize = .zero
    picker = open([unknown, .broken("broken")])
    for _ in 0..<2 {
      picker.press(.character("z"), .character("+"), .pageDown)
      #expect(target(picker) == nil)
    }
  }

  @Test func `The wheel moves to other photos, and with Control zooms at the pointer`() throws {
    var picker = open()
    let wheel = { (action: MouseEvent.Action, isControl: Bool, picker: inout TestPicker) in
      _ = picker.send(.mouse(MouseEvent(action, row: 0, column: 12, isControl: isControl)))
    }
    wheel(.wheelDown, false, &picker)
    #expect(picker.cursorIndex == 1 && target(picker) == nil)
    wheel(.wheelUp, false, &picker)
    #expect(picker.cursorIndex == 0)
    wheel(.wheelUp, true, &picker)
    #expect(picker.shows("33%"))
    for _ in 0..<3 { wheel(.wheelUp, true, &picker) }
    let region = try #require(seen(target(picker)))
    #expect(picker.shows("100%") && region.x < 400 && region.y < 400)
    // At the same zoom and position of the next photo.
    wheel(.wheelDown, false, &picker)
    #expect(picker.cursorIndex == 1 && picker.shows("100%"))
    wheel(.wheelUp, false, &picker)
    for _ in 0..<4 { wheel(.wheelDown, true, &picker) }
    #expect(picker.cursorIndex == 0 && target(picker) == nil)
  }

  @Test(arguments: [(true, 0), (false, 1)])
  func `The mouse zooms at the pointer, also in a picture smaller than its cells`(
    isLeft: Bool, end: Double
  ) throws {
    var picker = open()
    var metrics = picker.metrics
    metrics.pictureGeometry?.largest = PixelSize(width: 400, height: 300)
    picker.send(.resized(metrics))
    picker.makeDemanded()
    // The first and last column of the picture, which is centered on the screen.
    let slot = try #require(picker.frame.slots.first)
    #expect(slot.key.size.width == 400)
    let left = slot.rect.column + (slot.rect.columns - 40) / 2
    let column = isLeft ? left : left + 39
    let wheel = MouseEvent(.wheelUp, row: slot.rect.row + 1, column: column, isControl: true)
    for _ in 0..<6 { picker.send(.mouse(wheel)) }
    let region = try #require(seen(target(picker)))
    // The far end of the visible part shows where it has zoomed to.
    #expect(isLeft ? region.x < 200 : region.x + region.width > 3800, "\(region)")
    #expect(region.width < 2000)
  }

  @Test func `Where the mouse is reported in pixels, it zooms at the pixel`() throws {
    let regions = try [0, 9].map { x in
      var picker = open()
      let slot = try #require(picker.frame.slots.first)
      let (row, column) = (slot.rect.row + 3, slot.rect.column + slot.rect.columns / 2)
      let event = MouseEvent(.wheelUp, row: row * 20, column: column * 10 + x, isControl: true)
        .inCells(of: PixelSize(width: 10, height: 20))
      for _ in 0..<6 { picker.send(.mouse(event)) }
      return try #require(seen(target(picker)))
    }
    #expect(regions[0].x < regions[1].x && regions[0].y == regions[1].y, "\(regions)")
  }

  @Test func `Dragging pans the picture`() throws {
    var picker = open()
    picker.press(.character("z"))
    let before = try #require(seen(target(picker)))
    picker.send(.mouse(MouseEvent(.press, row: 10, column: 50)))
    picker.send(.mouse(MouseEvent(.drag, row: 12, column: 45)))
    let after = try #require(seen(target(picker)))
    #expect(after.x == before.x + 50 && after.y == before.y - 40)
    picker.send(.mouse(MouseEvent(.drag, row: 10, column: 50)))
    picker.send(.mouse(MouseEvent(.release, row: 10, column: 50)))
    picker.send(.mouse(MouseEvent(.drag, row: 1, column: 1)))
    #expect(seen(target(picker)) == before)
    #expect(picker.selected.isEmpty)
  }

  @Test func `A decoder that never answers leaves the picker usable`() {
    var picker = TestPicker.open()
    picker.press(.character("z"), .right, .character("+"), .pageDown, .character("-"), .character("z"))
    picker.press(.character("z"), .space, .escape, .escape)
    #expect(picker.selected == ["1"])
    #expect(!picker.isFullScreen)
  }
}
