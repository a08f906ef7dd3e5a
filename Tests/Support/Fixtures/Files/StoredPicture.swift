package import Pixels

extension PixelBuffer {
  /// The picture as stored by a camera that records `orientation`: turning it back yields the receiver.
  ///
  /// Written pixel by pixel from the text of EXIF 2.32 (section 4.6.4), deliberately not from the code under test: the
  /// name of an orientation says on which visible side the stored picture's first row and first column are.
  package func stored(as orientation: Orientation) -> PixelBuffer {
    if orientation == .topLeft { return self }
    let storedSize = orientation.swapsSides ? size.transposed : size
    return bytes.withUnsafeBytes { source in
      PixelBuffer(size: storedSize) { target in
        let target = UnsafeMutableRawBufferPointer(target)
        var next = 0
        for row in 0..<storedSize.height {
          for column in 0..<storedSize.width {
            let place = orientation.visiblePlace(row: row, column: column, in: size)
            let pixel = source.load(fromByteOffset: (place.y * width + place.x) * 4, as: UInt32.self)
            target.storeBytes(of: pixel, toByteOffset: next, as: UInt32.self)
            next += Self.bytesPerPixel
          }
        }
      }
    }
  }
}

extension Orientation {
  fileprivate var swapsSides: Bool {
    switch self {
    case .topLeft, .topRight, .bottomRight, .bottomLeft: false
    case .leftTop, .rightTop, .rightBottom, .leftBottom: true
    }
  }

  /// Where the stored pixel is displayed in an upright picture of `size`.
  fileprivate func visiblePlace(row: Int, column: Int, in size: PixelSize) -> (x: Int, y: Int) {
    let (right, bottom) = (size.width - 1, size.height - 1)
    return switch self {
    case .topLeft: (column, row)
    case .topRight: (right - column, row)
    case .bottomRight: (right - column, bottom - row)
    case .bottomLeft: (column, bottom - row)
    case .leftTop: (row, column)
    case .rightTop: (right - row, column)
    case .rightBottom: (right - row, bottom - column)
    case .leftBottom: (row, bottom - column)
    }
  }
}
