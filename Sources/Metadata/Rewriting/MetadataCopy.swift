package import Pixels

/// The metadata blocks of a file, to be copied into another one.
package struct MetadataCopy: Hashable, Sendable {
  package var exif: EXIFTree?
  package var xmp: [UInt8] = []
  /// The packet with the properties that did not fit into the first one.
  package var extendedXMP: [UInt8] = []
  package var iptc: [UInt8] = []
  /// The blocks that were not read, or were removed to save space.
  package var losses: Set<MetadataLoss> = []

  package init() {}

  package init(exif: EXIFTree?, xmp: [UInt8]) {
    self.exif = exif
    self.xmp = xmp
  }

  /// Removes blocks until the output under a policy has at most `byteCount` bytes: the maker note first, then
  /// the longest block.
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

  /// The maximum size of one response, which only hostile files exceed.
  private static let mostBytes = 20 << 20

  /// Returns the blocks for a request.
  /// - Parameter digest: returns the digest by which the first XMP packet refers to the second one.
  package func output(_ request: MetadataRequest, digest: ([UInt8]) -> String) -> MetadataOutput {
    var copy = self
    if let byteCount = request.byteCount { copy.shorten(to: byteCount, request.policy) }
    if let identifier = request.contentIdentifier {
      var tree = copy.exif ?? EXIFTree()
      if !tree.setContentIdentifier(identifier) { copy.losses.insert(.exif) }
      copy.exif = tree
    }
    var output = copy.output(request.policy)
    if output.byteCount > Self.mostBytes {
      copy.shorten(to: Self.mostBytes, request.policy)
      output = copy.output(request.policy)
    }
    if let identifier = request.contentIdentifier, request.policy.stripping == .nothing,
      !output.exif.contains(identifier.utf8)
    {
      // The note was removed to save space. Without it the image would no longer be that of its clip.
      var tree = copy.exif ?? EXIFTree()
      tree.makeRoom(forContentIdentifier: identifier)
      copy.exif = tree
      copy.losses.insert(.exif)
      output = copy.output(request.policy)
    }
    output.hasEXIF = exif != nil
    if let count = request.motionVideoByteCount {
      output.xmp = XMPFilter.packet(output.xmp, announcingVideoOf: count, at: request.motionPhotoTime)
    }
    guard let longest = request.longestXMP, output.xmp.count > longest else { return output }
    if let (standard, extended) = XMPFilter.split(output.xmp, most: longest, digest: digest) {
      (output.xmp, output.extendedXMP) = (standard, extended)
    } else {
      // Without its announcement no reader would find an appended video.
      output.xmp =
        request.motionVideoByteCount.map {
          XMPFilter.packet([], announcingVideoOf: $0, at: request.motionPhotoTime)
        } ?? []
      output.losses.insert(.xmp)
    }
    return output
  }

  /// Returns the blocks that remain under a policy.
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
    let datasets = IPTCFilter.datasets(iptc, by: policy)
    output.iptc = datasets.kept
    if !datasets.isWhole { output.losses.insert(.iptc) }
    return output
  }
}

/// What happens to the metadata of a file in a file that is made from it.
package struct MetadataPolicy: Hashable, Sendable {
  package enum Stripping: UInt8, Hashable, Sendable {
    case nothing = 0
    /// Removes the location, and what can't be checked for locations: maker notes and unknown properties.
    case location = 1
    /// Removes everything that is not needed to show the image.
    case all = 2
  }

  package var stripping: Stripping
  /// Whether titles, captions and comments are removed too.
  package var removesCaptions: Bool
  /// The size of the pixels if they are new, upright and in sRGB; nil if they are unchanged.
  package var newSize: PixelSize?

  package init(
    stripping: Stripping = .nothing, removesCaptions: Bool = false, newSize: PixelSize? = nil
  ) {
    self.stripping = stripping
    self.removesCaptions = removesCaptions
    self.newSize = newSize
  }
}

/// A request for the metadata of a file, for another file that is made from it.
package struct MetadataRequest: Hashable, Sendable {
  package var policy: MetadataPolicy
  /// The maximum size of all blocks in bytes; nil = no maximum.
  package var byteCount: Int?
  /// The maximum size in bytes of a single XMP packet in the new file; nil = no maximum.
  ///
  /// Properties that don't fit are moved to a second packet.
  package var longestXMP: Int?
  /// The identifier that the new file, the still image of a Live Photo, shares with its clip; nil = that of the
  /// original.
  package var contentIdentifier: String?
  /// The length in bytes of the MP4 with which the new file, a Motion Photo, ends; nil = there is none.
  package var motionVideoByteCount: Int?
  /// The time of the frame in that MP4 that the new file shows, in microseconds; nil = it shows another picture.
  package var motionPhotoTime: Int?

  package init(_ policy: MetadataPolicy, byteCount: Int? = nil, longestXMP: Int? = nil) {
    (self.policy, self.byteCount, self.longestXMP) = (policy, byteCount, longestXMP)
  }
}

/// Metadata blocks that are ready to be written; each is empty if there is nothing to write.
package struct MetadataOutput: Hashable, Sendable {
  /// The EXIF structure from its TIFF header on; short enough for a JPEG segment.
  package var exif: [UInt8] = []
  package var xmp: [UInt8] = []
  /// The packet with the properties that did not fit into the first one.
  package var extendedXMP: [UInt8] = []
  /// The IPTC datasets.
  package var iptc: [UInt8] = []
  /// Blocks that were lost although the policy keeps them.
  package var losses: Set<MetadataLoss> = []
  /// Whether the file has EXIF, regardless of how much of it remains.
  package var hasEXIF = false

  package init() {}

  /// The total size of all blocks in bytes.
  var byteCount: Int { exif.count + xmp.count + extendedXMP.count + iptc.count }

  package var isEmpty: Bool { exif.isEmpty && xmp.isEmpty && iptc.isEmpty }
}

/// Metadata that was lost although the policy keeps it.
package enum MetadataLoss: Int, CaseIterable, Hashable, Sendable {
  /// None of the file's metadata could be read.
  case all
  case exif, xmp, iptc
}

/// Removes the datasets with locations or captions from IPTC records.
///
/// Format: IPTC-NAA Information Interchange Model 4.2.
enum IPTCFilter {
  /// Content location, city, sublocation, state, country code and name.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// Returns the remaining datasets, up to the first invalid one.
  static func filtered(_ bytes: [UInt8], by policy: MetadataPolicy) -> [UInt8] {
    datasets(bytes, by: policy).kept
  }

  /// Returns the remaining datasets, and whether all of them could be parsed: zeros may follow them.
  static func datasets(
    _ bytes: [UInt8], by policy: MetadataPolicy
  ) -> (kept: [UInt8], isWhole: Bool) {
    if policy.stripping == .all { return ([], true) }
    var kept: [UInt8] = []
    var at = 0
    while at + 5 <= bytes.count, bytes[at] == 0x1C {
      let length = Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
      guard length < 0x8000, at + 5 + length <= bytes.count else { break }
      let (record, number) = (bytes[at + 1], bytes[at + 2])
      // The envelope and application records; other records contain images.
      let isPlain = record == 1 || record == 2 && number < 200
      let isRemoved =
        policy.stripping == .location && places.contains(number)
        || policy.removesCaptions && Captions.datasets.contains(number)
      if isPlain, record == 1 || !isRemoved {
        kept += bytes[at..<at + 5 + length]
      }
      at += 5 + length
    }
    return (kept, bytes[min(at, bytes.count)...].allSatisfy { $0 == 0 })
  }
}
