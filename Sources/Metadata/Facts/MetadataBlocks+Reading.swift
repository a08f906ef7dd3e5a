// The blocks are read.
extension MetadataBlocks {
  private static let mostEXIF = 4

  /// Reads an EXIF structure from its TIFF header on; after a few of them no more.
  mutating func readEXIF(_ range: Range<Int>, in window: inout ByteWindow) {
    guard exifCount < Self.mostEXIF else { return }
    exifCount += 1
    if exifCount == 1 { window.blocks?.exif = range }
    EXIFReader(range, in: &window)?.read(into: &self, in: &window)
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
