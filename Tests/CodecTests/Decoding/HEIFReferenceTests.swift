import CodecProtocol
import Fixtures
import Testing

/// Pictures composed of other pictures, decoded by the real helper.
@Suite struct HEIFReferenceTests {
  @Test(arguments: [
    "a grid of itself", "two grids of each other", "a picture laid over itself", "a picture that is itself",
  ])
  func `A picture that contains itself is rejected without a crash`(name: String) throws {
    let file = try #require(HostileFiles.all.first { $0.name == name && $0.suffix == "heic" })
    #expect(Decoding.error(file.bytes) == .unreadable("a picture that contains itself"))
  }

  @Test(arguments: [0, 9, 15, 0x4_000E, 0xFFFF_FFFF])
  func `Boxes with wrong lengths hide nothing from us that libheif finds`(length: Int) throws {
    let file = try #require(
      HostileFiles.all.first { $0.name == "two grids of each other" && $0.suffix == "heic" })
    var bytes = file.bytes
    let name = Array("dimg".utf8)
    let places = bytes.indices.filter { bytes[$0...].starts(with: name) }
    #expect(places.count == 2)
    bytes.replaceSubrange(places[0] - 4..<places[0], with: MediaBytes.big(length, 4))
    #expect(Decoding.error(bytes) == .unreadable("a picture that contains itself"))
  }
}
