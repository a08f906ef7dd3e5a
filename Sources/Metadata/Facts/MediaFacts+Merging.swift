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
    merge(sidecar: blocks.resolved())
  }

  /// The same with what was read of the sidecar already.
  package mutating func merge(sidecar found: MediaFacts) {
    rating = found.rating ?? rating
    title = found.title ?? title
    caption = found.caption ?? caption
    add(found)
  }

  private mutating func add(_ other: MediaFacts) {
    add(other.captureTime, from: other.captureTimeSource)
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
