import CAVFormat
import CCanvas
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// The frames of a video or of an AVIF or HEIC sequence, by libavcodec, from the first to the last.
final class MovieFrames: FrameSequence {
  let playCount: UInt32
  private let file: InputFile
  private let container: MovieContainer
  private let stream: UnsafeMutablePointer<AVStream>
  private let request: FramesRequest
  private let orientation: UInt8
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private let converter = FrameScaler()
  /// Whether the file has no packet any more.
  private var isDrained = false
  private var isAtEnd = false
  private var clock: FrameClock

  /// - Parameter loops: whether it is shown again and again: a picture that moves, not a film.
  init(
    _ file: InputFile, demuxer: String, loops: Bool, _ request: FramesRequest
  ) throws(CodecError) {
    self.file = file
    self.request = request
    playCount = loops ? 0 : 1
    file.budget = Limits.search
    container = try MovieContainer(file, demuxer: demuxer)
    if container.isVague { container.probe() }
    guard let stream = container.first(AVMEDIA_TYPE_VIDEO) else { throw .unreadable("no video in it") }
    self.stream = stream
    let (base, rate) = (stream.pointee.time_base, stream.pointee.avg_frame_rate)
    clock = FrameClock(base: (base.num, base.den), rate: (rate.num, rate.den))
    orientation = UInt8(clamping: tpick_av_orientation(stream))
    guard let decoder = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
      throw .unreadable("a codec that is not installed")
    }
    codec = avcodec_alloc_context3(decoder)
    packet = av_packet_alloc()
    frame = av_frame_alloc()
    guard let codec, packet != nil, frame != nil else { throw .unreadable("out of memory") }
    guard avcodec_parameters_to_context(codec, stream.pointee.codecpar) >= 0 else {
      throw .unreadable("a damaged video")
    }
    codec.pointee.max_pixels = Int64(request.maxPixels)
    codec.pointee.thread_count = 2
    guard avcodec_open2(codec, decoder, nil) >= 0 else { throw .unreadable("a damaged video") }
    for other in container.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
  }

  deinit {
    av_frame_free(&frame)
    av_packet_free(&packet)
    avcodec_free_context(&codec)
  }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    var skipped: UInt32 = 0
    var last: (start: Int64, duration: Int64)?
    while !isAtEnd, let frame {
      guard try decode() else {
        isAtEnd = true
        break
      }
      let stamp = frame.pointee.best_effort_timestamp
      last = clock.next(
        stamp: stamp == tpick_av_no_time() ? nil : stamp, duration: tpick_av_duration(frame))
      guard clock.end <= skip.until, skipped < skip.most else { break }
      skipped += 1
    }
    guard let last, let frame, frame.pointee.width > 0 else { return nil }
    let picture = try converter.picture(of: frame, orientation, request)
    return CodedFrame(picture: picture, start: last.start, duration: last.duration)
  }

  /// Decodes the next frame; false where there is none any more, and `frame` stays as it was.
  private func decode() throws(CodecError) -> Bool {
    guard let codec, let packet, let frame else { return false }
    // A file of which so much has to be read for one frame ends there.
    file.budget = Limits.search
    var next = av_frame_alloc()
    defer { av_frame_free(&next) }
    for _ in 0..<Self.most {
      if avcodec_receive_frame(codec, next) >= 0 {
        av_frame_unref(frame)
        av_frame_move_ref(frame, next)
        return true
      }
      if isDrained { return false }
      if av_read_frame(container.context, packet) < 0 {
        isDrained = true
        _ = avcodec_send_packet(codec, nil)
        continue
      }
      defer { av_packet_unref(packet) }
      // A damaged packet is passed over; the pictures after it come as well as they can.
      if packet.pointee.stream_index == stream.pointee.index { _ = avcodec_send_packet(codec, packet) }
    }
    return false
  }

  /// Packets that are read in the search for one frame.
  private static let most = 20_000
}
