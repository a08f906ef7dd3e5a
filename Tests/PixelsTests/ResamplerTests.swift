import Fixtures
import Testing

@testable import Pixels

@Suite struct ResamplerTests {
  private func noise(_ size: PixelSize, seed: UInt64) -> PixelBuffer {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<size.area * 4).map { index -> UInt8 in
      index % 4 == 3 ? 255 : .random(in: 0...255, using: &random)
    }
    return PixelBuffer(size: size, bytes: bytes)
  }

  private func mean(_ picture: PixelBuffer, _ channel: Int) -> Double {
    let sum = stride(from: channel, to: picture.bytes.count, by: 4).reduce(0) { $0 + Int(picture.bytes[$1]) }
    return Double(sum) / Double(picture.size.area)
  }

  static let targets = [
    PixelSize(width: 1, height: 1), .init(width: 7, height: 3), .init(width: 39, height: 29),
    .init(width: 40, height: 30), .init(width: 41, height: 31), .init(width: 97, height: 5),
  ]

  @Test(arguments: targets, [Color.black, .white, Color(red: 1, green: 127, blue: 254)])
  func `A flat picture stays flat`(target: PixelSize, color: Color) {
    let source = PixelSize(width: 40, height: 30)
    let result = Resampler(from: source, to: target)(PixelBuffer(size: source, filledWith: color))
    #expect(result == PixelBuffer(size: target, filledWith: color))
  }

  @Test func `Fully transparent pixels have no color`() {
    let size = PixelSize(width: 8, height: 8)
    let picture = PixelBuffer(
      size: size, bytes: (0..<size.area).flatMap { _ in [200, 100, 50, 0] as [UInt8] })
    let target = PixelSize(width: 3, height: 3)
    let result = Resampler(from: size, to: target)(picture)
    #expect(result.bytes.allSatisfy { $0 == 0 })
  }

  @Test func `The same size yields the same picture`() {
    let picture = noise(PixelSize(width: 23, height: 17), seed: 1)
    #expect(Resampler(from: picture.size, to: picture.size)(picture) == picture)
    #expect(picture.resampled(to: picture.size) == picture)
  }

  @Test(arguments: [(1000, 30), (1000, 1), (1, 1000), (30, 1000), (1000, 700), (3, 999), (37, 41)])
  func `The memory estimate for reduction is an upper bound, and close for wide pictures`(
    width: Int, height: Int
  ) {
    let source = PixelSize(width: width, height: height)
    let most = [1, 1.01, 1.1, 1.5, 2, 3.7, 8, 64].map { share in
      let columns = FilterBank(
        start: 0, length: Double(width), limit: width, count: max(1, Int(Double(width) / share)))
      let rows = FilterBank(
        start: 0, length: Double(height), limit: height, count: max(1, Int(Double(height) / share)))
      let tables = [columns, rows].reduce(0) { sum, bank in
        sum
          + bank.withTaps { weights, spans in
            weights.count * MemoryLayout<Float>.stride
              + spans.count * MemoryLayout<FilterBank.Span>.stride
          }
      }
      let kept = rows.longestSpan * columns.withTaps { $1.count }
      return tables + (width + kept) * MemoryLayout<SIMD4<Float>>.stride
    }.max()
    let said = Resampler.workingBytes(from: source)
    #expect(most.map { $0 <= said } == true, "\(most ?? 0) of \(said)")
    if (width, height) == (1000, 30) {
      #expect(most.map { $0 * 10 > said * 8 } == true, "\(most ?? 0) of \(said)")
    }
  }

  @Test(arguments: [2, 3, 5, 8])
  func `A checkerboard of pixels becomes gray, not a pattern`(factor: Int) {
    let size = PixelSize(width: 120, height: 120)
    var picture = PixelBuffer(size: size, filledWith: .black)
    for y in 0..<120 {
      for x in 0..<120 where (x + y).isMultiple(of: 2) { picture[x, y] = .white }
    }
    let small = picture.resampled(to: PixelSize(width: 120 / factor, height: 120 / factor))
    // At the borders the filter sees only one side.
    for y in 2..<small.height - 2 {
      for x in 2..<small.width - 2 { #expect(abs(Int(small[x, y].red) - 127) <= 6) }
    }
  }

  @Test(arguments: targets.dropFirst().prefix(2), 1...5 as ClosedRange<UInt64>)
  func `Reduction keeps the brightness`(target: PixelSize, seed: UInt64) {
    let picture = noise(PixelSize(width: 140, height: 116), seed: seed)
    let small = Resampler(from: picture.size, to: target)(picture)
    for channel in 0..<3 { #expect(abs(mean(small, channel) - mean(picture, channel)) < 6) }
    #expect(mean(small, 3) == 255)
  }

  @Test(arguments: targets.dropFirst())
  func `Colors under an alpha of 0 leave no fringe`(target: PixelSize) {
    let size = PixelSize(width: 60, height: 50)
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let isInside = (20..<41).contains(x) && (11..<38).contains(y)
        bytes += isInside ? [250, 200, 100, 255] : [0, 0, 0, 0]
      }
    }
    let small = Resampler(from: size, to: target)(PixelBuffer(size: size, bytes: bytes))
    var alphas = 0
    for index in stride(from: 0, to: small.bytes.count, by: 4) {
      let pixel = small.bytes[index..<index + 4].map(Int.init)
      alphas += pixel[3]
      // The lower the alpha, the less precise the color.
      guard pixel[3] > 8 else { continue }
      for (level, wanted) in zip(pixel, [250, 200, 100]) {
        #expect(abs(level - wanted) <= 1 + 255 / pixel[3])
      }
    }
    let mean = Double(alphas) / Double(small.size.area)
    #expect(abs(mean - 255.0 * 21 * 27 / 3000) < 12)
  }

  @Test func `The parts keep their positions`() {
    let picture = TestPicture.make(width: 320, height: 240)
    for (width, height) in [(32, 24), (33, 25), (640, 480)] {
      let size = PixelSize(width: width, height: height)
      #expect(TestPicture.corners(of: picture.resampled(to: size)) == TestPicture.Corner.allCases)
    }
  }

  @Test(arguments: [(1, 1), (1, 50), (50, 1), (2, 2)])
  func `The smallest pictures can be resized too`(width: Int, height: Int) {
    let color = Color(red: 9, green: 8, blue: 7)
    let picture = PixelBuffer(size: PixelSize(width: width, height: height), filledWith: color)
    for target in Self.targets {
      #expect(picture.resampled(to: target) == PixelBuffer(size: target, filledWith: color))
    }
  }

  @Test func `Another aspect ratio crops evenly`() {
    var picture = PixelBuffer(size: PixelSize(width: 90, height: 30), filledWith: .white)
    for y in 0..<30 {
      for x in 30..<60 { picture[x, y] = .black }
    }
    let square = picture.resampled(to: PixelSize(width: 30, height: 30))
    #expect(square == PixelBuffer(size: PixelSize(width: 30, height: 30), filledWith: .black))
    let smaller = picture.resampled(to: PixelSize(width: 10, height: 10))
    #expect(smaller[5, 5] == .black)
  }

  @Test func `The filter reaches two result pixels to each side`() {
    let gray = Color(red: 128, green: 128, blue: 128)
    var picture = PixelBuffer(size: PixelSize(width: 80, height: 8), filledWith: gray)
    for y in 0..<8 {
      for x in 32..<40 { picture[x, y] = .white }
    }
    let small = Resampler(from: picture.size, to: PixelSize(width: 10, height: 1))(picture)
    // The outer part of the kernel is negative.
    for x in [2, 6] { #expect(small[x, 0].red < 128) }
    for x in [0, 1, 7, 8, 9] { #expect(small[x, 0] == gray) }
  }

  @Test func `An empty picture is resampled to an empty one`() {
    let picture = PixelBuffer(size: PixelSize(width: 4, height: 4), filledWith: .white)
    #expect(Resampler(from: picture.size, to: .zero)(picture).size == .zero)
    #expect(PixelBuffer(size: .zero, bytes: []).resampled(to: PixelSize(width: 4, height: 4)).size == .zero)
  }

  @Test func `A crop takes whole pixels`() {
    let picture = noise(PixelSize(width: 9, height: 7), seed: 3)
    let part = picture.cropped(x: 2, y: 3, to: PixelSize(width: 4, height: 2))
    #expect(part.size == PixelSize(width: 4, height: 2))
    for y in 0..<2 {
      for x in 0..<4 { #expect(part[x, y] == picture[x + 2, y + 3]) }
    }
  }
}
