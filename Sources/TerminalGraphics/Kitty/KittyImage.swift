package import Pixels

/// The data of a picture for kitty's graphics protocol, without the number that it gets on a screen.
///
/// Format: kitty's documentation, "Terminal graphics protocol".
package struct KittyImage: Hashable, Sendable {
  /// Bytes of a pixel.
  package enum Format: Int, Hashable, Sendable {
    case rgb = 24
    case rgba = 32
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

  /// What it costs in a cache, in bytes.
  package var cost: Int {
    switch payload {
    case .inline(let base64, _): base64.count
    case .shared(let pixels): pixels.count
    }
  }

  /// What it costs the terminal, in bytes: there it is unpacked.
  package var terminalCost: Int { size.area * 4 }
}

/// The number of a picture in the terminal.
///
/// Its lowest byte is never 0 and its two middle bytes always are: placeholders tell the lowest byte as one of
/// 256 colours, which every multiplexer passes on, and the highest one as a mark.
package struct KittyNumber: Hashable, Sendable {
  package let low: UInt8
  package let high: UInt8

  /// - Parameter count: any number; 65,280 in a row give different ones.
  package init(_ count: UInt64) {
    low = UInt8(count % 255) + 1
    high = UInt8(count / 255 % 256)
  }

  package var value: UInt32 { UInt32(high) << 24 | UInt32(low) }
}
