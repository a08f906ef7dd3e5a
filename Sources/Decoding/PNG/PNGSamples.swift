import CSPNG

/// What libspng is asked to make of the samples of a PNG, and how they become bytes.
struct PNGSamples {
  let spng: spng_format
  let layout: RowAverager.Layout

  /// - Parameters:
  ///   - depth: bits of a sample, 1 to 16.
  ///   - hasAlpha: whether some pixels may not be opaque.
  init(depth: Int, hasAlpha: Bool) {
    if depth == 16 {
      spng = SPNG_FMT_RGBA16
      layout = .rgba
    } else {
      // Three bytes a pixel are read and summed up faster than four.
      spng = hasAlpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8
      layout = hasAlpha ? .rgba : .rgb
    }
  }

  /// Bytes that a row takes: as libspng writes it, as it keeps it packed together with the one above, and once more
  /// where it is of an interlaced picture.
  /// - Parameter header: of the file, which may say other samples than are written.
  func workingBytes(_ header: spng_ihdr) -> Int {
    let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(header.color_type)] ?? 4
    let packed = (Int(header.width) * samples * Int(header.bit_depth) + 7) / 8 + 1
    return rowBytes(Int(header.width)) * (header.interlace_method == 0 ? 1 : 2) + 2 * packed
  }

  /// The bytes of a row as libspng writes it.
  func rowBytes(_ width: Int) -> Int { width * (spng == SPNG_FMT_RGBA16 ? 8 : layout.rawValue) }

  /// The row as 8-bit samples, which for wider ones overwrite them.
  func bytes(of row: UnsafeMutableRawBufferPointer, _ width: Int) -> UnsafeRawBufferPointer {
    if spng == SPNG_FMT_RGBA16 {
      for x in 0..<width {
        let wide = row.loadUnaligned(fromByteOffset: x * 8, as: SIMD4<UInt16>.self)
        // The nearest of 255 levels: exactly the sample times 255/65535, rounded.
        let narrow = (SIMD4<UInt32>(truncatingIfNeeded: wide) &* 255 &+ 32895) &>> 16
        row.storeBytes(
          of: SIMD4<UInt8>(truncatingIfNeeded: narrow), toByteOffset: x * 4, as: SIMD4<UInt8>.self)
      }
    }
    return UnsafeRawBufferPointer(rebasing: row[..<(width * layout.rawValue)])
  }
}
