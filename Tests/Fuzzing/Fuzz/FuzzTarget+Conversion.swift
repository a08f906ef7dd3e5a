import AssetLibrary
import CPlatform
@testable import Conversion
import Fixtures
import Metadata
import Pixels
import Glibc

/// Metadata removal on export, and the written result.
extension FuzzTarget {
  static let conversion = [
    FuzzTarget(
      name: "stripping",
      words: ["Exif\0\0", "8BIM", "http://ns.adobe.com/xap/1.0/\0", "eXIf", "iTXt", "VP8X", "EXIF", "XMP "],
      memory: { _ in 64 << 20 },
      seeds: {
        try (EncodedFiles.jpeg() + EncodedFiles.png() + EncodedFiles.webp() + EncodedFiles.gif()).map(\.bytes)
          + heads() + HostileFiles.all("jpg", "png", "webp", "gif")
      }
    ) { bytes in
      for stripping in [.all, .location] as [MetadataPolicy.Stripping] {
        let request = MetadataRequest(
          MetadataPolicy(stripping: stripping), longestXMP: JPEGSegments.longestXMP)
        let metadata = copy(of: bytes).output(request) { _ in String(repeating: "0", count: 32) }
        guard let written = stripped(bytes, metadata) else { continue }
        // Our own readers find no location in it anymore.
        let left = copy(of: written)
        switch MediaReader.read(from: MemoryByteSource(written), byteCount: written.count) {
        case .media(_, let facts?):
          precondition(facts.coordinate == nil, "the place is left")
          precondition(facts.motionVideo == nil, "a video is left")
        default: break
        }
        if stripping == .all { precondition(left.xmp.isEmpty && left.iptc.isEmpty, "metadata are left") }
        // The output is a file of the same kind, and removing again changes nothing.
        precondition(stripped(written, metadata) == written, "stripped twice, it is another file")
      }
      // What removes captions stays within the file.
      var position = 0
      for edit in CaptionEdits(in: MemoryByteSource(bytes), byteCount: bytes.count).edits {
        precondition(
          edit.range.lowerBound >= position && edit.range.upperBound <= bytes.count, "not in the file")
        position = edit.range.upperBound
      }
      return true
    },
    FuzzTarget(
      name: "rewriting", words: ["II*\0", "MM\0*", "<rdf:li>", "GPSLatitude"],
      seeds: {
        try structures() + packets + [datasets] + HostileFiles.structures.map(\.1)
          + HostileFiles.packets.map(\.bytes).filter { $0.count < 1 << 16 }
      }
    ) { bytes in
      for stripping in [.nothing, .location, .all] as [MetadataPolicy.Stripping] {
        for size in [nil, PixelSize(width: 30, height: 20)] {
          let policy = MetadataPolicy(stripping: stripping, newSize: size)
          var copy = MetadataCopy(exif: EXIFTree(bytes), xmp: bytes)
          copy.iptc = bytes
          let output = copy.output(policy)
          precondition(output.exif.count <= EXIFTree.longest)
          var facts = MediaFacts()
          facts.merge(exif: output.exif, xmp: output.xmp, iptc: output.iptc)
          if stripping != .nothing { precondition(facts.coordinate == nil, "the place is left") }
          // The output can be read, and yields the same again.
          if !output.xmp.isEmpty {
            let again = MetadataCopy(exif: nil, xmp: output.xmp).output(policy)
            precondition(!again.xmp.isEmpty, "what was written is no packet")
          }
          if !output.exif.isEmpty {
            precondition(EXIFTree(output.exif) != nil, "what was written is no EXIF")
          }
          copy.shorten(to: 1000, policy)
        }
      }
      return true
    },
  ]

  private static func copy(of bytes: [UInt8]) -> MetadataCopy {
    MediaReader.metadata(from: MemoryByteSource(bytes), byteCount: bytes.count)
  }

  private static let written = memory_file_create()

  /// The output for a file; nil if it is rejected.
  private static func stripped(_ bytes: [UInt8], _ metadata: MetadataOutput) -> [UInt8]? {
    guard ftruncate(written, 0) == 0, lseek(written, 0, SEEK_SET) == 0 else { return nil }
    let output = OutputFile(written, for: "a")
    let input = ByteStream(MemoryReader(bytes), cancellation: Cancellation())
    do throws(AssetError) {
      switch FileFormatMark(bytes) {
      case .jpeg: try StrippedJPEG.write(input, metadata, into: output, name: "a")
      case .png: try StrippedPNG.write(input, metadata, into: output, name: "a")
      case .webp: try StrippedWebP.write(input, count: bytes.count, metadata, into: output, name: "a")
      case .gif: try StrippedGIF.write(input, into: output, name: "a")
      case nil: return nil
      }
    } catch { return nil }
    var result = [UInt8](repeating: 0, count: max(0, Int(lseek(written, 0, SEEK_END))))
    guard pread(written, &result, result.count, 0) == result.count else { return nil }
    return result
  }

  /// The formats that lose metadata without conversion, by their signatures.
  private enum FileFormatMark {
    case jpeg, png, webp, gif

    init?(_ bytes: [UInt8]) {
      switch bytes.first {
      case 0xFF: self = .jpeg
      case 0x89: self = .png
      case UInt8(ascii: "R"): self = .webp
      case UInt8(ascii: "G"): self = .gif
      default: return nil
      }
    }
  }
}
