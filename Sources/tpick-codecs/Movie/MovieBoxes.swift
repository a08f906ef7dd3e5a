import HelperMetadata
import Metadata
import System

/// Reads properties of an MP4 or QuickTime file that libavformat 59 does not expose.
struct MovieBoxes {
  private let reader: BoxReader

  init(_ file: InputFile) {
    reader = BoxReader(file)
  }

  func fill(_ facts: inout CodecFacts) {
    let boxes = reader.topLevel
    guard let movie = boxes.first(where: { $0.type == "moov" }) else { return }
    correctTime(in: movie, of: &facts)
    facts.xmp = xmp(boxes, in: movie)
    for track in reader.children(of: movie) where track.type == "trak" {
      guard let descriptions = reader.first("mdia", "minf", "stbl", "stsd", in: track) else { continue }
      // Version, flags, and the number of descriptions.
      for entry in reader.children(of: descriptions, skipping: 8) {
        switch entry.type {
        case "hvc1", "hev1", "dvh1", "dvhe":
          if isStereo(entry) { facts.isStereo = true }
        case "mebx":
          for key in keys(of: entry) where key.hasPrefix(Self.cinematic) { facts.tags[key] = "1" }
        default: break
        }
      }
    }
  }

  /// Seconds from the start of 1904, the epoch of these headers, to that of 1970.
  private static let epoch: UInt64 = 2_082_844_800

  /// Restores a creation time before 1970.
  ///
  /// Many writers count from 1970 instead of 1904. So libavformat and ExifTool take every time before 1970 as 66
  /// years later, which is usually right, because films from before 1970 are rare. But if the result is in the
  /// future, the writer did count from 1904.
  private func correctTime(in movie: Box, of facts: inout CodecFacts) {
    guard facts.tags["creation_time"] != nil else { return }
    let tracks = reader.children(of: movie).filter { $0.type == "trak" }.compactMap {
      reader.first("mdia", in: $0)
    }
    .filter { media in
      reader.first("hdlr", in: media).map { reader.bytes(of: $0, at: 8, count: 4) } == Array("vide".utf8)
    }
    let headers = [reader.first("mvhd", in: movie)] + tracks.map { reader.first("mdhd", in: $0) }
    // libavformat checks them in this order and takes 0 as no time.
    guard let stored = headers.lazy.compactMap({ $0 }).map(creationTime).first(where: { $0 > 0 }),
      stored < Self.epoch, stored > UInt64(max(0, time(nil))) + 86_400
    else { return }
    var seconds = time_t(Int64(stored) - Int64(Self.epoch))
    var fields = tm()
    gmtime_r(&seconds, &fields)
    func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(fields.tm_year + 1900)-\(digits(fields.tm_mon + 1))-\(digits(fields.tm_mday))"
    let clock = [fields.tm_hour, fields.tm_min, fields.tm_sec].map(digits).joined(separator: ":")
    facts.tags["creation_time"] = "\(day)T\(clock)Z"
  }

  /// Returns the creation time of a header, which has 32 bits or, in version 1, 64.
  private func creationTime(of header: Box) -> UInt64 {
    let isLarge = reader.bytes(of: header, count: 1) == [1]
    let bytes = reader.bytes(of: header, at: 4, count: isLarge ? 8 : 4)
    return BoxReader.integer(bytes[...])
  }

  /// Returns the XMP packet: in a box of its own, or in a QuickTime file's user data (XMP specification part 3,
  /// 1.2.7 and 2.1.6).
  private func xmp(_ boxes: [Box], in movie: Box) -> [UInt8] {
    for box in boxes where box.type == "uuid" && reader.bytes(of: box, count: 16) == Self.xmpBox {
      return block(box, skipping: 16)
    }
    return reader.first("udta", "XMP_", in: movie).map { block($0, skipping: 0) } ?? []
  }

  private static let xmpBox: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]

  private func block(_ box: Box, skipping fields: Int) -> [UInt8] {
    let count = box.content.count - fields
    return count <= Limits.metadataBlock ? reader.bytes(of: box, at: fields, count: count) : []
  }

  /// Prefix of the sample keys in the metadata track of a cinematic video.
  private static let cinematic = "com.apple.quicktime.cinematic-video"

  /// Two views in one track: a second layer's decoder configuration, `lhvC` (ISO/IEC 14496-15, 9), or Apple's
  /// `vexu` whose `eyes` name both (Apple HEVC Stereo Video, 0.9: the two lowest bits of `stri`).
  ///
  /// A visual sample entry has 78 bytes of fields (ISO/IEC 14496-12, 12.1.3).
  private func isStereo(_ entry: Box) -> Bool {
    reader.children(of: entry, skipping: 78).contains { box in
      if box.type == "lhvC" { return true }
      guard box.type == "vexu", let views = reader.first("eyes", "stri", in: box) else { return false }
      return reader.bytes(of: views, at: 4, count: 1).first.map { $0 & 3 == 3 } ?? false
    }
  }

  /// Returns the keys of the samples in a boxed metadata track (QuickTime File Format, "Timed Metadata Sample
  /// Descriptions"): 8 bytes of fields are followed by `keys`, which has a box for each key; its `keyd` holds the
  /// namespace in four bytes and the name.
  private func keys(of entry: Box) -> [String] {
    guard let list = reader.children(of: entry, skipping: 8).first(where: { $0.type == "keys" }) else {
      return []
    }
    return reader.children(of: list).prefix(64).compactMap { key in
      reader.first("keyd", in: key).map {
        String(decoding: reader.bytes(of: $0, at: 4, count: 128), as: UTF8.self)
      }
    }
  }
}
