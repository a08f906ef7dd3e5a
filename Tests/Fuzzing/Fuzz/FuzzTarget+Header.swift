@testable import Decoding
import Fixtures
import MediaFormats
import Metadata
import Pixels

/// Our header readers compared with the libraries' own: if both open a file they agree on its size.
extension FuzzTarget {
  static let header = FuzzTarget(
    name: "header",
    words: ["IHDR", "VP8X", "VP8 ", "VP8L", "ANMF", "jxlc", "jxlp", "II*\0", "MM\0*", "BM", ","],
    memory: { _ in 128 << 20 },
    seeds: {
      let encoded = try [
        EncodedFiles.jpeg(), EncodedFiles.png(), EncodedFiles.gif(), EncodedFiles.webp(), EncodedFiles.bmp(),
        EncodedFiles.tiff(), EncodedFiles.jpegXL(), EncodedFiles.animations(),
      ].joined()
      return encoded.map(\.bytes) + HostileFiles.all("jpg", "png", "gif", "webp", "bmp", "tif", "jxl")
    },
    // Our reader ignores a header's checksum, the library checks it first.
    mend: { $0.first == 0x89 ? PNGChecksums.mended($0) : $0 }
  ) { bytes in
    let reading = MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
    guard case .media(let format, let facts?) = reading else { return false }
    if format == .bmp {
      // Two of our readers: one for the scan, one for the decoder.
      if let header = try? BMPHeader(Array(bytes.prefix(BMPHeader.mostBytes))) {
        expect(facts.storedSize, header.size, format)
      }
      return true
    }
    guard let header = LibraryHeader(bytes, format: format) else { return true }
    let size = header.isUpright ? facts.orientation.upright(facts.storedSize) : facts.storedSize
    expect(size, header.size, format)
    if header.isAnimated == true, !facts.hints.contains(.animated) {
      fatalError("\(format): it moves, to its library, and not to us")
    }
    if header.isAnimated == false, facts.hints.contains(.animated) {
      fatalError("\(format): it moves, to us, and not to its library")
    }
    return true
  }

  private static func expect(_ ours: PixelSize, _ other: PixelSize, _ format: FileFormat) {
    // Empty sizes are rejected later.
    if other.isEmpty || ours == other { return }
    fatalError("\(format): \(ours.width)x\(ours.height) to us, \(other.width)x\(other.height) to its library")
  }
}
