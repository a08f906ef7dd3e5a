/// The blocks of metadata that one file has, on their way to become its facts.
///
/// The order in which a file stores them says nothing about which of them is right: each is kept by itself
/// until all are there.
struct MetadataBlocks {
  /// What EXIF says in words, and the other places where words of that kind stand: the last to be believed.
  struct Words {
    var title: String?
    var caption: String?
    var comment: String?
    var keywords: [String] = []
    var rating: Int?
    var changeTime: CivilTime?
  }

  /// EXIF's facts, and what the file's format says.
  var facts = MediaFacts()
  var words = Words()
  var xmp: XMPFacts?
  var iptc: IPTCFacts?

  /// Longer packets are left alone; extended XMP with a depth map takes a few million bytes.
  static let longestPacket = 1 << 24

  /// Reads an EXIF structure from its TIFF header on.
  mutating func readEXIF(_ range: Range<Int>, in window: inout ByteWindow) {
    EXIFReader(range, in: &window)?.read(into: &self, in: &window)
  }

  /// Reads an XMP packet.
  mutating func readXMP(_ range: Range<Int>, in window: inout ByteWindow) {
    guard range.count <= Self.longestPacket else { return }
    readXMP(window.copy(range))
  }

  mutating func readXMP(_ packet: [UInt8]) {
    XMPReader.read(packet, into: &xmp)
  }

  /// Reads IPTC datasets.
  mutating func readIPTC(_ range: Range<Int>, in window: inout ByteWindow) {
    guard range.count <= Self.longestPacket else { return }
    iptc = IPTCFacts(window.copy(range)[...])
  }

  /// All of it as one.
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
    captureTime = captureTime ?? words.changeTime
    if keywords.isEmpty { keywords = words.keywords }
  }

  fileprivate mutating func fill(from iptc: IPTCFacts) {
    captureTime = captureTime ?? iptc.captureTime
    title = title ?? iptc.title
    caption = caption ?? iptc.caption
    keywords.appendMissing(iptc.keywords)
  }

  fileprivate mutating func fill(from xmp: XMPFacts) {
    captureTime = captureTime ?? xmp.captureTime
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

// Blocks that others bring: the codec helper's, and sidecar files.
extension MediaFacts {
  /// Adds what metadata blocks say that stand outside of what was read so far.
  ///
  /// What is known already stays; keywords, people and hints are added. The orientation and the thumbnail of
  /// EXIF are left alone: a container that keeps its blocks apart has its own.
  /// - Parameters:
  ///   - exif: from its TIFF header on, with or without "Exif" and two NULs before.
  ///   - xmp: a packet.
  ///   - iptc: IIM datasets.
  package mutating func merge(exif: [UInt8] = [], xmp: [UInt8] = [], iptc: [UInt8] = []) {
    var blocks = MetadataBlocks()
    if !exif.isEmpty {
      var window = ByteWindow(exif)
      let start = window.has("Exif\0\0", at: 0) ? 6 : 0
      blocks.readEXIF(start..<exif.count, in: &window)
    }
    if !xmp.isEmpty { blocks.readXMP(xmp) }
    if !iptc.isEmpty { blocks.iptc = IPTCFacts(iptc[...]) }
    add(blocks.resolved())
  }

  /// Adds what an XMP sidecar says: its rating, title and caption replace the file's own, because someone
  /// gave them later; all else is added where the file says nothing.
  package mutating func merge(sidecar packet: [UInt8]) {
    var blocks = MetadataBlocks()
    blocks.readXMP(packet)
    let found = blocks.resolved()
    rating = found.rating ?? rating
    title = found.title ?? title
    caption = found.caption ?? caption
    add(found)
  }

  private mutating func add(_ other: MediaFacts) {
    captureTime = captureTime ?? other.captureTime
    make = make ?? other.make
    model = model ?? other.model
    lens = lens ?? other.lens
    isoSpeed = isoSpeed ?? other.isoSpeed
    fNumber = fNumber ?? other.fNumber
    exposureTime = exposureTime ?? other.exposureTime
    focalLength = focalLength ?? other.focalLength
    coordinate = coordinate ?? other.coordinate
    customRendered = customRendered ?? other.customRendered
    userComment = userComment ?? other.userComment
    burstIdentifier = burstIdentifier ?? other.burstIdentifier
    contentIdentifier = contentIdentifier ?? other.contentIdentifier
    hdrImageType = hdrImageType ?? other.hdrImageType
    rating = rating ?? other.rating
    title = title ?? other.title
    caption = caption ?? other.caption
    keywords.appendMissing(other.keywords)
    people.appendMissing(other.people)
    hints.formUnion(other.hints)
  }
}

extension Array where Element == String {
  /// Adds what is not there yet, in its order.
  mutating func appendMissing(_ others: [String]) {
    if others.isEmpty { return }
    if isEmpty, others.count == 1 {
      self = others
      return
    }
    var known = Set(self)
    for other in others where known.insert(other).inserted { append(other) }
  }
}
