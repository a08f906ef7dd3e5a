package import Pixels

/// The data of a picture for kitty's graphics protocol, without the number that it gets on a screen.
///
/// Format: kitty's documentation, "Terminal graphics protocol".
package struct KittyImage: Hashable, Sendable {
  /// Bytes of a pixel.
  package enum Format: Int, Hashable, Sendable {
    case rgb = 24
    case rgba = 32
    /// A file rather than pixels.
    case png = 100
  }

  /// How the data goes over.
  package enum Payload: Hashable, Sendable {
    /// Within the sequences, as base 64; perhaps compressed with zlib before.
    case inline(base64: [UInt8], isCompressed: Bool)
    /// Through shared memory or a file: the pixels as they are.
    case shared(pixels: [UInt8])
  }

  package let size: PixelSize
  package let format: Format
  package let payload: Payload
  /// Whether the terminal fits it into its cells, else it has its own size.
  var isEnlarged = false

  /// What it costs in a cache, in bytes.
  package var cost: Int {
    switch payload {
    case .inline(let base64, _): base64.count
    case .shared(let pixels): pixels.count
    }
  }

  /// What it costs the terminal, in bytes: there it is unpacked.
  var terminalCost: Int { size.area * 4 }
}
