import HelperMetadata
import Metadata

/// Reads properties of a HEIC or AVIF file that libheif 1.15 does not expose.
struct HEIFBoxes {
  private let reader: BoxReader

  init(_ file: InputFile) {
    reader = BoxReader(file)
  }

  func fill(_ facts: inout CodecFacts) {
    for box in reader.topLevel {
      switch box.type {
      case "meta": facts.isStereo = facts.isStereo || hasStereoPair(box)
      case "moov": fillSequence(box, into: &facts)
      // Android's Motion Photo format 1.0, "HEIC": after all other boxes, whether or not an XMP packet mentions it.
      case "mpvd": facts.videoBox = box.content
      default: break
      }
    }
  }

  /// A group of the type `ster` pairs a left and a right view (ISO/IEC 23008-12:2022, "Stereo pair entity group");
  /// groups are in a `grpl` box of the file's `meta`, which is a full box (ISO/IEC 14496-12).
  private func hasStereoPair(_ meta: Box) -> Bool {
    reader.children(of: meta, skipping: 4).filter { $0.type == "grpl" }.contains { groups in
      reader.children(of: groups).contains { group in
        // Version and flags, the group's identifier, then the number of its members.
        group.type == "ster" && reader.integer(of: group, at: 8) == 2
      }
    }
  }

  /// A sequence has a track of pictures in addition to the still; it is animated if the track has more than one.
  private func fillSequence(_ movie: Box, into facts: inout CodecFacts) {
    for track in reader.children(of: movie) where track.type == "trak" {
      guard let media = reader.first("mdia", in: track),
        let handler = reader.first("hdlr", in: media),
        ["pict", "vide"].contains(
          String(decoding: reader.bytes(of: handler, at: 8, count: 4), as: UTF8.self)),
        let sizes = reader.first("minf", "stbl", "stsz", in: media),
        let count = reader.integer(of: sizes, at: 8), count > 1
      else { continue }
      facts.isAnimated = true
      guard let header = reader.first("mdhd", in: media), let seconds = duration(header), seconds > 0
      else { continue }
      facts.duration = seconds
      facts.frameRate = Double(count) / seconds
    }
  }

  /// Duration of a media header divided by its scale (ISO/IEC 14496-12, 8.4.2); version 1 has 64-bit times.
  private func duration(_ header: Box) -> Double? {
    let isLarge = reader.bytes(of: header, count: 1) == [1]
    guard let scale = reader.integer(of: header, at: isLarge ? 20 : 12), scale > 0 else { return nil }
    let duration = reader.bytes(of: header, at: isLarge ? 24 : 16, count: isLarge ? 8 : 4)
    return Double(BoxReader.integer(duration[...])) / Double(scale)
  }
}
