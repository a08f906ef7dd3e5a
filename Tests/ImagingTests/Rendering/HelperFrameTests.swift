import AssetLibrary
import CodecProtocol
import Fixtures
import Pixels
import Testing

@testable import Imaging

/// Playback by the helper from files that change.
@Suite struct HelperFrameTests {
  @Test func `Playback ends with an error when the file is truncated`() throws {
    let folder = try TemporaryFolder()
    try folder.run([
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "libaom-av1", "-cpu-used", "8",
      "a.avif",
    ])
    let file = try OpenFile(folder.path(of: "a.avif"))
    let reader = try HelperDecoder(CodecClient(program: Program.helper)).frames(
      of: file, range: 0..<file.count, name: "a", targetSize: PixelSize(width: 64, height: 48),
      cancellation: Cancellation())
    for _ in 0..<2 {
      var count = 0
      while try reader.next(.none) != nil { count += 1 }
      #expect(count == 5)
      try reader.rewind()
    }
    try folder.write([0], to: "a.avif")
    #expect(throws: AssetError.self) { try reader.next(.none) }
  }
}
