import CExpat

/// expat's parser for one packet, which it owns: it takes no more memory than an honest packet of that length needs.
///
/// Used by the thread that made it, which has no other at the time.
struct XMPParser: ~Copyable {
  let handle: XML_Parser

  /// nil where there is no memory for it.
  init?(for packet: [UInt8]) {
    // What is read is kept once, in blocks of twice the length; attributes have an entry each besides.
    guard let handle = cexpat_parser_create(8 * packet.count + Self.least, Self.salt) else { return nil }
    self.handle = handle
  }

  deinit {
    XML_ParserFree(handle)
  }

  /// Parses the first `count` bytes of a packet as a whole document.
  /// - Returns: whether it is one; the handlers have seen what stands before a defect.
  func parse(_ packet: [UInt8], count: Int) -> Bool {
    packet.withUnsafeBytes { bytes in
      XML_Parse(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), 1)
    } == XML_STATUS_OK
  }

  /// What a parser takes for the shortest packet, and more.
  private static let least = 1 << 20

  /// What keeps others from guessing how names are hashed; one for all spares a system call a packet.
  private static let salt = (0..<16).map { _ in UInt8.random(in: 0...UInt8.max) }
}
