import CodecProtocol
import Fixtures
import Testing

/// Every form of length, count, nesting and cycle, through the real helper: each gets an answer, and none crashes it.
@Suite(.timeLimit(.minutes(120))) struct HostileContainerTests {
  private static let files = HostileFiles.all.filter {
    !["jpg", "png", "gif", "webp", "bmp", "xmp"].contains($0.suffix)
  }

  private static func error<Answer>(_ body: () throws(CodecError) -> Answer) -> CodecError? {
    do throws(CodecError) {
      _ = try body()
      return nil
    } catch { return error }
  }

  @Test(arguments: files)
  func `A file yields metadata and a picture, or an error`(file: SeedFile) {
    let stalls: [CodecError?] = [.died, .hung, .missing(.codecs)]
    #expect(
      !stalls.contains(Self.error { () throws(CodecError) in try Decoding.helper.facts(ofBytes: file.bytes) })
    )
    let request = DecodeRequest(targetWidth: 30, targetHeight: 20, maxPixels: 4_000_000)
    #expect(!stalls.contains(Decoding.error(file.bytes, request)))
  }
}
