import Pixels

/// Where a picture of a GIF lies on its canvas.
struct GIFFrame {
  var canvas: PixelSize
  var left: Int
  var top: Int
  var size: PixelSize

  /// The columns of the canvas that the picture covers.
  var columns: Range<Int> {
    let first = min(max(0, left), canvas.width)
    return first..<min(canvas.width, max(first, left + size.width))
  }

  /// The picture's lines in the order in which an interlaced one stores them (GIF89a, appendix E).
  var interlacedLines: [Int] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
      Array(stride(from: first, to: size.height, by: step))
    }
  }
}
