import CodecProtocol
import Fixtures
import Testing

/// Pictures that are made of pictures, decoded by the real helper.
@Suite struct HEIFReferenceTests {
  @Test(arguments: [
    "a grid of itself", "two grids of each other", "a picture laid over itself", "a picture that is itself",
  ])
  func `A picture that is made of itself is refused, and takes nothing down`(name: String) throws {
    let file = try #require(HostileFiles.all.first { $0.name == name && $0.suffix == "heic" })
    #expect(Decoding.error(file.bytes) == .unreadable("a picture that is made of itself"))
  }
}
