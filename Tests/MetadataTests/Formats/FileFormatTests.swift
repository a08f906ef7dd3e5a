import Fixtures
import MediaFormats
import Metadata
import Testing

@Suite struct FileFormatTests {
  static let brands: [(String, [String], FileFormat?)] = [
    ("heic", [], .heic), ("heix", [], .heic), ("hevc", [], .heic), ("mif1", ["heic"], .heic),
    ("msf1", ["hevc"], .heic), ("mif1", ["miaf", "avif"], .avif), ("avif", ["mif1"], .avif),
    ("avis", [], .avif), ("msf1", ["avis"], .avif), ("mif1", [], .heic),
    ("crx ", [], .cr3), ("qt  ", [], .quickTime), ("M4V ", [], .m4v), ("3gp4", [], .threeGP),
    ("3g2a", [], .threeGP), ("isom", ["mp41"], .mp4), ("mp42", ["qt  "], .mp4), ("XXXX", ["3gp5"], .threeGP),
    ("XXXX", [], .mp4), ("M4A ", ["isom"], nil), ("jp2 ", [], nil),
  ]

  @Test(arguments: brands)
  func `ISO files are recognized by their brands`(major: String, compatible: [String], expected: FileFormat?)
  {
    #expect(FileFormat(head: MediaBytes.ftyp(major, compatible)) == expected)
  }

  private static func raw(_ make: String, _ change: (inout TIFFFile) -> Void) -> [UInt8] {
    var file = TIFFFile(width: 160, height: 120)
    file.text(0x010F, make)
    change(&file)
    return file.bytes()
  }

  static let tiffs: [([UInt8], FileFormat)] = [
    (raw("Canon") { _ in }, .tiff), (raw("NIKON CORPORATION") { _ in }, .tiff),
    (raw("NIKON CORPORATION") { $0.long(0x00FE, 1) }, .nef), (raw("SONY") { $0.long(0x00FE, 1) }, .arw),
    (raw("PENTAX") { $0.short(0x0103, 65535) }, .pef), (raw("SAMSUNG") { $0.short(0x0106, 32803) }, .srw),
    (raw("Canon") { $0.long(0x00FE, 1) }, .tiff),
    (raw("SONY") { $0.block(0xC612, [1, 4, 0, 0], type: 1) }, .dng),
    (TIFFFile().bytes(mark: [0x49, 0x49, 42, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0, 0, 0, 0, 0]), .cr2),
    (TIFFFile().bytes(mark: Array("IIRO".utf8) + [8, 0, 0, 0]), .orf),
    (TIFFFile().bytes(mark: Array("IIRS".utf8) + [8, 0, 0, 0]), .orf),
    (TIFFFile().bytes(mark: Array("MMOR".utf8) + [0, 0, 0, 8]), .orf),
    (TIFFFile().bytes(mark: [0x49, 0x49, 0x55, 0, 8, 0, 0, 0]), .rw2),
  ]

  @Test(arguments: tiffs)
  func `RAW files are distinguished from TIFF by their tags`(head: [UInt8], expected: FileFormat) {
    #expect(FileFormat(head: head) == expected)
  }

  private static func packets(_ stride: Int, from first: Int) -> [UInt8] {
    (0..<stride * 4).map { ($0 - first) % stride == 0 && $0 >= first ? 0x47 : 0 }
  }

  static let others: [([UInt8], FileFormat?)] = [
    ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0xFF, 0xD8, 1, 2, 3, 0xFF, 0xDB, 0, 0x43], .jpeg),
    ([0xFF, 0xD8, 1, 2, 3, 0xFF, 0x02, 0, 0x43], nil), ([0xFF, 0xD8, 0], nil),
    ([0x49, 0x49, 43, 0, 8, 0, 0, 0] + MediaBytes.little(16, 8) + MediaBytes.little(0, 8), .tiff),
    ([0x49, 0x49, 43, 0, 4, 0, 0, 0, 0, 0, 0, 0], nil), ([0xFF, 0x0A, 0, 0], .jpegXL),
    (PictureFiles.jpegXLContainer([]), .jpegXL),
    ([0xFF, 0x4F, 0xFF, 0x51, 0, 47], .jpeg2000), ([0xFF, 0x4F, 0xFF, 0x52, 0, 47], nil),
    ([0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A], .jpeg2000),
    ([0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0B], nil),
    (Array("P6\n4 3\n255\n".utf8), .netpbm), (Array("P1 # a comment\n4 3\n".utf8), .netpbm),
    (Array("P7\nWIDTH 4\n".utf8), .netpbm), (Array("P8\n4 3\n255\n".utf8), nil),
    (Array("P6 is a model of a car".utf8), nil), (Array("P61 43 255".utf8), nil),
    (Array("Photos of 2024".utf8), nil), (Array("qoif\0\0\0\u{1}".utf8), .qoi), (Array("qoid".utf8), nil),
    (PictureFiles.png(width: 1, height: 1), .png), (Array("GIF87a".utf8), .gif), (Array("GIF88a".utf8), nil),
    (PictureFiles.webp([]), .webp), (Array("RIFF\0\0\0\0AVI LIST".utf8), .avi),
    (Array("RIFF\0\0\0\0WAVEfmt ".utf8), nil), (PictureFiles.bmp(width: 1, height: 1), .bmp),
    (Array("BMW cars and other things, a text".utf8), nil), (Array("FUJIFILMCCD-RAW 0201".utf8), .raf),
    ([0x1A, 0x45, 0xDF, 0xA3, 0x8B, 0x42, 0x82, 0x88] + Array("matroska".utf8), .matroska),
    ([0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8), .webm),
    (MediaBytes.box("moov", [0, 0, 0, 0]), .quickTime), (MediaBytes.box("mdat", [0, 0, 0, 0]), .quickTime),
    // A length of 1 means a following 64-bit length, and 0 that the atom is the last.
    ([0, 0, 0, 0] + Array("mdat".utf8) + [1, 2, 3, 4], .quickTime),
    (MediaBytes.largeBox("mdat", [1, 2, 3, 4]), .quickTime),
    ([0, 0, 0, 7] + Array("mdat".utf8) + [1, 2, 3, 4], nil),
    (MediaBytes.box("wide", []) + MediaBytes.box("mdat", []), .quickTime),
    (MediaBytes.box("free", []) + MediaBytes.box("abcd", []), nil),
    (packets(188, from: 0), .mpegTransport), (packets(192, from: 4), .mpegTransport),
    (Array("Just some words in a file.".utf8), nil), ([], nil), ([0xFF], nil),
  ]

  @Test(arguments: others)
  func `The other formats are recognized by their signatures`(head: [UInt8], expected: FileFormat?) {
    #expect(FileFormat(head: head) == expected)
  }
}
