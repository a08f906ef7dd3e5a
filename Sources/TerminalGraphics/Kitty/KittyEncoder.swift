import CZlib
import Pixels

/// Prepares pictures for kitty's graphics protocol: raw pixels, RGB if opaque, compressed if worthwhile.
struct KittyEncoder: PictureEncoder {
  /// The connection to the terminal.
  enum Link: Hashable, Sendable {
    /// Shared memory or files: nothing is compressed or encoded.
    case memory
    /// A terminal on this machine: its time for decompression matters more than bytes.
    case local
    /// A network: bytes matter.
    case remote
    /// A slow network: few colors, and fewer pixels by a factor in each direction, which the terminal enlarges; by a
    /// larger one if more pixels than `most` would be sent.
    case slow(colors: Int, reduction: Int, most: PixelSize? = nil)
  }

  private let cell: PixelSize
  private let link: Link
  private let usesPlaceholders: Bool

  /// - Parameters:
  ///   - cell: size of a character cell in pixels.
  ///   - usesPlaceholders: whether the terminal scales pictures to whole cells.
  init(cell: PixelSize, link: Link = .local, usesPlaceholders: Bool = false) {
    self.cell = cell
    self.link = link
    self.usesPlaceholders = usesPlaceholders
  }

  /// With placeholders no more than the rows and columns that these can number: the rest would not be drawn.
  var geometry: PictureGeometry {
    let most = KittyPlaceholders.limit
    return PictureGeometry(
      cell: cell,
      largest: usesPlaceholders ? PixelSize(width: cell.width * most, height: cell.height * most) : nil)
  }

  func encode(_ picture: PixelBuffer) -> EncodedPicture {
    let size = CellSize(
      columns: (picture.width + cell.width - 1) / cell.width,
      rows: (picture.height + cell.height - 1) / cell.height)
    if case .slow(let colors, let reduction, let most) = link, !picture.size.isEmpty {
      let least = most.map { most in
        max((picture.width + most.width - 1) / most.width, (picture.height + most.height - 1) / most.height)
      }
      let small = picture.reduced(by: max(reduction, least ?? 1))
      if let file = IndexedPNG.encode(small, colors: colors) {
        let image = KittyImage(
          size: small.size, format: .png, payload: .inline(base64: Base64.encode(file), isCompressed: false),
          cell: nil)
        return EncodedPicture(size: size, image: image, isPlacedAsText: usesPlaceholders)
      }
    }
    let isOpaque = picture.isOpaque
    let image = KittyImage(
      size: picture.size, format: isOpaque ? .rgb : .rgba,
      payload: payload(of: isOpaque ? picture.rgb : picture.bytes), cell: cell)
    return EncodedPicture(size: size, image: image, isPlacedAsText: usesPlaceholders)
  }

  /// The fraction of its size below which data is sent compressed.
  private var worthwhile: Double { link == .remote ? 0.95 : 0.4 }

  private func payload(of pixels: [UInt8]) -> KittyImage.Payload {
    if link == .memory { return .shared(pixels: pixels) }
    if Deflate.shrinks(pixels, below: worthwhile), let packed = Deflate.compress(pixels) {
      return .inline(base64: Base64.encode(packed), isCompressed: true)
    }
    return .inline(base64: Base64.encode(pixels), isCompressed: false)
  }
}

/// Where a terminal on the same machine can read the pixels of a picture.
///
/// The terminal removes what it has read (kitty's documentation, "The transmission medium").
package enum KittyHandover: Hashable, Sendable {
  /// The name of a POSIX shared memory object.
  case sharedMemory(String)
  /// The path of a file in a folder for temporary files, with `tty-graphics-protocol` in it: the terminal removes
  /// no others.
  case temporaryFile(String)

  /// The value of the key `t`.
  var medium: String {
    switch self {
    case .sharedMemory: "s"
    case .temporaryFile: "t"
    }
  }

  package var name: String {
    switch self {
    case .sharedMemory(let name), .temporaryFile(let name): name
    }
  }
}

/// Encodes pictures as PNG files with few colors, for terminals that read such files over a slow link.
///
/// Format: PNG specification, third edition (W3C 2023): color type 3, no filter, no interlacing.
enum IndexedPNG {
  /// Returns the file; nil if zlib fails (no memory).
  ///
  /// Transparency is lost.
  /// - Parameter colors: the most colors, 2 to 256.
  static func encode(_ picture: PixelBuffer, colors: Int) -> [UInt8]? {
    let palette = ColorPalette(
      for: ColorHistogram(of: picture, samples: samples), count: colors, refinements: 1)
    guard let data = Deflate.compress(rows(of: picture, palette)) else { return nil }
    var header = word(picture.width) + word(picture.height)
    header += [8, 3, 0, 0, 0]
    let entries = palette.colors.flatMap { [UInt8($0.x), UInt8($0.y), UInt8($0.z)] }
    return signature + chunk("IHDR", header) + chunk("PLTE", entries) + chunk("IDAT", data)
      + chunk("IEND", [])
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let samples = 20_000

  /// Returns the rows of indices, each preceded by the number of its filter.
  private static func rows(of picture: PixelBuffer, _ palette: ColorPalette) -> [UInt8] {
    var nearest = NearestColors(palette)
    var rows: [UInt8] = []
    rows.reserveCapacity((picture.width + 1) * picture.height)
    picture.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: picture.width * PixelBuffer.bytesPerPixel) {
        rows.append(0)
        for x in 0..<picture.width {
          let pixel = bytes.loadUnaligned(
            fromByteOffset: start + x * PixelBuffer.bytesPerPixel, as: UInt32.self)
          rows.append(nearest.index(of: pixel))
        }
      }
    }
    return rows
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    return word(data.count) + checked + word(Int(crc32(0, checked, uInt(checked.count))))
  }

  private static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
  }
}
