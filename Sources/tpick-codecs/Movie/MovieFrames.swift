import CAVFormat
import CodecProtocol

/// The frames of a video or of an AVIF or HEIC sequence, from the first to the last.
final class MovieFrames: FrameSequence {
  let playCount: UInt32
  private let video: VideoDecoder
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
    video = try VideoDecoder(file, demuxer: demuxer, maxPixels: request.maxPixels, .all)
    let (base, rate) = (video.stream.pointee.time_base, video.stream.pointee.avg_frame_rate)
    clock = FrameClock(base: (base.num, base.den), rate: (rate.num, rate.den))
  }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    var skipped: UInt32 = 0
    var last: (start: Int64, duration: Int64)?
    while !isAtEnd {
      guard let frame = video.nextFrame() else {
        isAtEnd = true
        break
      }
      let stamp = frame.pointee.best_effort_timestamp
      last = clock.next(
        stamp: stamp == tpick_av_no_time() ? nil : stamp, duration: tpick_av_duration(frame))
      guard clock.end <= skip.until, skipped < skip.most else { break }
      skipped += 1
    }
    guard let last, let frame = video.lastFrame else { return nil }
    let picture = try scaler.picture(
      of: frame, orientation: video.orientation, size: size(of: frame),
      for: DecodeRequest(maxPixels: request.maxPixels))
    return CodedFrame(picture: picture, start: last.start, duration: last.duration)
  }

  /// The size that fits in the box of the request, as the frame is stored.
  private func size(of frame: UnsafeMutablePointer<AVFrame>) -> (width: Int, height: Int) {
    let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
    let isTurned = video.orientation >= 5
    let target =
      isTurned ? (request.targetHeight, request.targetWidth) : (request.targetWidth, request.targetHeight)
    let scale = min(1, Double(target.0) / Double(width), Double(target.1) / Double(height))
    let side = { (length: Int) in max(1, Int((Double(length) * scale).rounded())) }
    return (side(width), side(height))
  }
}
