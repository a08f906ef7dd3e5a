import CSixel
import Pixels

/// libsixel itself, with a palette of its own choice.
enum PeerEncoder {
  /// The sequence for rows of RGB pixels.
  static func encode(_ rgb: [UInt8], _ size: PixelSize, registers: Int, isDiffused: Bool) -> [UInt8] {
    var rgb = rgb  // libsixel dithers into the caller's buffer
    let (width, height) = (Int32(size.width), Int32(size.height))
    var dither: OpaquePointer?
    guard sixel_dither_new(&dither, Int32(registers), nil) == 0, let dither else { return [] }
    defer { sixel_dither_unref(dither) }
    let format = SIXEL_PIXELFORMAT_RGB888
    let status = sixel_dither_initialize(
      dither, &rgb, width, height, format, SIXEL_LARGE_NORM, SIXEL_REP_CENTER_BOX, SIXEL_QUALITY_AUTO)
    guard status == 0 else { return [] }
    sixel_dither_set_diffusion_type(dither, isDiffused ? SIXEL_DIFFUSE_FS : SIXEL_DIFFUSE_NONE)
    var sixels: [UInt8] = []
    let write: sixel_write_function = { data, count, context in
      guard let data, let context else { return -1 }
      let chunk = UnsafeRawBufferPointer(start: data, count: Int(count))
      context.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: chunk)
      return count
    }
    return withUnsafeMutablePointer(to: &sixels) { sixels in
      var output: OpaquePointer?
      guard sixel_output_new(&output, write, sixels, nil) == 0, let output else { return [] }
      defer { sixel_output_unref(output) }
      return sixel_encode(&rgb, width, height, 3, dither, output) == 0 ? sixels.pointee : []
    }
  }
}
