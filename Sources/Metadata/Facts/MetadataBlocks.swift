/// The metadata blocks of a file, before they are merged.
///
/// The order of blocks in a file does not determine their precedence, so they are kept separately until all
/// are read.
struct MetadataBlocks {
  /// Texts and values of EXIF and similar sources, which have the lowest precedence.
  struct Words: Equatable {
    var title: String?
    var caption: String?
    var comment: String?
    var keywords: [String] = []
    var rating: Int?
    /// The time of the GPS receiver.
    var satelliteTime: CivilTime?
    var changeTime: CivilTime?
  }

  /// The values from EXIF and from the file format itself.
  var facts = MediaFacts()
  var words = Words()
  var xmp: XMPFacts?
  var iptc: IPTCFacts?
  /// The number of EXIF structures that were read; a valid file has one.
  var exifCount = 0
  /// Whether one of them contained values.
  var hasEXIF = false

  /// Merges the blocks.
  consuming func resolved() -> MediaFacts {
    var facts = self.facts
    if let xmp { facts.fill(from: xmp) }
    if let iptc { facts.fill(from: iptc) }
    facts.fill(from: words)
    return facts
  }
}

extension MediaFacts {
  fileprivate mutating func fill(from words: borrowing MetadataBlocks.Words) {
    title = title ?? words.title
    caption = caption ?? words.caption
    userComment = userComment ?? words.comment
    rating = rating ?? words.rating
    add(words.satelliteTime ?? words.changeTime, from: .exif)
    if keywords.isEmpty { keywords = words.keywords }
  }

  fileprivate mutating func fill(from iptc: IPTCFacts) {
    add(iptc.captureTime, from: .iptc)
    title = title ?? iptc.title
    caption = caption ?? iptc.caption
    keywords.appendMissing(iptc.keywords)
  }

  fileprivate mutating func fill(from xmp: XMPFacts) {
    add(xmp.captureTime, from: .xmp)
    make = make ?? xmp.make
    model = model ?? xmp.model
    lens = lens ?? xmp.lens
    coordinate = coordinate ?? xmp.coordinate
    rating = rating ?? xmp.rating
    title = title ?? xmp.title
    caption = caption ?? xmp.caption
    keywords.appendMissing(xmp.allKeywords)
    people.appendMissing(xmp.people)
    hints.formUnion(xmp.hints)
  }
}

// Reading of the blocks.
extension MetadataBlocks {
  private static let mostEXIF = 4

  /// Reads an EXIF structure from its TIFF header on.
  ///
  /// Stops after one that has values, or after a few that don't.
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
