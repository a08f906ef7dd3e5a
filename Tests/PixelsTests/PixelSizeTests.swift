import Fixtures
import Pixels
import Testing

@Suite struct PixelSizeTests {
  static let scalings: [((Int, Int), (Int, Int), ContentMode, (Int, Int))] = [
    ((4000, 3000), (400, 400), .aspectFit, (400, 300)),
    ((3000, 4000), (400, 400), .aspectFit, (300, 400)),
    ((4000, 3000), (400, 400), .aspectFill, (533, 400)),
    ((3000, 4000), (400, 400), .aspectFill, (400, 533)),
    ((100, 100), (400, 400), .aspectFit, (100, 100)),
    ((100, 100), (400, 50), .aspectFill, (100, 100)),
    ((1000, 10), (10, 10), .aspectFit, (10, 1)),
    ((1000, 1), (10, 10), .aspectFit, (10, 1)),
    ((640, 480), (640, 480), .aspectFill, (640, 480)),
  ]

  @Test(arguments: scalings)
  func `Sizes are scaled by the smaller or the larger factor`(
    source: (Int, Int), target: (Int, Int), mode: ContentMode, result: (Int, Int)
  ) {
    let size = PixelSize(width: source.0, height: source.1)
    let scaled = size.scaled(toward: PixelSize(width: target.0, height: target.1), mode)
    #expect(scaled == PixelSize(width: result.0, height: result.1))
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `Fit stays within, fill covers, nothing is enlarged`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var faults: [String] = []
    for _ in 0..<1000 {
      let source = PixelSize.random(upTo: 5000, &random)
      let target = PixelSize.random(upTo: 1000, &random)
      let fit = source.scaled(toward: target, .aspectFit)
      let fill = source.scaled(toward: target, .aspectFill)
      let isFitting = fit.width <= target.width && fit.height <= target.height
      let isFilling =
        fill.width >= min(target.width, source.width) && fill.height >= min(target.height, source.height)
      let isNoLarger = [fit, fill].allSatisfy { $0.width <= source.width && $0.height <= source.height }
      let isThere = !fit.isEmpty && !fill.isEmpty
      if !(isFitting && isFilling && isNoLarger && isThere) { faults.append("\(source) in \(target)") }
    }
    #expect(faults.isEmpty)
  }

  @Test func `Extreme sizes saturate`() {
    #expect(PixelSize(width: .max, height: 2).area == .max)
    #expect(PixelSize(width: 3, height: 2).area == 6)
    #expect(PixelSize(width: 0, height: 5).isEmpty)
    #expect(PixelSize(width: -1, height: 5).isEmpty)
    #expect(PixelSize.zero.scaled(toward: PixelSize(width: 5, height: 5), .aspectFit) == .zero)
  }

  @Test(arguments: [((90, 30), (10, 10), (30.0, 0.0, 30.0, 30.0)), ((30, 90), (20, 10), (0, 37.5, 30, 15))])
  func `The largest region with an aspect ratio is centered`(
    size: (Int, Int), shape: (Int, Int), region: (Double, Double, Double, Double)
  ) {
    let found = PixelRegion(
      centeredIn: PixelSize(width: size.0, height: size.1),
      shapedLike: PixelSize(width: shape.0, height: shape.1))
    #expect(found == PixelRegion(x: region.0, y: region.1, width: region.2, height: region.3))
  }

  @Test func `Boxes of cells convert to pixels, in whole steps and up to a maximum`() {
    let cell = PixelSize(width: 10, height: 20)
    let box = CellSize(columns: 16, rows: 7)
    #expect(PictureGeometry(cell: cell).pixels(for: box) == PixelSize(width: 160, height: 140))
    #expect(PictureGeometry(cell: cell, heightStep: 6).pixels(for: box) == PixelSize(width: 160, height: 138))
    let largest = PixelSize(width: 100, height: 100)
    let bounded = PictureGeometry(cell: cell, heightStep: 6, largest: largest).pixels(for: box)
    #expect(bounded == PixelSize(width: 100, height: 96))
    let unknown = PictureGeometry(cell: cell, heightStep: 6, largest: .zero).pixels(for: box)
    #expect(unknown == PixelSize(width: 160, height: 138))
  }

  @Test func `Rectangles intersect if they share a cell`() {
    let rect = CellRect(column: 2, row: 2, columns: 3, rows: 3)
    #expect(rect.intersects(CellRect(column: 4, row: 4, columns: 1, rows: 1)))
    #expect(!rect.intersects(CellRect(column: 5, row: 2, columns: 3, rows: 3)))
    #expect(!rect.intersects(CellRect(column: 3, row: 3, columns: 0, rows: 3)))
    #expect(rect.contains(row: 4, column: 4))
    #expect(!rect.contains(row: 5, column: 4))
    #expect(rect.inset(left: 1, bottom: 1) == CellRect(column: 3, row: 2, columns: 2, rows: 2))
    #expect(rect.inset(left: 5).isEmpty)
  }
}

extension PixelSize {
  fileprivate static func random(upTo side: Int, _ random: inout SeededGenerator) -> PixelSize {
    PixelSize(width: .random(in: 1...side, using: &random), height: .random(in: 1...side, using: &random))
  }
}
