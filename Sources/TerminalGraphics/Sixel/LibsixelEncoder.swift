import CSixel
package import Pixels

/// Encodes pictures as sixels with libsixel, whose error diffusion preserves what a palette of few colors loses.
///
/// The palette is tpick's own: its colors are closer to the picture's than those that libsixel chooses (Decision
/// 10). `SixelEncoder` draws pictures lower than a band, which libsixel draws a band too low (1.10.3), and those
/// that it rejects for lack of memory.
package struct LibsixelEncoder: PictureEncoder {
  private let cell: PixelSize
  private let colors: Int
  private let largest: PixelSize?
  private let preset: SixelPreset
  private let fallback: SixelEncoder

  /// - Parameters:
  ///   - cell: size of a character cell in pixels.
  ///   - registers: number of colors that the terminal stores for one picture.
  ///   - largest: size of the largest picture that the terminal draws.
  ///   - preset: how many bytes and how much time a picture may cost; without diffusion, `speed` costs less.
  package init(
    cell: PixelSize, registers: Int = 256, largest: PixelSize? = nil, preset: SixelPreset = .quality
  ) {
    self.cell = cell
    colors = min(preset.colors, max(2, registers))
    self.largest = largest
    self.preset = preset
    fallback = SixelEncoder(cell: cell, registers: registers, largest: largest, preset: preset)
  }

  package var geometry: PictureGeometry { fallback.geometry }

  package func encode(_ picture: PixelBuffer) -> EncodedPicture {
    if picture.size.isEmpty || picture.height < SixelBand.rowCount { return fallback.encode(picture) }
    let palette = ColorPalette(
      for: ColorHistogram(of: picture, samples: preset.samples), count: colors,
      refinements: preset.refinements)
    guard let bytes = LibsixelStream.bytes(of: picture, palette: palette, isDiffused: preset == .quality)
    else { return fallback.encode(picture) }
    return EncodedPicture(sixels: bytes, of: picture.size, cell: cell)
  }
}

/// Has libsixel choose the color of each pixel and write the sequence.
private enum LibsixelStream {
  /// Returns the complete sequence, from DCS to ST; nil if libsixel fails.
  /// - Parameter isDiffused: whether to diffuse the error of a pixel to its neighbors.
  static func bytes(of picture: PixelBuffer, palette: ColorPalette, isDiffused: Bool) -> [UInt8]? {
    // libsixel modifies the pixels when it diffuses errors.
    var pixels = picture.rgb
    guard let dither = LibsixelDither(palette, for: &pixels, picture.size, isDiffused: isDiffused) else {
      return nil
    }
    // libsixel writes P2 = 0, with which the terminal paints the background first: so the envelope is written here.
    let sink = LibsixelSink(Array("\u{1B}P0;1;0".utf8))
    guard let output = LibsixelOutput(to: sink) else { return nil }
    let (width, height) = (Int32(picture.width), Int32(picture.height))
    guard sixel_encode(&pixels, width, height, 3, dither.handle, output.handle) == 0 else { return nil }
    return sink.bytes + [0x1B, UInt8(ascii: "\\")]
  }
}

/// A palette of libsixel, and its method to assign colors to pixels.
private struct LibsixelDither: ~Copyable {
  let handle: OpaquePointer

  /// - Parameter pixels: rows of RGB.
  init?(_ palette: ColorPalette, for pixels: inout [UInt8], _ size: PixelSize, isDiffused: Bool) {
    let count = Int32(palette.colors.count)
    guard var handle = Self.make(count) else { return nil }
    // Only a palette that libsixel computed has a lookup table, which is up to four times as fast; its colors are
    // replaced afterwards. It has fewer colors if the picture has.
    let status = sixel_dither_initialize(
      handle, &pixels, Int32(size.width), Int32(size.height), SIXEL_PIXELFORMAT_RGB888, SIXEL_LARGE_NORM,
      SIXEL_REP_CENTER_BOX, SIXEL_QUALITY_LOW)
    if status != 0 || sixel_dither_get_num_of_palette_colors(handle) != count {
      sixel_dither_unref(handle)
      guard let plain = Self.make(count) else { return nil }
      handle = plain
    }
    self.handle = handle
    var colors = palette.colors.flatMap { [UInt8($0.x), UInt8($0.y), UInt8($0.z)] }
    sixel_dither_set_palette(handle, &colors)
    sixel_dither_set_pixelformat(handle, SIXEL_PIXELFORMAT_RGB888)
    // libsixel's own choice: Atkinson's for up to 16 colors, Floyd and Steinberg's for more.
    sixel_dither_set_diffusion_type(handle, isDiffused ? SIXEL_DIFFUSE_AUTO : SIXEL_DIFFUSE_NONE)
  }

  deinit { sixel_dither_unref(handle) }

  private static func make(_ count: Int32) -> OpaquePointer? {
    var handle: OpaquePointer?
    return sixel_dither_new(&handle, count, nil) == 0 ? handle : nil
  }
}

/// An output object of libsixel.
private struct LibsixelOutput: ~Copyable {
  let handle: OpaquePointer
  private let sink: LibsixelSink

  init?(to sink: LibsixelSink) {
    let write: sixel_write_function = { data, count, context in
      guard let data, let context, count > 0 else { return count }
      let chunk = UnsafeRawBufferPointer(start: data, count: Int(count))
      Unmanaged<LibsixelSink>.fromOpaque(context).takeUnretainedValue().bytes.append(contentsOf: chunk)
      return count
    }
    var handle: OpaquePointer?
    guard sixel_output_new(&handle, write, Unmanaged.passUnretained(sink).toOpaque(), nil) == 0, let handle
    else { return nil }
    self.handle = handle
    self.sink = sink
    sixel_output_set_skip_dcs_envelope(handle, 1)
  }

  deinit { sixel_output_unref(handle) }
}

/// Collects libsixel's output.
private final class LibsixelSink {
  var bytes: [UInt8]

  init(_ start: [UInt8]) { bytes = start }
}
