package import Pixels

/// What becomes of a file's metadata in a file that is made of it.
package struct MetadataPolicy: Hashable, Sendable {
  package enum Stripping: Hashable, Sendable {
    case nothing
    /// The place, and what can't be checked for it: maker's notes and properties that nobody knows.
    case location
    /// All but what is needed to show the picture.
    case all
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
