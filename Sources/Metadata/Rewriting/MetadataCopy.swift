/// The blocks of metadata of one file, on their way into another one.
package struct MetadataCopy: Hashable, Sendable {
  package var exif: EXIFTree?
  package var xmp: [UInt8] = []
  package var iptc: [UInt8] = []

  package init() {}

  package init(exif: EXIFTree?, xmp: [UInt8]) {
    self.exif = exif
    self.xmp = xmp
  }

  /// Leaves out what is missed least until what is left under a policy takes no more than so many bytes: the maker's
  /// note first, then the longest block.
  package mutating func shorten(to byteCount: Int, _ policy: MetadataPolicy) {
    while true {
      let output = output(policy)
      let longest = max(output.exif.count, output.xmp.count, output.iptc.count)
      if longest == 0 || output.exif.count + output.xmp.count + output.iptc.count <= byteCount { return }
      if exif?.entry(EXIFTree.makerNote, in: .photo) != nil {
        exif?.remove(EXIFTree.makerNote, from: .photo)
      } else if longest == output.xmp.count {
        xmp = []
      } else if longest == output.iptc.count {
        iptc = []
      } else {
        exif = nil
      }
    }
  }

  /// What is left of them under a policy.
  package func output(_ policy: MetadataPolicy) -> MetadataOutput {
    var output = MetadataOutput()
    output.exif = exif?.filtered(by: policy).bytes ?? []
    if policy.stripping != .all { output.xmp = XMPFilter.filtered(xmp, by: policy) }
    output.iptc = IPTCFilter.filtered(iptc, by: policy.stripping)
    return output
  }
}
