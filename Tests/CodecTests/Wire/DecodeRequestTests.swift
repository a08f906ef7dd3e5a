import CodecProtocol
import Testing

@Suite struct DecodeRequestTests {
  @Test(
    arguments: [
      // Native size: unchanged.
      (0, 0, false, 4000, 3000, 1), (0, 0, true, 4000, 3000, 1),
      // Covering: the tighter side decides; fitting: the other one.
      (900, 600, true, 4000, 3000, 4), (900, 600, false, 4000, 3000, 5),
      (100, 3000, true, 4000, 3000, 1), (100, 3000, false, 4000, 3000, 40),
      // One side left open.
      (500, 0, true, 4000, 3000, 8), (0, 500, false, 4000, 3000, 6),
      // Exactly as large, and too small.
      (4000, 3000, true, 4000, 3000, 1), (4001, 10, true, 4000, 3000, 0), (4001, 3001, false, 4000, 3000, 0),
    ] as [(Int, Int, Bool, Int, Int, Int)])
  func `A picture is reduced by whole numbers and stays at least as large as requested`(
    targetWidth: Int, targetHeight: Int, fills: Bool, width: Int, height: Int, reduction: Int
  ) {
    let request = DecodeRequest(targetWidth: targetWidth, targetHeight: targetHeight, fills: fills)
    #expect(request.reduction(ofWidth: width, height: height) == reduction)
  }
}
