import Fixtures
import Testing

@testable import FolderLibrary

/// Which part of an asset a file name denotes.
extension FileNameTests {
  struct Name: Sendable {
    var name: String
    var stem: String
    var suffix: String
    var part = FileName.Part.plain
    var target: String?

    init(
      _ name: String, _ stem: String, _ suffix: String, _ part: FileName.Part = .plain, target: String? = nil
    ) {
      (self.name, self.stem, self.suffix, self.part, self.target) = (name, stem, suffix, part, target)
    }
  }

  static let parts = [
    Name("IMG_1234.JPG", "img_1234", "jpg"),
    Name("IMG_E1234.JPG", "img_1234", "jpg", .edited),
    Name("img_e1234.heic", "img_1234", "heic", .edited),
    Name("IMG_O1234.AAE", "img_1234", "aae", .cameraAdjustment),
    Name("IMG_1234.aae", "img_1234", "aae", .adjustment),
    Name("IMG_E1234.AAE", "img_1234", "aae", .adjustment),
    Name("IMG_O1234.JPG", "img_o1234", "jpg"),
    Name("IMG_E12a4.JPG", "img_e12a4", "jpg"),
    Name("IMG_E.JPG", "img_e", "jpg"),
    Name("IMG_1234_HEVC.MOV", "img_1234", "mov"),
    Name("_HEVC.MOV", "_hevc", "mov"),
    Name("a_edited.jpg", "a", "jpg", .edited),
    Name("a-EDITED.png", "a", "png", .edited),
    Name("_edited.jpg", "_edited", "jpg"),
    Name("aedited.jpg", "aedited", "jpg"),
    Name("PXL_2024.RAW-01.COVER.jpg", "pxl_2024", "jpg"),
    Name("PXL_2024.RAW-02.ORIGINAL.dng", "pxl_2024", "dng"),
    Name(".RAW-01.jpg", ".raw-01", "jpg"),
    Name("PXL_20240501_120000123.MP.jpg", "pxl_20240501_120000123", "jpg"),
    Name("PXL_20240501_120000123.dng", "pxl_20240501_120000123", "dng"),
    Name("PXL_20240501_120000123.RAW-01.MP.COVER.jpg", "pxl_20240501_120000123", "jpg"),
    Name("IMG_1.MP.jpg", "img_1.mp", "jpg"), Name("PXL_.MPG.jpg", "pxl_.mpg", "jpg"),
    Name("a.xmp", "a", "xmp", .sidecar),
    Name("a.JPG.xmp", "a", "xmp", .sidecar, target: "jpg"),
    Name("a.b.xmp", "a.b", "xmp", .sidecar),
    Name("IMG_E1234.xmp", "img_1234", "xmp", .sidecar),
    Name("no suffix", "no suffix", ""),
    Name(".jpg", ".jpg", ""),
    Name("two.dots.jpg", "two.dots", "jpg"),
    Name("", "", ""),
  ]

  @Test(arguments: parts)
  func `A name is split into stem, suffix and part`(name: Name) {
    let found = FileName(Array(name.name.utf8))
    #expect(String(decoding: found.stem, as: UTF8.self) == name.stem)
    #expect(String(decoding: found.suffix, as: UTF8.self) == name.suffix)
    #expect(found.part == name.part)
    #expect(found.target.map { String(decoding: $0, as: UTF8.self) } == name.target)
  }
}
