import CodecProtocol

/// What libavformat 59 does not tell of an MP4 or QuickTime file.
struct MovieBoxes {
  private let reader: BoxReader

  init(_ file: InputFile) {
    reader = BoxReader(file: file)
  }

  func fill(_ facts: inout CodecFacts) {
    guard let movie = reader.topLevel.first(where: { $0.type == "moov" }) else { return }
    for track in reader.children(of: movie) where track.type == "trak" {
      guard let descriptions = reader.first("mdia", "minf", "stbl", "stsd", in: track) else { continue }
      // Version, flags, and how many descriptions follow.
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

  /// What the metadata track of a cinematic video calls its samples begins so.
  private static let cinematic = "com.apple.quicktime.cinematic-video"

  /// Two views in one track: a second layer's decoder configuration, `lhvC` (ISO/IEC 14496-15, 9), or Apple's
  /// `vexu` whose `eyes` name both (Apple HEVC Stereo Video, 0.9: the two lowest bits of `stri`).
  ///
  /// A visual sample entry has 78 bytes of fields (ISO/IEC 14496-12, 12.1.3).
  private func isStereo(_ entry: BoxReader.Box) -> Bool {
    reader.children(of: entry, skipping: 78).contains { box in
      if box.type == "lhvC" { return true }
      guard box.type == "vexu", let views = reader.first("eyes", "stri", in: box) else { return false }
      return reader.bytes(of: views, at: 4, count: 1).first.map { $0 & 3 == 3 } ?? false
    }
  }

  /// The names that a boxed metadata track has for its samples (QuickTime File Format, "Timed Metadata Sample
  /// Descriptions"): behind 8 bytes of fields `keys`, in it a box for each key, in that `keyd` with the
  /// namespace in four bytes and the name.
  private func keys(of entry: BoxReader.Box) -> [String] {
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
