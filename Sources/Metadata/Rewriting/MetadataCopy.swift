package import Pixels

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

/// What becomes of a file's metadata in a file that is made of it.
package struct MetadataPolicy: Hashable, Sendable {
  package enum Stripping: UInt8, Hashable, Sendable {
    case nothing = 0
    /// The place, and what can't be checked for it: maker's notes and properties that nobody knows.
    case location = 1
    /// All but what is needed to show the picture.
    case all = 2
  }

  package var stripping: Stripping
  /// The size of the pixels where they are new, upright and in sRGB; nil where they stay as they are.
  package var newSize: PixelSize?

  package init(stripping: Stripping = .nothing, newSize: PixelSize? = nil) {
    self.stripping = stripping
    self.newSize = newSize
  }
}

/// What is wanted of a file's metadata, for one that is made of it.
package struct MetadataRequest: Hashable, Sendable {
  package var policy: MetadataPolicy
  /// The most bytes of all blocks together; nil = any number.
  package var byteCount: Int?
  /// The most bytes of an XMP packet for which the new file has room in one piece; nil = any number.
  ///
  /// What is more becomes a second packet.
  package var longestXMP: Int?

  package init(_ policy: MetadataPolicy, byteCount: Int? = nil, longestXMP: Int? = nil) {
    (self.policy, self.byteCount, self.longestXMP) = (policy, byteCount, longestXMP)
  }
}

/// Blocks of metadata that are ready to be written; each empty where there is nothing to say.
package struct MetadataOutput: Hashable, Sendable {
  /// From the TIFF header on; short enough for a segment of a JPEG.
  package var exif: [UInt8] = []
  package var xmp: [UInt8] = []
  /// The packet with what the first one had no room for.
  package var extendedXMP: [UInt8] = []
  /// IPTC's datasets.
  package var iptc: [UInt8] = []
  /// What could not go along, though nobody wants it to stay behind.
  package var losses: Set<MetadataLoss> = []
  /// Whether the file has EXIF, whatever of it is left.
  package var hasEXIF = false

  package init() {}

  /// The bytes of all blocks.
  var byteCount: Int { exif.count + xmp.count + extendedXMP.count + iptc.count }

  package var isEmpty: Bool { exif.isEmpty && xmp.isEmpty && iptc.isEmpty }
}

/// Metadata that could not go along with a picture, though nobody wanted them to stay behind.
package enum MetadataLoss: Int, CaseIterable, Hashable, Sendable {
  /// None of the file's could be read.
  case all
  case exif, xmp, iptc
}

/// Takes the datasets of places out of IPTC's records.
///
/// Format: IPTC-NAA Information Interchange Model 4.2.
enum IPTCFilter {
  /// Content location, city, sublocation, state, country's code and name.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// The datasets that are left, up to the first thing that is none.
  static func filtered(_ bytes: [UInt8], by stripping: MetadataPolicy.Stripping) -> [UInt8] {
    datasets(bytes, by: stripping).kept
  }

  /// The same, and whether all of them could be read: zeros may stand behind them.
  static func datasets(
    _ bytes: [UInt8], by stripping: MetadataPolicy.Stripping
  ) -> (kept: [UInt8], isWhole: Bool) {
    if stripping == .all { return ([], true) }
    var kept: [UInt8] = []
    var at = 0
    while at + 5 <= bytes.count, bytes[at] == 0x1C {
      let length = Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
      guard length < 0x8000, at + 5 + length <= bytes.count else { break }
      let (record, number) = (bytes[at + 1], bytes[at + 2])
      // Envelope and application record; others are pictures.
      let isPlain = record == 1 || record == 2 && number < 200
      if isPlain, stripping == .nothing || record == 1 || !places.contains(number) {
        kept += bytes[at..<at + 5 + length]
      }
      at += 5 + length
    }
    return (kept, bytes[min(at, bytes.count)...].allSatisfy { $0 == 0 })
  }
}
