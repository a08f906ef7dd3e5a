package import Pixels
import Glibc

/// A photograph-like picture: soft colors, hard edges, fine texture; with or without alpha.
package enum TestScene {
  package static func make(_ size: PixelSize, hasAlpha: Bool = false, seed: UInt64 = 1) -> PixelBuffer {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.area * PixelBuffer.bytesPerPixel)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (u, v) = (Double(x) / Double(size.width), Double(y) / Double(size.height))
        let distance = ((u - 0.4) * (u - 0.4) + (v - 0.5) * (v - 0.5)).squareRoot()
        let texture = Double.random(in: -8...8, using: &random)
        var color = [
          120 + 90 * sin(9 * u + 2 * v), 128 + 80 * cos(7 * v - 3 * u), 110 + 100 * sin(5 * u * v + 1),
        ]
        if distance < 0.2 { color = [230, 200 - 300 * distance, 40 + 500 * distance] }
        let alpha = distance < 0.35 ? 255 : distance < 0.5 ? 255 * (0.5 - distance) / 0.15 : 0
        for channel in color { bytes.append(UInt8(max(0, min(255, channel + texture)))) }
        bytes.append(hasAlpha ? UInt8(max(0, min(255, alpha.rounded()))) : 255)
      }
    }
    return PixelBuffer(size: size, bytes: bytes)
  }
}

extension PixelBuffer {
  /// The picture as a file that image tools read: PAM with alpha.
  package var pam: [UInt8] {
    let head = "P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
    return Array(head.utf8) + bytes
  }
}
