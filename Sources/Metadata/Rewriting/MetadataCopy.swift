/// The blocks of metadata of one file, on their way into another one.
package struct MetadataCopy: Hashable, Sendable {
  package var exif: EXIFTree?
  package var xmp: [UInt8] = []
  /// The packet with what was too long for that one.
  package var extendedXMP: [UInt8] = []
  package var iptc: [UInt8] = []
  /// What of them was not read, or was left out to make room.
  package var losses: Set<MetadataLoss> = []

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
      if longest == 0 || output.byteCount <= byteCount { return }
      if exif?.entry(EXIFTree.makerNote, in: .photo) != nil {
        exif?.remove(EXIFTree.makerNote, from: .photo)
        losses.insert(.exif)
      } else if longest == output.xmp.count {
        (xmp, extendedXMP) = ([], [])
        losses.insert(.xmp)
      } else if longest == output.iptc.count {
        iptc = []
        losses.insert(.iptc)
      } else {
        exif = nil
        losses.insert(.exif)
      }
    }
  }

  /// What one answer carries; no file but a hostile one has more.
  private static let mostBytes = 20 << 20

  /// What of them answers a request.
  /// - Parameter digest: the letters that name a second XMP packet in the first.
  package func output(_ request: MetadataRequest, digest: ([UInt8]) -> String) -> MetadataOutput {
    var copy = self
    if let byteCount = request.byteCount { copy.shorten(to: byteCount, request.policy) }
    var output = copy.output(request.policy)
    if output.byteCount > Self.mostBytes {
      copy.shorten(to: Self.mostBytes, request.policy)
      output = copy.output(request.policy)
    }
    output.hasEXIF = exif != nil
    guard let longest = request.longestXMP, output.xmp.count > longest else { return output }
    if let (standard, extended) = XMPFilter.split(output.xmp, most: longest, digest: digest) {
      (output.xmp, output.extendedXMP) = (standard, extended)
    } else {
      output.xmp = []
      output.losses.insert(.xmp)
    }
    return output
  }

  /// What is left of them under a policy.
  package func output(_ policy: MetadataPolicy) -> MetadataOutput {
    var output = MetadataOutput()
    let written = exif?.filtered(by: policy).written() ?? (bytes: [], isCut: false)
    output.exif = written.bytes
    if policy.stripping == .all { return output }
    output.losses = losses
    if written.isCut || exif?.isCut ?? false { output.losses.insert(.exif) }
    let packets = [xmp, extendedXMP].filter { !$0.isEmpty }
    let filtered = XMPFilter.filtered(packets, by: policy)
    output.xmp = filtered.packet
    if !filtered.isWhole { output.losses.insert(.xmp) }
    let datasets = IPTCFilter.datasets(iptc, by: policy.stripping)
    output.iptc = datasets.kept
    if !datasets.isWhole { output.losses.insert(.iptc) }
    return output
  }
}
