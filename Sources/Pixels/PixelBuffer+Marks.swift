extension PixelBuffer {
  /// The picture at a third of its brightness, as what can't be chosen is shown.
  public func darkened() -> PixelBuffer {
    var darker = self
    darker.withBytes { bytes in
      for index in bytes.indices where index % Self.bytesPerPixel != 3 { bytes[index] /= 3 }
    }
    return darker
  }
}

extension PixelBuffer {
  /// The picture with a frame in its outermost pixels, as what is chosen is shown.
  ///
  /// A dark line inside sets the frame off from pictures of its own color.
  /// - Parameter thickness: of each side in pixels; less where the picture is small.
  public func framed(_ color: Color, thickness: Int) -> PixelBuffer {
    let thickness = max(1, min(thickness, min(width, height) / 8))
    let (width, height) = (width, height)
    var framed = self
    framed.withBytes { bytes in
      for y in 0..<height {
        let vertical = min(y, height - 1 - y)
        for x in 0..<width {
          let distance = min(vertical, x, width - 1 - x)
          guard distance <= thickness else { continue }
          let at = (y * width + x) * Self.bytesPerPixel
          if distance < thickness {
            (bytes[at], bytes[at + 1], bytes[at + 2]) = (color.red, color.green, color.blue)
            bytes[at + 3] = 255
          } else {
            for channel in at..<at + 3 { bytes[channel] /= 3 }
          }
        }
      }
    }
    return framed
  }
}
