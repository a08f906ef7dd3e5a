import AssetLibrary
import Fixtures
import Pixels
import Rendering
import Testing

@testable import Decoding

/// Every form of length, count, nesting and overlap, through the decoders of stills and animations.
@Suite(.timeLimit(.minutes(120))) struct HostilePictureTests {
  private static let files = HostileFiles.all.filter {
    ["jpg", "png", "gif", "webp", "bmp"].contains($0.suffix)
  }

  @Test(arguments: files)
  func `A picture is rejected or shown`(file: SeedFile) throws {
    for side in [1, 64] {
      do {
        let picture = try #require(
          try decode(file.bytes, needed: { $0.scaled(toward: .square(side), .aspectFit) }))
        #expect((1...picture.pixels.height).contains(picture.visibleRows))
      } catch let error as AssetError {
        #expect(!error.reason.isEmpty)
      }
    }
  }

  @Test(arguments: files.filter { ["png", "gif", "webp"].contains($0.suffix) })
  func `An animation ends, or continues frame by frame`(file: SeedFile) throws {
    let reader = try? AnimationReader(
      MemoryReader(file.bytes), name: "a", orientation: .topLeft, target: .square(16), colors: ColorManager(),
      cancellation: Cancellation())
    guard let reader else { return }
    for _ in 0..<3 {
      guard let frame = try? reader.next(FrameSkip(until: .milliseconds(100), most: 1)) else { break }
      #expect(frame.pixels.width <= 16 && frame.pixels.height <= 16)
    }
  }
}
