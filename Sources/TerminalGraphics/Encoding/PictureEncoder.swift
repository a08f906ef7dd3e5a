package import Pixels

/// Converts pixels to bytes for the terminal.
///
/// One interface for every protocol.
package protocol PictureEncoder: Sendable {
  /// The size in pixels to request, so that a picture fills a box of cells.
  var geometry: PictureGeometry { get }

  /// Encodes a picture.
  ///
  /// A pure function; safe to call from several threads.
  func encode(_ picture: PixelBuffer) -> EncodedPicture
}

extension PictureEncoder {
  /// Encodes a picture that may be transparent, over a backdrop.
  package func encode(_ picture: PixelBuffer, over backdrop: Backdrop) -> EncodedPicture {
    encode(picture.composited(over: backdrop, cell: geometry.cell))
  }
}

/// Limits another encoder's sequences to the length that the terminal accepts.
///
/// tmux silently drops longer ones (tmux's `INPUT_BUF_LIMIT`, since 3.6 its `input-buffer-size`).
private struct BoundedEncoder: PictureEncoder {
  private let base: any PictureEncoder
  private let coarse: any PictureEncoder
  private let limit: Int

  /// - Parameters:
  ///   - coarse: an encoder of the same protocol with fewer bytes, for pictures that are too long.
  ///   - limit: a sequence must have fewer bytes than this.
  init(_ base: any PictureEncoder, coarse: any PictureEncoder, limit: Int) {
    self.base = base
    self.coarse = coarse
    self.limit = limit
  }

  var geometry: PictureGeometry { base.geometry }

  /// Encodes the picture with fewer bytes, and then with fewer pixels, until it is short enough.
  func encode(_ picture: PixelBuffer) -> EncodedPicture {
    let encoded = base.encode(picture)
    if encoded.longestSequence < limit { return encoded }
    var smaller = picture
    for _ in 0..<Self.attempts {
      let encoded = coarse.encode(smaller)
      let length = encoded.longestSequence
      if length < limit { return encoded }
      // The length is roughly proportional to the area.
      let scale = (0.9 * Double(limit) / Double(length)).squareRoot()
      let side = { (length: Int) in max(1, Int(Double(length) * scale)) }
      smaller = smaller.resampled(
        to: PixelSize(width: side(smaller.width), height: side(smaller.height)))
    }
    return EncodedPicture(size: encoded.size, covered: encoded.covered, strips: [])
  }

  private static let attempts = 8
}

extension PictureEncoder {
  /// Returns an encoder for a terminal that accepts sequences only up to a length.
  /// - Parameters:
  ///   - limit: nil means any length.
  ///   - coarse: creates the encoder with fewer bytes.
  package func bounded(to limit: Int?, coarse: () -> any PictureEncoder) -> any PictureEncoder {
    limit.map { BoundedEncoder(self, coarse: coarse(), limit: $0) } ?? self
  }
}

extension EncodedPicture {
  /// Length of the longest sequence in bytes; pictures that the terminal stores are sent in pieces anyway.
  var longestSequence: Int { strips.map(\.bytes.count).max() ?? 0 }
}

/// Limits the size of another encoder's pictures.
struct CappedEncoder: PictureEncoder {
  private let base: any PictureEncoder
  private let largest: PixelSize

  init(_ base: any PictureEncoder, largest: PixelSize) {
    self.base = base
    self.largest = largest
  }

  var geometry: PictureGeometry {
    var geometry = base.geometry
    let own = geometry.largest ?? largest
    geometry.largest = PixelSize(
      width: min(own.width, largest.width), height: min(own.height, largest.height))
    return geometry
  }

  func encode(_ picture: PixelBuffer) -> EncodedPicture { base.encode(picture) }
}

/// Removes the finest detail from another encoder's pictures.
///
/// With few colors and few bytes, detail becomes streaks; without it, the same bytes come closer to the perceived
/// picture (Decision 10).
struct SmoothedEncoder: PictureEncoder {
  private let base: any PictureEncoder

  init(_ base: any PictureEncoder) {
    self.base = base
  }

  var geometry: PictureGeometry { base.geometry }

  func encode(_ picture: PixelBuffer) -> EncodedPicture {
    if picture.size.isEmpty { return base.encode(picture) }
    return base.encode(picture.reduced(by: 2).resampled(to: picture.size))
  }
}

extension PixelBuffer {
  /// Returns the picture reduced by a factor in each direction, to at least one pixel.
  func reduced(by reduction: Int) -> PixelBuffer {
    if reduction == 1 || size.isEmpty { return self }
    return resampled(to: PixelSize(width: max(1, width / reduction), height: max(1, height / reduction)))
  }
}

/// What the user sees in place of pictures, and why.
package struct GraphicsFallback: Hashable, Sendable {
  /// A short identifier of the fallback.
  package let name: String
  /// A sentence for the user.
  package let words: String

  /// - Parameters:
  ///   - choice: the protocol, and the reason for it.
  ///   - depth: colors of the blocks.
  ///   - believesClaims: whether COLORTERM can give more colors.
  ///   - environment: the user's wishes.
  init(
    _ choice: GraphicsChoice, _ depth: ColorDepth, believesClaims: Bool, in environment: TerminalEnvironment
  ) {
    let colors =
      switch depth {
      case .trueColor: ""
      case .monochrome: " without colors"
      case .eight, .sixteen, .palette256: " in \(depth.rawValue) colors"
      }
    name = depth < .palette256 ? "blocks-\(depth.rawValue)" : "blocks"
    // NO_COLOR is the user's own choice.
    let hint =
      believesClaims && depth < .trueColor && environment.allowsColors
      ? "COLORTERM=truecolor gives more colors" : nil
    words =
      "Pictures are drawn as blocks\(colors): "
      + ([choice.reason] + (hint.map { [$0] } ?? [])).joined(separator: "; ")
  }
}

/// Quality levels for pictures, from what nearly any link carries to all that the terminal can show.
package enum PictureQuality: Int, CaseIterable, Comparable, Hashable, Sendable {
  /// Colored text in place of pictures.
  case blocks
  /// Pictures of limited size.
  case small
  /// Pictures of full size, with the encoder's fastest settings.
  case speed
  /// The best pictures.
  case full

  package static func < (a: PictureQuality, b: PictureQuality) -> Bool { a.rawValue < b.rawValue }
}
