import Pixels
import Testing

@testable import PickerUI

@Suite struct ZoomTests {
  private let photo = PixelSize(width: 4000, height: 3000)
  private let box = PixelSize(width: 1200, height: 780)
  private let middle = Zoom.Point(x: 0.5, y: 0.5)

  /// The visible pixels of the picture: left, top, width and height.
  private func seen(_ zoom: Zoom, of picture: PixelSize, in box: PixelSize) -> [Int]? {
    zoom.part(of: picture, in: box).map { part in
      let region = part.region.region(in: picture)
      return [region.x, region.y, region.width, region.height].map { Int($0.rounded()) }
    }
  }

  @Test(arguments: [(0.0, 0), (1.0, 2800), (2.0, 2800), (-1.0, 0)])
  func `At a border the visible part ends with the picture`(x: Double, left: Int) {
    let zoom = Zoom(scale: 1, center: Zoom.Point(x: x, y: 0.5))
    #expect(seen(zoom, of: photo, in: box) == [left, 1110, 1200, 780])
  }

  @Test func `At 100 % one picture pixel is one screen pixel`() throws {
    let zoom = Zoom(scale: 1, center: middle)
    #expect(seen(zoom, of: photo, in: box) == [1400, 1110, 1200, 780])
    #expect(zoom.part(of: photo, in: box)?.size == box)
    // Odd sizes as well: the visible part begins between two pixels.
    let odd = PixelSize(width: 4001, height: 2999)
    let part = try #require(zoom.part(of: odd, in: box))
    let region = part.region.region(in: odd)
    #expect(abs(region.x - region.x.rounded()) < 1e-6 && abs(region.y - region.y.rounded()) < 1e-6)
    #expect(part.size == box)
  }

  struct Example: Sendable {
    var scale: Double
    var picture: PixelSize
    var seen: [Int]
    var size: PixelSize
  }

  static let examples = [
    Example(
      scale: 0.5, picture: PixelSize(width: 4000, height: 3000), seen: [800, 720, 2400, 1560],
      size: PixelSize(width: 1200, height: 780)),
    Example(
      scale: 2, picture: PixelSize(width: 4000, height: 3000), seen: [1700, 1305, 600, 390],
      size: PixelSize(width: 1200, height: 780)),
    // Lower than the box: its full height is visible, at the same scale.
    Example(
      scale: 1, picture: PixelSize(width: 9000, height: 500), seen: [3900, 0, 1200, 500],
      size: PixelSize(width: 1200, height: 500)),
    // Smaller than the box on both sides: enlarged, not cropped.
    Example(
      scale: 3, picture: PixelSize(width: 100, height: 80), seen: [0, 0, 100, 80],
      size: PixelSize(width: 300, height: 240)),
  ]

  @Test(arguments: examples)
  func `The visible part keeps its aspect ratio at every scale`(example: Example) {
    let zoom = Zoom(scale: example.scale, center: middle)
    #expect(seen(zoom, of: example.picture, in: box) == example.seen)
    #expect(zoom.part(of: example.picture, in: box)?.size == example.size)
  }

  @Test func `Scales up to that of the whole picture show all of it`() {
    #expect(Zoom(scale: 0.25, center: middle).part(of: photo, in: box) == nil)
    #expect(Zoom(scale: 0.26, center: middle).part(of: photo, in: box) == nil)
    #expect(Zoom(scale: 1.0 / 3, center: middle).part(of: photo, in: box) != nil)
    #expect(Zoom(scale: 1, center: middle).part(of: .zero, in: box) == nil)
  }

  @Test func `Steps zoom in and out, through 100 % and 200 %`() {
    let fit = Zoom.fit(photo, in: box)
    #expect(fit == 0.26)
    var scales = [fit]
    while let next = Zoom.next(after: scales[scales.count - 1], inward: true, fit: fit),
      next > scales[scales.count - 1]
    {
      scales.append(next)
    }
    #expect(scales.dropFirst() == [1.0 / 3, 0.5, 2.0 / 3, 1, 1.5, 2, 3, 4])
    var back: [Double] = []
    var scale: Double? = 4
    while let next = scale {
      back.append(next)
      scale = Zoom.next(after: next, inward: false, fit: fit)
    }
    #expect(back == scales.dropFirst().reversed())
  }

  @Test(arguments: [(0, 0), (1199, 779), (300, 500), (600, 390)])
  func `The point under the pointer stays in place`(x: Int, y: Int) {
    let point = Zoom.Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
    var zoom = Zoom(scale: 1, center: Zoom.Point(x: 0.4, y: 0.6))
    /// The pixel of the picture under the point.
    func under(_ zoom: Zoom) -> (x: Double, y: Double) {
      (
        zoom.center.x * 4000 + (point.x - 600) / zoom.scale,
        zoom.center.y * 3000 + (point.y - 390) / zoom.scale
      )
    }
    let before = under(zoom)
    for scale in [1.5, 2, 4, 2, 1] {
      zoom = zoom.scaled(to: scale, at: point, over: photo, in: box)
      #expect(abs(under(zoom).x - before.x) < 1e-6 && abs(under(zoom).y - before.y) < 1e-6)
    }
  }

  @Test func `From the whole picture the wheel zooms to the pointer`() {
    // Fitted, the picture is 1040 wide and starts 80 pixels from the left; the point is at a quarter of it.
    let whole = Zoom(scale: 0.26, center: middle)
    let zoom = whole.scaled(to: 1, at: Zoom.Point(x: 80 + 260, y: 390), over: photo, in: box)
    #expect(seen(zoom, of: photo, in: box) == [660, 1110, 1200, 780])
  }

  @Test func `Panning ends at the border, and reverses at once`() {
    var zoom = Zoom(scale: 2, center: middle)
    for _ in 0..<100 { zoom = zoom.moved(byX: -150, y: 100, over: photo, in: box) }
    #expect(seen(zoom, of: photo, in: box) == [0, 2610, 600, 390])
    zoom = zoom.moved(byX: 150, y: -100, over: photo, in: box)
    #expect(seen(zoom, of: photo, in: box) == [75, 2560, 600, 390])
  }

  @Test func `The visible part is always inside the picture`() throws {
    let sizes = [(1, 1), (1, 5000), (5000, 1), (37, 53), (65500, 3), (4032, 3024)]
    for (width, height) in sizes {
      for scale in Zoom.scales {
        for place in [-1.0, 0, 0.3, 1, 7] {
          let zoom = Zoom(scale: scale, center: Zoom.Point(x: place, y: 1 - place))
          let size = PixelSize(width: width, height: height)
          guard let part = zoom.part(of: size, in: box), let seen = seen(zoom, of: size, in: box) else {
            continue
          }
          #expect(seen[0] >= 0 && seen[1] >= 0 && seen[2] >= 1 && seen[3] >= 1)
          #expect(seen[0] + seen[2] <= width && seen[1] + seen[3] <= height)
          #expect(part.size.width <= box.width && part.size.height <= box.height && !part.size.isEmpty)
        }
      }
    }
  }
}
