import CSixel
import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// libsixel with its own palette of 256 colours.
enum PeerEncoder {
  /// The sequence for rows of RGB pixels.
  static func encode(_ colors: [UInt8], _ size: PixelSize, isDiffused: Bool) -> [UInt8] {
    var colors = colors  // libsixel dithers into the caller's buffer
    let (width, height) = (Int32(size.width), Int32(size.height))
    var dither: OpaquePointer?
    guard sixel_dither_new(&dither, 256, nil) == 0, let dither else { return [] }
    defer { sixel_dither_unref(dither) }
    let format = SIXEL_PIXELFORMAT_RGB888
    let status = sixel_dither_initialize(
      dither, &colors, width, height, format, SIXEL_LARGE_NORM,
      SIXEL_REP_CENTER_BOX, SIXEL_QUALITY_AUTO)
    guard status == 0 else { return [] }
    if !isDiffused { sixel_dither_set_diffusion_type(dither, SIXEL_DIFFUSE_NONE) }
    let sink = PeerSink()
    let write: sixel_write_function = { data, count, context in
      guard let data, let context else { return -1 }
      let chunk = UnsafeRawBufferPointer(start: data, count: Int(count))
      Unmanaged<PeerSink>.fromOpaque(context).takeUnretainedValue().bytes.append(contentsOf: chunk)
      return count
    }
    return withExtendedLifetime(sink) {
      var output: OpaquePointer?
      guard sixel_output_new(&output, write, Unmanaged.passUnretained(sink).toOpaque(), nil) == 0,
        let output
      else { return [] }
      defer { sixel_output_unref(output) }
      return sixel_encode(&colors, width, height, 3, dither, output) == 0 ? sink.bytes : []
    }
  }
}

/// Collects what libsixel writes.
private final class PeerSink {
  var bytes: [UInt8] = []
}

/// libsixel as the judge.
enum PeerDecoder {
  /// The peak signal-to-noise ratio of a sequence against the picture, over red, green and blue, in dB.
  static func signalToNoise(_ sequence: [UInt8], _ picture: PixelBuffer) -> Double {
    var sequence = sequence
    var pixels: UnsafeMutablePointer<UInt8>?
    var colors: UnsafeMutablePointer<UInt8>?
    var (width, height, count): (Int32, Int32, Int32) = (0, 0, 0)
    _ = sixel_decode_raw(
      &sequence, Int32(sequence.count), &pixels, &width, &height, &colors, &count, nil)
    defer {
      free(pixels)
      free(colors)
    }
    // The last rows may be cut.
    guard let pixels, let colors, width == picture.width, height <= picture.height else { return 0 }
    let area = Int(width) * Int(height)
    var sum = 0
    for index in 0..<area {
      for channel in 0..<3 {
        let seen = Int(colors[Int(pixels[index]) * 3 + channel])
        let difference = seen - Int(picture.bytes[index * 4 + channel])
        sum += difference * difference
      }
    }
    return 10 * log10(255 * 255 * 3 * Double(area) / Double(sum))
  }
}
