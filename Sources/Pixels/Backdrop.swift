/// The color or pattern behind the transparent parts of an image.
public enum Backdrop: Hashable, Sendable {
  /// A single color.
  case color(Color)
  /// Squares in two grays, which images are unlikely to contain.
  case checkerboard

  /// Creates the backdrop for a terminal: its background color.
  /// - Parameters:
  ///   - background: the color that the terminal reported; nil = none.
  ///   - colors: the environment variable COLORFGBG, used if nothing was reported: the color numbers of text
  ///     and background, of which 7 and 15 are white.
  ///
  /// Without either, the background is taken as black.
  public init(background: Color?, colors: String? = nil) {
    let number = colors?.split(separator: ";").last
    self = .color(background ?? (number == "7" || number == "15" ? .white : .black))
  }

  /// The color; black for a checkerboard.
  package var ground: Color { if case .color(let color) = self { color } else { .black } }

  /// The gray levels of the checkerboard.
  fileprivate static let squares: (UInt32, UInt32) = (102, 153)
}

extension PixelBuffer {
  /// Returns the image composited over a backdrop; the result is opaque.
  ///
  /// Formula: "over" of Porter and Duff, "Compositing Digital Images" (1984), on sRGB values without
  /// linearization, as in browsers.
  /// - Parameters:
  ///   - backdrop: the color or pattern behind transparent pixels.
  ///   - cell: the size of a character cell in pixels; a checkerboard's squares are as wide as a cell and half
  ///     as high.
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
            let gray = isFirst ? Backdrop.squares.0 : Backdrop.squares.1
            under = (gray, gray, gray)
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
