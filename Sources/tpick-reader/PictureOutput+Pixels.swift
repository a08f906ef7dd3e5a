import CodecProtocol
import Pixels
import Rendering

extension PictureOutput {
  /// Writes a picture, and the thumbnail that was made with it.
  /// - Throws: `CodecError.tooLarge` where tpick left no room for them.
  func put(_ rendering: Rendering) throws(CodecError) -> RenderingFacts {
    var facts = RenderingFacts(
      picture: PictureFacts(rendering.pixels), thumbnail: rendering.thumbnail.map(PictureFacts.init),
      decodedPixels: rendering.decodedPixels)
    facts.picture.note = rendering.note
    try put([rendering.pixels] + (rendering.thumbnail.map { [$0] } ?? []), at: facts.offsets)
    return facts
  }

  /// Writes a picture.
  func put(_ picture: PixelBuffer) throws(CodecError) -> PictureFacts {
    try put([picture], at: [0])
    return PictureFacts(picture)
  }

  private func put(_ pictures: [PixelBuffer], at offsets: [Int]) throws(CodecError) {
    let end = zip(pictures, offsets).map { $1 + $0.cost }.max() ?? 0
    guard end <= byteCount else { throw .tooLarge(width: pictures[0].width, height: pictures[0].height) }
    guard let base = try map(end) else { throw .noMemory }
    defer { unmap(base, end) }
    for (picture, offset) in zip(pictures, offsets) {
      picture.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(start: base + offset, count: bytes.count).copyMemory(from: bytes)
      }
    }
  }
}

extension PictureFacts {
  /// Of a picture in its own size.
  init(_ picture: PixelBuffer) {
    self.init(width: picture.width, height: picture.height)
    isOpaque = picture.isOpaque
  }
}
