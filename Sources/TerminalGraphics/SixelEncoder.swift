import CSixel
public import Pixels

/// Encodes pictures as sixels: our own palette, libsixel's stream.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14. Heights are cut to a multiple of 6,
/// one band of sixels: terminals disagree on what an unfinished band does to the cursor.
public struct SixelEncoder: PictureEncoder {
  /// Rows of pixels in one band.
  public static let band = 6

  private let cell: PixelSize
  private let colors: Int
  private let largest: PixelSize?

  /// - Parameters:
  ///   - cell: the size of a character cell in pixels.
  ///   - registers: how many colours the terminal keeps for one picture.
  ///   - largest: the largest picture that the terminal draws.
  public init(cell: PixelSize, registers: Int = 256, largest: PixelSize? = nil) {
    self.cell = cell
    colors = min(256, max(2, registers))
    self.largest = largest
  }

  public var grain: PictureGrain {
    PictureGrain(cell: cell, heightStep: Self.band, largest: largest)
  }

  public func encode(_ picture: PixelBuffer) -> EncodedPicture {
    let picture = picture.wholeBands
    let palette = ColorPalette(for: picture, count: colors)
    let size = CellSize(
      columns: (picture.width + cell.width - 1) / cell.width,
      rows: (picture.height + cell.height - 1) / cell.height)
    let covered = CellSize(columns: picture.width / cell.width, rows: picture.height / cell.height)
    let bytes = SixelStream.bytes(
      of: palette.indices(of: picture), size: picture.size, palette: palette.colors)
    return EncodedPicture(
      size: size, covered: covered, strips: [EncodedPicture.Strip(row: 0, bytes: bytes)])
  }
}

extension PixelBuffer {
  /// The picture with its height a multiple of a band: cut by up to five rows, or its last row repeated
  /// where it has fewer than one band.
  fileprivate var wholeBands: PixelBuffer {
    let band = SixelEncoder.band
    if height >= band {
      return height % band == 0
        ? self : cropped(x: 0, y: 0, to: PixelSize(width: width, height: height - height % band))
    }
    var bytes = bytes
    let last = Array(bytes.suffix(width * Self.bytesPerPixel))
    for _ in height..<band { bytes += last }
    return PixelBuffer(size: PixelSize(width: width, height: band), bytes: bytes)
  }
}

/// One picture's way through libsixel, which owns nothing afterwards.
private enum SixelStream {
  /// The complete sequence, from DCS to ST.
  static func bytes(of indices: [UInt8], size: PixelSize, palette: [Color]) -> [UInt8] {
    var dither: OpaquePointer?
    guard sixel_dither_new(&dither, Int32(palette.count), nil) == 0, let dither else { return [] }
    defer { sixel_dither_unref(dither) }
    var colors = palette.flatMap { [$0.red, $0.green, $0.blue] }
    sixel_dither_set_palette(dither, &colors)
    sixel_dither_set_pixelformat(dither, SIXEL_PIXELFORMAT_PAL8)
    let sink = ByteSink()
    var output: OpaquePointer?
    let write: sixel_write_function = { data, count, context in
      guard let data, let context else { return -1 }
      Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
        .append(UnsafeRawBufferPointer(start: data, count: Int(count)))
      return count
    }
    return withExtendedLifetime(sink) {
      guard sixel_output_new(&output, write, Unmanaged.passUnretained(sink).toOpaque(), nil) == 0,
        let output
      else { return [] }
      defer { sixel_output_unref(output) }
      var pixels = indices  // libsixel takes a mutable pointer, which it only reads for this format
      guard sixel_encode(&pixels, Int32(size.width), Int32(size.height), 1, dither, output) == 0
      else { return [] }
      return sink.sequence
    }
  }
}

/// Collects what libsixel writes.
private final class ByteSink {
  private var bytes: [UInt8] = []

  func append(_ chunk: UnsafeRawBufferPointer) { bytes.append(contentsOf: chunk) }

  /// What was written with our own introducer: P2 = 1 leaves pixels that are not set as they were.
  var sequence: [UInt8] {
    guard let start = bytes.firstIndex(of: UInt8(ascii: "q")) else { return [] }
    return Array("\u{1B}P0;1;0q".utf8) + bytes[(start + 1)...]
  }
}
