import Pixels
import Testing

@Suite struct LevelHistogramTests {
  private func picture(_ pixels: [[UInt8]]) -> PixelBuffer {
    PixelBuffer(size: PixelSize(width: pixels.count, height: 1), bytes: pixels.flatMap { $0 })
  }

  @Test func `Every pixel counts once in each channel`() {
    let histogram = LevelHistogram(
      of: picture([[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 128], [7, 7, 7, 255]]))
    #expect(histogram.red[255] == 1 && histogram.red[0] == 2 && histogram.red[7] == 1)
    #expect(histogram.green[255] == 1 && histogram.blue[255] == 1)
    #expect(histogram.luminance[76] == 1 && histogram.luminance[150] == 1 && histogram.luminance[29] == 1)
    #expect(histogram.luminance[7] == 1)
    #expect(histogram.luminance.reduce(0, +) == 4)
  }

  @Test(arguments: [0, 1, 128, 254, 255])
  func `Gray is as bright as its level`(level: UInt8) {
    let histogram = LevelHistogram(of: picture([[level, level, level, 255]]))
    #expect(histogram.luminance[Int(level)] == 1)
  }

  @Test func `Invisible pixels do not count`() {
    #expect(LevelHistogram(of: picture([[9, 9, 9, 0]])).luminance.allSatisfy { $0 == 0 })
    #expect(LevelHistogram(of: PixelBuffer(size: .zero, bytes: [])).red.count == 256)
  }

  @Test(arguments: [1, 7, 64, 100, 256, 300])
  func `Columns cover all levels`(count: Int) {
    let levels = (0..<256).map { UInt32($0) }
    let columns = LevelHistogram.columns(levels, count)
    #expect(columns.count == count)
    if count <= 256 { #expect(columns.reduce(0, +) == 255 * 128) }
    #expect(columns == columns.sorted() || count > 64)
    #expect(LevelHistogram.columns(levels, 0).isEmpty)
  }
}
