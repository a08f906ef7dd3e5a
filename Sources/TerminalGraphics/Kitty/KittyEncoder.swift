import Pixels

/// Prepares pictures for kitty's graphics protocol: raw pixels, RGB where they are opaque, compressed where
/// that pays.
struct KittyEncoder: PictureEncoder {
  /// The way to the terminal.
  enum Link: Hashable, Sendable {
    /// Shared memory or files: nothing is compressed or encoded.
    case memory
    /// A terminal on this machine: its own time for unpacking counts more than bytes.
    case local
    /// A network: bytes count.
    case remote
    /// A slow network: few colours, and a fraction of the pixels in each direction, which the terminal enlarges.
    case slow(colors: Int, reduction: Int)
  }

  private let cell: PixelSize
  private let link: Link
  private let usesPlaceholders: Bool

  /// - Parameters:
  ///   - cell: the size of a character cell in pixels.
  ///   - usesPlaceholders: pictures are fitted into whole cells by the terminal.
  init(cell: PixelSize, link: Link = .local, usesPlaceholders: Bool = false) {
    self.cell = cell
    self.link = link
    self.usesPlaceholders = usesPlaceholders
  }

  var geometry: PictureGeometry { PictureGeometry(cell: cell) }

  func encode(_ picture: PixelBuffer) -> EncodedPicture {
    let size = CellSize(
      columns: (picture.width + cell.width - 1) / cell.width,
      rows: (picture.height + cell.height - 1) / cell.height)
    if case .slow(let colors, let reduction) = link, !picture.size.isEmpty {
      let small = picture.reduced(by: reduction)
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

  /// The share of its size that compressed data has to go below.
  private var worthwhile: Double { link == .remote ? 0.95 : 0.4 }

  private func payload(of pixels: [UInt8]) -> KittyImage.Payload {
    if link == .memory { return .shared(pixels: pixels) }
    if Deflate.shrinks(pixels, below: worthwhile), let packed = Deflate.compress(pixels) {
      return .inline(base64: Base64.encode(packed), isCompressed: true)
    }
    return .inline(base64: Base64.encode(pixels), isCompressed: false)
  }
}
