/// The parts of an extended XMP packet, as they lie in the file.
///
/// Format: XMP specification part 3, 1.1.3.1: an identifier of 32 letters, the packet's length and the part's
/// offset in it, then the part.
struct ExtendedXMP {
  private struct Part {
    var identifier: [UInt8]
    var byteCount: Int
    var offset: Int
    var range: Range<Int>
  }

  private var parts: [Part] = []

  mutating func add(_ payload: Range<Int>, in window: inout ByteWindow) {
    guard payload.count > 40, let byteCount = window.bigEndian32(at: payload.lowerBound + 32),
      let offset = window.bigEndian32(at: payload.lowerBound + 36)
    else { return }
    let identifier = window.copy(payload.lowerBound..<payload.lowerBound + 32)
    let range = payload.lowerBound + 40..<payload.upperBound
    parts.append(Part(identifier: identifier, byteCount: byteCount, offset: offset, range: range))
  }

  /// The packet put together; empty where a part is missing or it is too long.
  func packet(_ identifier: String, in window: inout ByteWindow) -> [UInt8] {
    let parts = parts.filter { $0.identifier.elementsEqual(identifier.utf8) }.sorted { $0.offset < $1.offset }
    guard let byteCount = parts.first?.byteCount, byteCount <= XMPReader.longestPacket else { return [] }
    var packet: [UInt8] = []
    for part in parts where part.offset <= packet.count {
      guard part.offset + part.range.count <= byteCount else { return [] }
      packet.removeSubrange(part.offset...)
      packet += window.copy(part.range)
    }
    return packet.count == byteCount ? packet : []
  }
}
