import CPlatform
import CodecProtocol
import Glibc

// Requests to the helper for display-ready pictures.
extension StandIn {
  /// A single-color picture in the requested size, every byte of which is the number of previous pictures.
  func rendering(
    of descriptor: Int32, _ request: RenderingRequest, into output: PictureOutput
  ) throws(CodecError) -> RenderingFacts {
    let words = wordsForDrawing(in: descriptor)
    try misbehave(words)
    var picture = PictureFacts(width: request.targetWidth, height: request.targetHeight)
    var thumbnail: PictureFacts?
    if request.keptSide > 0 { thumbnail = PictureFacts(width: request.keptSide, height: 1) }
    switch words {
    case "unknown": throw .unknownFormat
    case "late": waitForGrowth(of: descriptor, beyond: 4)
    case "cancelled":
      while !interruption.isCancelled { usleep(1000) }
      throw .cancelled
    case "no width": picture.width = 0
    case "one row more": picture.height += 1
    case "one column more": picture.width += 1
    case "a thumbnail that is too large": thumbnail = PictureFacts(width: 17, height: 1)
    case "a thumbnail instead":
      // A valid answer, to another request.
      let answer: [UInt8] = [10, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      _ = send(STDIN_FILENO, answer, answer.count, Int32(MSG_NOSIGNAL))
      while true { pause() }
    case "absurd width": (picture.width, picture.height) = (Int(UInt32.max), Int(UInt32.max))
    case "absurd thumbnail": thumbnail = PictureFacts(width: Int(UInt32.max), height: Int(UInt32.max))
    case "an unrequested thumbnail": thumbnail = PictureFacts(width: 4096, height: 4096)
    case "mapped still": _ = LentMemory.current.map(16)
    case "long words": picture.note = String(repeating: "x", count: 4 << 20)
    case "facts instead": _ = send(STDIN_FILENO, [UInt8]([4, 0, 0, 0, 1, 0, 0, 0]), 8, Int32(MSG_NOSIGNAL))
    default: break
    }
    try fill(output, request.targetWidth * request.targetHeight * 4)
    if picture.note == nil { picture.note = "\(getpid())" }
    return RenderingFacts(picture: picture, thumbnail: thumbnail, decodedPixels: 1)
  }

  /// A thumbnail of one pixel.
  func thumbnail(
    of descriptor: Int32, _ request: ThumbnailRequest, into output: PictureOutput
  ) throws(CodecError) -> ThumbnailFacts {
    let words = words(in: descriptor)
    try misbehave(words)
    var picture = PictureFacts(width: 1, height: 1)
    switch words {
    case "late": waitForGrowth(of: descriptor, beyond: 4)
    case "absurd width": (picture.width, picture.height) = (Int(UInt32.max), Int(UInt32.max))
    case "one row more": picture.height = request.longestSide * request.longestSide + 1
    case "mapped still": _ = LentMemory.current.map(4)
    case "facts instead": _ = send(STDIN_FILENO, [UInt8]([4, 0, 0, 0, 1, 0, 0, 0]), 8, Int32(MSG_NOSIGNAL))
    default: break
    }
    try fill(output, 4)
    return ThumbnailFacts(
      words: ["Comment": "\(getpid())"], picture: request.wantsPicture ? picture : nil)
  }

  /// The commands of a file, without the prefix that restricts them to drawing.
  private func wordsForDrawing(in descriptor: Int32) -> String {
    let words = words(in: descriptor)
    return words.hasPrefix("draw ") ? String(words.dropFirst(5)) : words
  }

  private func fill(_ output: PictureOutput, _ count: Int) throws(CodecError) {
    guard count <= output.byteCount else { throw .tooLarge("as told") }
    guard let base = try output.map(count) else { throw .noMemory }
    memset(base, Int32(answered & 0x7F), count)
    answered += 1
    output.unmap(base, count)
  }
}
