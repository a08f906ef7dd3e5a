import Fixtures
import Pixels
import Testing

@Suite struct OrientationTests {
  static let sizes = [
    PixelSize(width: 1, height: 1), .init(width: 1, height: 7), .init(width: 7, height: 1),
    .init(width: 5, height: 3), .init(width: 16, height: 16),
  ]

  @Test(arguments: Orientation.allCases, sizes)
  func `A stored picture is turned upright`(orientation: Orientation, size: PixelSize) {
    // Every pixel has a color of its own.
    var picture = PixelBuffer(size: size, filledWith: .black)
    for y in 0..<size.height {
      for x in 0..<size.width { picture[x, y] = Color(red: UInt8(x), green: UInt8(y), blue: 7) }
    }
    let stored = picture.stored(as: orientation)
    #expect(orientation.upright(stored.size) == size)
    #expect(stored.upright(from: orientation) == picture)
  }

  @Test(arguments: Orientation.allCases)
  func `The corners confirm it without a formula`(orientation: Orientation) {
    let seen = TestPicture.make(width: 24, height: 16)
    let corners = TestPicture.corners(of: seen.stored(as: orientation))
    typealias Corner = TestPicture.Corner
    // From the pictures in EXIF 2.32, 4.6.4: where the visible corners are in the stored picture.
    let expected: [Corner] =
      switch orientation {
      case .topLeft: [.topLeft, .topRight, .bottomLeft, .bottomRight]
      case .topRight: [.topRight, .topLeft, .bottomRight, .bottomLeft]
      case .bottomRight: [.bottomRight, .bottomLeft, .topRight, .topLeft]
      case .bottomLeft: [.bottomLeft, .bottomRight, .topLeft, .topRight]
      case .leftTop: [.topLeft, .bottomLeft, .topRight, .bottomRight]
      case .rightTop: [.topRight, .bottomRight, .topLeft, .bottomLeft]
      case .rightBottom: [.bottomRight, .topRight, .bottomLeft, .topLeft]
      case .leftBottom: [.bottomLeft, .topLeft, .bottomRight, .topRight]
      }
    #expect(corners == expected)
  }

  @Test func `Other values are no orientation`() {
    #expect(Orientation(rawValue: 0) == nil)
    #expect(Orientation(rawValue: 9) == nil)
    #expect(Orientation.allCases.map(\.rawValue) == Array(1...8))
    #expect(Orientation.allCases.map(\.swapsAxes) == [false, false, false, false, true, true, true, true])
  }

  @Test(arguments: Orientation.allCases)
  func `An empty picture stays empty`(orientation: Orientation) {
    let nothing = PixelBuffer(size: .zero, bytes: [])
    #expect(nothing.upright(from: orientation).size == .zero)
  }
}
