import CodecProtocol

/// The frames of a video or of an AVIF or HEIC sequence, from the first to the last.
final class MovieFrames: FrameSequence {
  let playCount: UInt32
  private let decoder: VideoDecoder
  private let request: FramesRequest
  private let scaler = FrameScaler()
  private var clock: FrameClock
  private var isAtEnd = false

  /// - Parameter loops: whether it is shown again and again: a picture that moves, not a film.
  init(
    _ file: InputFile, demuxer: String, loops: Bool, _ request: FramesRequest
  ) throws(CodecError) {
    self.request = request
    playCount = loops ? 0 : 1
    decoder = try VideoDecoder(file, demuxer: demuxer, maxPixels: request.maxPixels, .all)
    clock = decoder.video.clock
  }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    var skipped: UInt32 = 0
    var last: (start: Int64, duration: Int64)?
    while !isAtEnd {
      guard let frame = decoder.nextFrame() else {
        isAtEnd = true
        break
      }
      last = clock.next(stamp: frame.timestamp, duration: frame.duration)
      guard clock.end <= skip.until, skipped < skip.most else { break }
      skipped += 1
    }
    guard let last, let frame = decoder.lastFrame else { return nil }
    let picture = try scaler.picture(
      of: frame, decoder.video, size: size(of: frame),
      for: DecodeRequest(maxPixels: request.maxPixels))
    return CodedFrame(picture: picture, start: last.start, duration: last.duration)
  }

  /// The size that fits in the box of the request, before the frame is turned.
  private func size(of frame: VideoFrame) -> (width: Int, height: Int) {
    let (width, height) = frame.size(in: decoder.video.pixelShape)
    let isTurned = decoder.video.orientation >= 5
    let target =
      isTurned ? (request.targetHeight, request.targetWidth) : (request.targetWidth, request.targetHeight)
    let scale = min(1, Double(target.0) / Double(width), Double(target.1) / Double(height))
    let side = { (length: Int) in max(1, Int((Double(length) * scale).rounded())) }
    return (side(width), side(height))
  }
}
