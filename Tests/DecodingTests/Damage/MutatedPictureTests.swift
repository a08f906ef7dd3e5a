import AssetLibrary
import Fixtures
import Imaging
@testable import Decoding
import Pixels
import Testing

/// A short round of what Tests/Fuzzing does at length: the same files in every run.
@Suite(.timeLimit(.minutes(120))) struct MutatedPictureTests {
  private static let words = [
    "IHDR", "PLTE", "tRNS", "iCCP", "IDAT", "ICC_PROFILE\0", "Adobe", "VP8X", "ALPH", "ANMF", "GIF89a", "BM",
  ].map { Array($0.utf8) }

  @Test(arguments: SmallPictures.kinds)
  func `Any mutated picture is rejected or shown`(kind: String) throws {
    let good = try SmallPictures.bytes(kind)
    let other = try SmallPictures.bytes(SmallPictures.kinds[good.count % SmallPictures.kinds.count])
    for seed in 1...80 as ClosedRange<UInt64> {
      var mutator = ByteMutator(seed: seed, words: Self.words)
      let bytes = mutator.damage(good, other: other)
      let needed = PixelSize.square(Int(seed % 4) * 20 + 1)
      do {
        let picture = try #require(
          try decode(bytes, needed: { $0.scaled(toward: needed, .aspectFit) }, budget: .small))
        #expect((1...picture.pixels.height).contains(picture.visibleRows), "seed \(seed)")
        _ = ColorManager().sRGB(picture.pixels, from: picture.colors)
      } catch let error as AssetError {
        #expect(!error.reason.isEmpty, "seed \(seed)")
      }
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `Any mutated thumbnail is a picture or rejected`(seed: UInt64) throws {
    let texts = [("Thumb::URI", "file:///a.jpg"), ("Thumb::MTime", "1700000000"), ("Thumb::Size", "12")]
    let size = PixelSize(width: 32, height: 24)
    let encoded = PNGEncoder.encode(
      TestScene.make(size, hasAlpha: true), effort: .quick,
      texts: texts.map { PNGEncoder.Text($0.0, Array($0.1.utf8)) })
    var mutator = ByteMutator(
      seed: seed, words: ["tEXt", "zTXt", "iTXt", "Thumb::URI\0"].map { Array($0.utf8) })
    let bytes = PNGChecksums.mended(mutator.damage(try #require(encoded)))
    bytes.withUnsafeBytes { bytes in
      guard var reader = ThumbnailReader(bytes, longestSide: 256) else { return }
      if let picture = reader.picture() { #expect(max(picture.width, picture.height) <= 256) }
    }
  }

  @Test func `The checksums of an undamaged PNG are already right`() throws {
    let bytes = try SmallPictures.bytes("PNG24:a.png")
    #expect(PNGChecksums.mended(bytes) == bytes)
  }
}
