import Pixels

/// Reads the size of a GIF and whether it is animated.
///
/// Format: GIF89a specification, chapters 17 to 26.
enum GIFReader {
  /// The maximum number of bytes in which to search for a second image; a longer animation has a loop
  /// extension.
  private static let farthest = 1 << 21

  static func read(_ window: inout ByteWindow) -> MediaFacts? {
    guard let width = window.littleEndian16(at: 6), let height = window.littleEndian16(at: 8),
      let flags = window.byte(at: 10)
    else { return nil }
    let start = 13 + colorTable(flags)
    var size = PixelSize(width: width, height: height)
    // Some encoders write a screen size of 0x0, or one smaller than the first image: browsers use that
    // image's size.
    let first =
      size.isEmpty
      ? firstPicture(from: start, in: &window) : window.optional { firstPicture(from: start, in: &$0) }
    if let first, first.width > size.width || first.height > size.height { size = first }
    if size.isEmpty { return nil }
    var facts = MediaFacts(storedSize: size)
    // The second image may be preceded by megabytes of the first. If those are not available, a loop
    // extension suffices.
    let moves = window.optional { isAnimated(from: start, in: &$0) }
    if moves { facts.hints.insert(.animated) }
    return facts
  }

  /// Returns the size of the first image; nil if there is none within the limit.
  private static func firstPicture(from start: Int, in window: inout ByteWindow) -> PixelSize? {
    var position = start
    while position < farthest, let kind = window.byte(at: position) {
      if kind == 0x2C {
        guard let width = window.littleEndian16(at: position + 5),
          let height = window.littleEndian16(at: position + 7), width > 0, height > 0
        else { return nil }
        return PixelSize(width: width, height: height)
      }
      guard kind == 0x21 else { return nil }
      position = skipBlocks(from: position + 2, in: &window)
    }
    return nil
  }

  private static func isAnimated(from start: Int, in window: inout ByteWindow) -> Bool {
    var position = start
    var pictures = 0
    var loops = false
    while position < farthest, let kind = window.byte(at: position) {
      switch kind {
      case 0x2C:
        pictures += 1
        if pictures > 1 { return true }
        guard let flags = window.byte(at: position + 9) else { return false }
        // Skip the descriptor, the color table, the code size and the data.
        position = skipBlocks(from: position + 11 + colorTable(flags), in: &window)
      case 0x21:
        if window.has("NETSCAPE2.0", at: position + 3) { loops = true }
        position = skipBlocks(from: position + 2, in: &window)
      default:
        return false
      }
    }
    return loops && (position >= farthest || window.missing != nil)
  }

  private static func colorTable(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

  /// Returns the end of the data blocks that start at `start`.
  private static func skipBlocks(from start: Int, in window: inout ByteWindow) -> Int {
    var position = start
    while position < farthest, let length = window.byte(at: position) {
      position += 1 + Int(length)
      if length == 0 { return position }
    }
    return max(position, start)
  }
}
