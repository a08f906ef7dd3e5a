import AssetLibrary
@testable import Decoding
import Fixtures
import Pixels
import Rendering

/// The animation readers, with the files that tests play.
extension FuzzTarget {
  static let animation = FuzzTarget(
    name: "animation",
    words: [
      "acTL", "fcTL", "fdAT", "IDAT", "PLTE", "iCCP", "NETSCAPE2.0", "!\u{F9}\u{4}", ",", "ANIM", "ANMF",
    ],
    memory: { _ in 384 << 20 },
    seeds: {
      let size = PixelSize(width: 8, height: 6)
      let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 0]]
      let pieces = colors.enumerated().map { index, color in
        HandmadeAnimation.Piece(
          color, left: index, size: PixelSize(width: 5, height: 6), disposal: index, blending: index & 1)
      }
      let animation = HandmadeAnimation(size: size, pieces)
      return [animation.gif, animation.png(), animation.png(hasOwnStill: true)]
        + (try EncodedFiles.animations().map(\.bytes)) + HostileFiles.all("gif", "png", "webp")
    }
  ) { bytes in
    let reader = try? AnimationReader(
      MemoryReader(bytes), name: "a", orientation: .rightTop, target: PixelSize(width: 20, height: 20),
      colors: ColorManager(), cancellation: Cancellation())
    guard let reader, reader.canvasSize.area < 1 << 22 else { return false }
    for count in [6, 2] {
      for _ in 0..<count {
        guard let frame = try? reader.next(FrameSkip(until: .milliseconds(100), most: 1)) else { break }
        precondition(frame.pixels.width <= 20 && frame.pixels.height <= 20)
      }
      _ = reader.playCount
      guard (try? reader.rewind()) != nil else { break }
    }
    return true
  }
}
