import CodecProtocol

// Files of which only parts are there: what a library would ask for piece by piece is asked for at once.
extension BoxReader {
  /// Has the box be there that tells all of a video; does nothing where the file is all there.
  /// - Throws: `CodecError` where it is not; the file knows what is missing.
  func requireMovie() throws(CodecError) {
    guard let boxes = try require("moov") else { return }
    // The times of a video in fragments are in all of them.
    if !boxes.contains(where: { $0.type == "moof" }) { endBehindData(boxes) }
  }

  /// Has the boxes be there that tell all of a HEIC or AVIF file.
  /// - Returns: the file's `meta` box; nil where it has none.
  /// - Throws: `CodecError` where they are not; the file knows what is missing.
  func requirePicture() throws(CodecError) -> Box? {
    guard let boxes = try require("meta") else { return nil }
    let brands = boxes.first { $0.type == "ftyp" }.map { bytes(of: $0, count: 256) } ?? []
    // Behind the data of a sequence there may be its tracks (ISO/IEC 23008-12, 10.3; AV1 Image File Format 1.1, 6.2).
    let isSequence = stride(from: 0, to: brands.count - 3, by: 4).contains { place in
      ["msf1", "hevc", "hevx", "avis"].contains(String(decoding: brands[place..<place + 4], as: UTF8.self))
    }
    if !isSequence { endBehindData(boxes) }
    return boxes.first { $0.type == "meta" }
  }

  /// Has all boxes of a type be there, and one at least.
  /// - Returns: the file's boxes as far as their headers are there; nil where the file is all there.
  private func require(_ type: String) throws(CodecError) -> [Box]? {
    guard file.isPartial else { return nil }
    let boxes = file.optional { topLevel }
    let found = boxes.filter { $0.type == type }
    for box in found where !file.requires(box.content.lowerBound, box.content.count) { throw .notThere }
    // Where the first one begins shows with the next header.
    if found.isEmpty, !file.requires(boxes.last?.content.upperBound ?? 0, 16) { throw .notThere }
    return boxes
  }

  /// Lets what stands behind the media data be: makers put trailers there, videos and thumbnails, none of which is a fact.
  private func endBehindData(_ boxes: [Box]) {
    if let last = boxes.last, last.type == "mdat" { file.optionalPlace = last.content.upperBound }
  }
}

extension CodecError {
  /// Of a file that knows what of it is missing.
  static let notThere = CodecError.unreadable("parts of the file are missing")
}
