/// What shows through a picture where the picture lets it.
public enum Backdrop: Hashable, Sendable {
  case color(Color)
  /// Two greys in squares: nothing that a picture is likely to have itself.
  case checkerboard

  /// The background of a terminal.
  /// - Parameters:
  ///   - background: the colour that the terminal answered.
  ///   - colors: the environment's COLORFGBG, which some terminals set in place of an answer: the numbers of
  ///     the text's and the background's colours, of which 7 and 15 are white.
  ///
  /// Where nobody says it is black.
  public init(background: Color?, colors: String? = nil) {
    let number = colors?.split(separator: ";").last
    self = .color(background ?? (number == "7" || number == "15" ? .white : .black))
  }

  /// The greys of a checkerboard.
  fileprivate static let squares: (UInt32, UInt32) = (102, 153)
}

extension PixelBuffer {
  /// The picture laid over a backdrop: nothing shines through any more.
  ///
  /// Formula: "over" of Porter and Duff, "Compositing Digital Images" (1984), with the sRGB values as they are,
  /// as browsers do it.
  /// - Parameter cell: the size of a character cell in pixels: a checkerboard's squares are as wide as a column
  ///   and half as high as a row.
  public func composited(over backdrop: Backdrop, cell: PixelSize) -> PixelBuffer {
    if isOpaque { return self }
    var result = self
    let square = (width: max(1, cell.width), doubleHeight: max(1, cell.height))
    let (width, height) = (width, height)
    result.bytes.withUnsafeMutableBytes { bytes in
      for y in 0..<height {
        for x in 0..<width {
          let at = (y * width + x) * Self.bytesPerPixel
          let alpha = UInt32(bytes[at + 3])
          if alpha == 255 { continue }
          let under: (UInt32, UInt32, UInt32)
          switch backdrop {
          case .color(let color): under = (UInt32(color.red), UInt32(color.green), UInt32(color.blue))
          case .checkerboard:
            let isFirst = (x / square.width + 2 * y / square.doubleHeight) % 2 == 0
            let grey = isFirst ? Backdrop.squares.0 : Backdrop.squares.1
            under = (grey, grey, grey)
          }
          bytes[at] = Self.mixed(bytes[at], under.0, alpha)
          bytes[at + 1] = Self.mixed(bytes[at + 1], under.1, alpha)
          bytes[at + 2] = Self.mixed(bytes[at + 2], under.2, alpha)
          bytes[at + 3] = 255
        }
      }
    }
    return result
  }

  private static func mixed(_ over: UInt8, _ under: UInt32, _ alpha: UInt32) -> UInt8 {
    UInt8((UInt32(over) * alpha + under * (255 - alpha) + 127) / 255)
  }
}
