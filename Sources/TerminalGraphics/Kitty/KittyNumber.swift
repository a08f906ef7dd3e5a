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
