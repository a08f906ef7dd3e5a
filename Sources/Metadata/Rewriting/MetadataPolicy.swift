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

/// Blocks of metadata that are ready to be written; each empty where there is nothing to say.
package struct MetadataOutput: Hashable, Sendable {
  /// From the TIFF header on; short enough for a segment of a JPEG.
  package var exif: [UInt8] = []
  package var xmp: [UInt8] = []
  /// IPTC's datasets.
  package var iptc: [UInt8] = []
  /// What could not go along, though nobody wants it to stay behind.
  package var losses: Set<MetadataLoss> = []

  package init() {}

  package var isEmpty: Bool { exif.isEmpty && xmp.isEmpty && iptc.isEmpty }
}

/// Metadata that could not go along with a picture, though nobody wanted them to stay behind.
package enum MetadataLoss: Int, CaseIterable, Hashable, Sendable {
  /// None of the file's could be read.
  case all
  case exif, xmp, iptc
}
