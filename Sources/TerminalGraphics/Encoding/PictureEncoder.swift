package import Pixels

/// Turns pixels into bytes for the terminal.
///
/// One shape for every protocol.
package protocol PictureEncoder: Sendable {
  /// The pixels to ask for, so that a picture fills a box of cells.
  var geometry: PictureGeometry { get }

  /// The bytes of a picture. Pure; safe from several threads.
  func encode(_ picture: PixelBuffer) -> EncodedPicture
}

extension PictureEncoder {
  /// The bytes of a picture that may let something through, over what it lets through.
  package func encode(_ picture: PixelBuffer, over backdrop: Backdrop) -> EncodedPicture {
    encode(picture.composited(over: backdrop, cell: geometry.cell))
  }
}

/// Another encoder's pictures, none of whose sequences is longer than the terminal takes.
///
/// tmux drops a longer one without a word (tmux's `INPUT_BUF_LIMIT`, since 3.6 its `input-buffer-size`).
private struct BoundedEncoder: PictureEncoder {
  private let base: any PictureEncoder
  private let coarse: any PictureEncoder
  private let limit: Int

  /// - Parameters:
  ///   - coarse: the same way of drawing in fewer bytes, for pictures that are too long in the usual one.
  ///   - limit: a sequence has fewer bytes than this.
  init(_ base: any PictureEncoder, coarse: any PictureEncoder, limit: Int) {
    self.base = base
    self.coarse = coarse
    self.limit = limit
  }

  var geometry: PictureGeometry { base.geometry }

  /// The picture in fewer bytes, and then in fewer pixels, until it is short enough.
  func encode(_ picture: PixelBuffer) -> EncodedPicture {
    let encoded = base.encode(picture)
    if encoded.longestSequence < limit { return encoded }
    var smaller = picture
    for _ in 0..<Self.attempts {
      let encoded = coarse.encode(smaller)
      let length = encoded.longestSequence
      if length < limit { return encoded }
      // Bytes go with the area.
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
  /// The encoder for a terminal that takes sequences up to a length only.
  /// - Parameters:
  ///   - limit: nil = of any length.
  ///   - coarse: makes the encoder of fewer bytes.
  package func bounded(to limit: Int?, coarse: () -> any PictureEncoder) -> any PictureEncoder {
    limit.map { BoundedEncoder(self, coarse: coarse(), limit: $0) } ?? self
  }
}

extension EncodedPicture {
  /// The bytes of the longest sequence; what the terminal keeps comes in pieces anyway.
  var longestSequence: Int { strips.map(\.bytes.count).max() ?? 0 }
}

/// Another encoder's pictures, none of them larger than a size.
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

/// Another encoder's pictures without their finest detail.
///
/// In few colors and few bytes detail comes out as streaks; without it the same bytes bring the picture nearer to what
/// the eye makes of it (Decision 10).
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
  /// The picture with a fraction of its pixels in each direction, at least one.
  func reduced(by reduction: Int) -> PixelBuffer {
    if reduction == 1 || size.isEmpty { return self }
    return resampled(to: PixelSize(width: max(1, width / reduction), height: max(1, height / reduction)))
  }
}

/// What the user sees in place of pictures, and why.
package struct GraphicsFallback: Hashable, Sendable {
  /// A short name, the same for the same fallback.
  package let name: String
  /// A sentence for the user.
  package let words: String

  init(_ choice: GraphicsChoice, _ depth: ColorDepth, in environment: TerminalEnvironment) {
    let colors =
      switch depth {
      case .trueColor: ""
      case .monochrome: " without colors"
      case .eight, .sixteen, .palette256: " in \(depth.rawValue) colors"
      }
    name = depth < .palette256 ? "blocks-\(depth.rawValue)" : "blocks"
    // NO_COLOR is the user's own wish.
    let hint =
      depth < .trueColor && environment.variables["NO_COLOR"] == nil
      ? "COLORTERM=truecolor gives more colors" : nil
    words =
      "Pictures are drawn as blocks\(colors): "
      + ([choice.reason] + (hint.map { [$0] } ?? [])).joined(separator: "; ")
  }
}

/// How much is spent on pictures, from all that the terminal shows to what nearly any link carries.
package enum PictureQuality: Int, CaseIterable, Comparable, Hashable, Sendable {
  /// Text in colours in place of pictures.
  case blocks
  /// Pictures, but none larger than a fraction of a screen.
  case small
  /// Pictures of full size, with the encoder's fastest settings.
  case speed
  /// Pictures as good as they get.
  case full

  package static func < (a: PictureQuality, b: PictureQuality) -> Bool { a.rawValue < b.rawValue }
}
