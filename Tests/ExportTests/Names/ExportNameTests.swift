import Testing

@testable import Export

/// The names of copies.
@Suite struct ExportNameTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: [
    ("a.JPG", "a", ".JPG"), ("a.b.jpg", "a.b", ".jpg"), (".jpg", ".jpg", ""), ("a", "a", ""),
    ("a.", "a", "."),
  ])
  func `A name has a stem and an extension`(name: String, stem: String, suffix: String) {
    let parts = ExportName(Array(name.utf8))
    #expect(text(parts.stem) == stem && text(parts.suffix) == suffix)
    #expect(parts.bytes() == Array(name.utf8))
  }

  @Test(arguments: [
    ("2024_a", "2024_a.JPG"), ("2024_a.JPG", "2024_a.JPG"), ("2024_a.jpg", "2024_a.JPG"),
    ("a.png", "a.png.JPG"),
    ("", "IMG_1.JPG"), (".", "IMG_1.JPG"), ("..", "IMG_1.JPG"), (".JPG", ".JPG.JPG"),
  ])
  func `A text becomes a name with the extension of the file`(words: String, name: String) {
    let own = ExportName(Array("IMG_1.JPG".utf8))
    #expect(text(ExportName(Array(words.utf8), of: own).bytes()) == name)
  }

  @Test func `A taken name gets a number before the extension`() {
    let name = ExportName(Array("IMG_1.JPG".utf8))
    #expect(
      text(name.bytes(number: 2)) == "IMG_1 (2).JPG" && text(name.bytes(number: 13)) == "IMG_1 (13).JPG")
  }

  @Test(arguments: [1, 2, 1000])
  func `No name exceeds the file system's limit, and no character is split`(number: Int) {
    let name = ExportName(stem: Array(String(repeating: "é", count: 300).utf8), suffix: Array(".jpeg".utf8))
    let bytes = name.bytes(number: number)
    #expect(bytes.count <= 255 && bytes.count > 240)
    #expect(String(validating: bytes, as: UTF8.self) != nil)
    #expect(bytes.suffix(5) == Array(".jpeg".utf8)[...])
  }

  @Test func `An overlong extension does not count as one`() {
    let name = ExportName(Array(("a." + String(repeating: "z", count: 253)).utf8))
    #expect(name.suffix.isEmpty && name.bytes(number: 2).count == 255)
    #expect(text(name.bytes(number: 2)).hasSuffix("z (2)"))
  }

  @Test(arguments: [(30, true), (31, true), (32, false), (40, false)])
  func `With its dot an extension has up to 32 bytes`(count: Int, isExtension: Bool) {
    let name = ExportName(Array(("a." + String(repeating: "z", count: count)).utf8))
    #expect(name.suffix.count == (isExtension ? count + 1 : 0))
  }

  @Test(arguments: [1, 9, 9999])
  func `The part that distinguishes the files of an asset is not cut off`(number: Int) {
    let name = ExportName(stem: Array(String(repeating: "y", count: 300).utf8), suffix: Array(".JPG".utf8))
    let other = name.appending("_photo")
    #expect(name.bytes(number: number) != other.bytes(number: number))
    #expect(other.bytes(number: number).count <= 255)
    #expect(text(other.bytes()).hasSuffix("_photo.JPG"))
  }

  @Test func `Bytes that are no text are kept`() {
    #expect(
      ExportName([0xFF, 0xFE, 0x2E, 0x6A]).bytes(number: 2) == [
        0xFF, 0xFE, 0x20, 0x28, 0x32, 0x29, 0x2E, 0x6A,
      ])
  }
}
