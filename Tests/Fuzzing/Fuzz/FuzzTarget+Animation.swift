import AssetLibrary
import Fixtures
@testable import Imaging
import Pixels

/// The readers of animations, with the files that tests play.
extension FuzzTarget {
  static let animation = FuzzTarget(
    name: "animation",
    words: [
      "acTL", "fcTL", "fdAT", "IDAT", "PLTE", "iCCP", "NETSCAPE2.0", "!\u{F9}\u{4}", ",", "ANIM", "ANMF",
    ],
    seeds: {
      let size = PixelSize(width: 8, height: 6)
      let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 0]]
      let pieces = colors.enumerated().map { index, color in
        HandmadeAnimation.Piece(
          color, left: index, size: PixelSize(width: 5, height: 6), disposal: index, blending: index & 1)
      }
      let animation = HandmadeAnimation(size: size, pieces)
      let folder = try TemporaryFolder()
      try folder.run([
        "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=16x12:r=5:d=1", "-lossless", "1", "-loop", "3", "a.webp",
      ])
      return [
        animation.gif, animation.png(), animation.png(hasOwnStill: true), try folder.bytes(of: "a.webp"),
      ]
    }
  ) { bytes in
    let reader = try? AnimationReader(
      BytesReader(bytes: bytes), name: "a", orientation: .rightTop, target: PixelSize(width: 20, height: 20),
      colors: ColorManager(), cancellation: Cancellation())
    guard let reader, reader.pixels < 1 << 22 else { return false }
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
