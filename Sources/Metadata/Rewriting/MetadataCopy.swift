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

  /// What is left of them under a policy.
  package func output(_ policy: MetadataPolicy) -> MetadataOutput {
    var output = MetadataOutput()
    output.exif = exif?.filtered(by: policy).bytes ?? []
    if policy.stripping != .all { output.xmp = XMPFilter.filtered(xmp, by: policy) }
    output.iptc = IPTCFilter.filtered(iptc, by: policy.stripping)
    return output
  }
}
