// The blocks are read.
extension MetadataBlocks {
  private static let mostEXIF = 4

  /// Reads an EXIF structure from its TIFF header on; after one that says something, or a few that don't, no more.
  mutating func readEXIF(_ range: Range<Int>, in window: inout ByteWindow) {
    guard exifCount < Self.mostEXIF, !hasEXIF else { return }
    exifCount += 1
    guard let reader = EXIFReader(range, in: &window) else { return }
    let (facts, words) = (self.facts, self.words)
    reader.read(into: &self, in: &window)
    hasEXIF = facts != self.facts || words != self.words
    if hasEXIF || exifCount == 1 { window.blocks?.exif = range }
  }

  /// Reads an XMP packet.
  mutating func readXMP(_ range: Range<Int>, in window: inout ByteWindow) {
    guard range.count <= XMPReader.longestPacket else {
      window.blocks?.isXMPCut = true
      return
    }
    readXMP(window.copy(range), in: &window)
  }

  mutating func readXMP(_ packet: [UInt8], in window: inout ByteWindow) {
    if window.blocks?.xmp.isEmpty ?? false { window.blocks?.xmp = packet }
    readXMP(packet)
  }

  mutating func readXMP(_ packet: [UInt8]) {
    XMPReader.read(packet, into: &xmp)
  }

  /// Reads IPTC datasets.
  mutating func readIPTC(_ range: Range<Int>, in window: inout ByteWindow) {
    guard range.count <= XMPReader.longestPacket else { return }
    readIPTC(window.copy(range)[...], in: &window)
  }

  mutating func readIPTC(_ datasets: ArraySlice<UInt8>, in window: inout ByteWindow) {
    window.blocks?.iptc = Array(datasets)
    iptc = IPTCFacts(datasets)
  }
}
