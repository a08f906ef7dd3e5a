import AssetLibrary
import Metadata
import Pixels

/// Copies a JPEG without most of its metadata; its pixels stay bit by bit.
///
/// What is kept is what is known to be harmless: tables, frames and scans of the picture, its color profile, Adobe's
/// marker, and the blocks that were filtered. Comments, previews and everything behind the picture (other pictures, a
/// video) go. Format: ITU-T T.81 Annex B.
struct StrippedJPEG {
  private var input: ByteStream
  private let output: OutputFile
  private let name: String

  static func write(
    _ input: ByteStream, _ metadata: MetadataOutput, into output: OutputFile, name: String
  ) throws(AssetError) {
    var copy = StrippedJPEG(input: input, output: output, name: name)
    try copy.write(metadata)
  }

  private mutating func write(_ metadata: MetadataOutput) throws(AssetError) {
    guard try input.next() == 0xFF, try input.next() == 0xD8 else { throw damaged }
    var head: [UInt8] = [0xFF, 0xD8]
    if metadata.exif.isEmpty {
      // A JFIF segment without a thumbnail, 72 dots an inch: it says how colors are coded.
      head += [0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 1, 0, 72, 0, 72, 0, 0]
    }
    try output.write(head + JPEGSegments.bytes(metadata))
    var hasScan = false
    while true {
      let marker = try nextMarker(hasScan: hasScan)
      if marker == 0xD9 {
        try output.write([0xFF, 0xD9])
        return
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      guard let high = try input.next(), let low = try input.next(), Int(high) << 8 | Int(low) >= 2 else {
        throw damaged
      }
      let length = Int(high) << 8 | Int(low)
      let payload = try input.bytes(length - 2)
      guard payload.count == length - 2 else { throw damaged }
      if let kept = Self.kept(marker, payload) {
        let length = kept.count + 2
        try output.write([0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + kept)
      }
      if marker == 0xDA {
        hasScan = true
        try copyScan()
      }
    }
  }

  private var damaged: AssetError { AssetError(name, "the file ends in the middle of the picture") }

  /// What goes along of a segment; nil where nothing does.
  private static func kept(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8]? {
    switch marker {
    // Frames and tables; what is reserved between them and the application segments has no place in a picture.
    case 0xC0...0xCF, 0xDA...0xDF: payload
    case 0xE2: payload.starts(with: "ICC_PROFILE\0".utf8) ? payload : nil
    // Adobe's marker ends with how colors are coded; what stands behind that nobody knows.
    case 0xEE: payload.starts(with: "Adobe".utf8) ? Array(payload.prefix(adobeLength)) : nil
    default: nil
    }
  }

  /// "Adobe", a version, two words of flags and the coding of colors (Adobe Technical Note 5116, 18).
  private static let adobeLength = 12

  /// The next marker; what stands before it is not copied.
  private mutating func nextMarker(hasScan: Bool) throws(AssetError) -> UInt8 {
    var last: UInt8 = 0
    while let byte = try input.next() {
      if last == 0xFF, byte != 0, byte != 0xFF { return byte }
      last = byte
    }
    // Programs show a picture that ends without its mark.
    if hasScan { return 0xD9 }
    throw damaged
  }

  /// Copies a scan's coded data up to the marker behind them, which is left to be read.
  private mutating func copyScan() throws(AssetError) {
    while true {
      let part = try input.part { rest in
        // Where a marker begins that ends the scan: not a stuffed byte, and not a restart.
        var at = rest.startIndex
        while at + 1 < rest.endIndex {
          if rest[at] == 0xFF, rest[at + 1] != 0, !(0xD0...0xD7).contains(rest[at + 1]), rest[at + 1] != 0xFF
          {
            return (at, isEnd: true)
          }
          at += 1
        }
        return (at, isEnd: false)
      }
      try output.write(part.bytes)
      if part.isEnd { return }
    }
  }
}
