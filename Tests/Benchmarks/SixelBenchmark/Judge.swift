import CSixel
import Pixels
import Glibc

/// How close a sixel sequence, decoded by libsixel, is to a picture.
struct Judge {
  /// The peak signal-to-noise ratio over red, green and blue, in dB.
  let signalToNoise: Double
  /// The same after blurring both with 1 2 1 in both directions, twice, as the eye blurs single pixels.
  let blurredSignalToNoise: Double
  /// The structural similarity of the luminances in squares of 8 pixels (Wang et al., Image quality assessment, 2004).
  let similarity: Double
  /// The same after blurring both.
  let blurredSimilarity: Double

  init?(_ sequence: [UInt8], _ picture: PixelBuffer) {
    guard let rgb = Self.decoded(sequence), rgb.count == picture.size.area * 3 else { return nil }
    let (seen, meant) = (Plane.channels(rgb, picture.size), Plane.channels(picture.rgb, picture.size))
    let (softSeen, softMeant) = (seen.map { $0.blurred.blurred }, meant.map { $0.blurred.blurred })
    signalToNoise = Plane.signalToNoise(seen, meant)
    blurredSignalToNoise = Plane.signalToNoise(softSeen, softMeant)
    similarity = Plane.luminance(seen).similarity(to: Plane.luminance(meant))
    blurredSimilarity = Plane.luminance(softSeen).similarity(to: Plane.luminance(softMeant))
  }

  /// Red, green and blue of all pixels.
  private static func decoded(_ sequence: [UInt8]) -> [UInt8]? {
    var sequence = sequence
    var pixels: UnsafeMutablePointer<UInt8>?
    var colors: UnsafeMutablePointer<UInt8>?
    var (width, height, count): (Int32, Int32, Int32) = (0, 0, 0)
    let status = sixel_decode_raw(
      &sequence, Int32(sequence.count), &pixels, &width, &height, &colors, &count, nil)
    defer {
      free(pixels)
      free(colors)
    }
    guard status == 0, let pixels, let colors else { return nil }
    return (0..<Int(width) * Int(height)).flatMap { index in
      let color = Int(pixels[index]) * 3
      return [colors[color], colors[color + 1], colors[color + 2]]
    }
  }
}

/// One number for each pixel.
private struct Plane {
  let size: PixelSize
  let values: [Float]

  static func channels(_ rgb: [UInt8], _ size: PixelSize) -> [Plane] {
    (0..<3).map { channel in
      Plane(size: size, values: (0..<size.area).map { Float(rgb[$0 * 3 + channel]) })
    }
  }

  /// The luminance of ITU-R BT.601.
  static func luminance(_ channels: [Plane]) -> Plane {
    let (red, green, blue) = (channels[0].values, channels[1].values, channels[2].values)
    return Plane(
      size: channels[0].size,
      values: red.indices.map { 0.299 * red[$0] + 0.587 * green[$0] + 0.114 * blue[$0] })
  }

  static func signalToNoise(_ seen: [Plane], _ meant: [Plane]) -> Double {
    var (sum, count) = (0.0, 0)
    for (seen, meant) in zip(seen, meant) {
      for (a, b) in zip(seen.values, meant.values) { sum += Double((a - b) * (a - b)) }
      count += seen.values.count
    }
    return 10 * log10(255 * 255 * Double(count) / sum)
  }

  /// Each value averaged with its eight neighbors, weighted 1 2 1 in both directions; the border is repeated outside.
  var blurred: Plane {
    func pass(_ values: [Float], _ step: Int, _ isFirst: (Int) -> Bool, _ isLast: (Int) -> Bool) -> [Float] {
      values.indices.map { index in
        let before = values[isFirst(index) ? index : index - step]
        let after = values[isLast(index) ? index : index + step]
        return (before + 2 * values[index] + after) / 4
      }
    }
    let width = size.width
    let across = pass(values, 1, { $0 % width == 0 }, { $0 % width == width - 1 })
    let down = pass(across, width, { $0 < width }, { $0 >= size.area - width })
    return Plane(size: size, values: down)
  }

  func similarity(to other: Plane) -> Double {
    let side = 8
    var (sum, count) = (0.0, 0)
    for top in stride(from: 0, through: size.height - side, by: 4) {
      for left in stride(from: 0, through: size.width - side, by: 4) {
        var (a, b, aa, bb, ab): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
        for y in top..<top + side {
          for x in left..<left + side {
            let (first, second) = (values[y * size.width + x], other.values[y * size.width + x])
            (a, b, aa, bb, ab) = (
              a + first, b + second, aa + first * first, bb + second * second, ab + first * second
            )
          }
        }
        let area = Float(side * side)
        let (meanA, meanB) = (a / area, b / area)
        let (spreadA, spreadB) = (aa / area - meanA * meanA, bb / area - meanB * meanB)
        let common = ab / area - meanA * meanB
        let (small, large): (Float, Float) = (6.5025, 58.5225)
        sum += Double(
          (2 * meanA * meanB + small) * (2 * common + large)
            / ((meanA * meanA + meanB * meanB + small) * (spreadA + spreadB + large)))
        count += 1
      }
    }
    return sum / Double(max(1, count))
  }
}
