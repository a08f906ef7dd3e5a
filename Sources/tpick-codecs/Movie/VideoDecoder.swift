import CAVFormat
import CodecProtocol

/// The video of a file and what decodes it, by libavformat and libavcodec.
///
/// Used by one thread. Reads no more of a file in the search for a picture than `Limits.search`, and no more than
/// 20,000 packets: where that does not do, the video ends.
final class VideoDecoder {
  /// Which frames are given.
  enum Frames {
    /// Each, in the order in which they are shown.
    case all
    /// Those that need no other, each decoded by itself; the limit is for all of them together.
    case keys
  }

  /// Packets that are read in the search for one frame.
  private static let most = 20_000

  let container: MovieContainer
  let stream: UnsafeMutablePointer<AVStream>
  private let file: InputFile
  private let frames: Frames
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  /// Where the next frame comes, so that the last one stays when there is none.
  private var next: UnsafeMutablePointer<AVFrame>?
  /// Whether the file has no packet any more.
  private var isDrained = false

  /// - Parameter maxPixels: frames of more are refused.
  init(_ file: InputFile, demuxer: String, maxPixels: Int, _ frames: Frames) throws(CodecError) {
    self.file = file
    self.frames = frames
    file.budget = Limits.search
    container = try MovieContainer(file, demuxer: demuxer)
    if container.isVague { container.probe() }
    guard let stream = container.first(AVMEDIA_TYPE_VIDEO) else { throw .unreadable("no video in it") }
    self.stream = stream
    guard let decoder = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
      throw .unreadable("a codec that is not installed")
    }
    codec = avcodec_alloc_context3(decoder)
    packet = av_packet_alloc()
    frame = av_frame_alloc()
    next = av_frame_alloc()
    guard let codec, packet != nil, frame != nil, next != nil else { throw .unreadable("out of memory") }
    guard avcodec_parameters_to_context(codec, stream.pointee.codecpar) >= 0 else {
      throw .unreadable("a damaged video")
    }
    codec.pointee.max_pixels = Int64(maxPixels)
    codec.pointee.thread_count = 2
    if frames == .keys {
      // Frames in threads would only come later.
      codec.pointee.thread_type = FF_THREAD_SLICE
      codec.pointee.skip_frame = AVDISCARD_NONKEY
    }
    guard avcodec_open2(codec, decoder, nil) >= 0 else { throw .unreadable("a damaged video") }
    for other in container.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
  }

  deinit {
    av_frame_free(&next)
    av_frame_free(&frame)
    av_packet_free(&packet)
    avcodec_free_context(&codec)
  }

  /// How the frames are turned: EXIF's 1 to 8.
  var orientation: UInt8 { UInt8(clamping: tpick_av_orientation(stream)) }

  /// The frame that was given last.
  var lastFrame: UnsafeMutablePointer<AVFrame>? { frame.flatMap { $0.pointee.width > 0 ? $0 : nil } }

  /// Decodes the next frame; nil where there is none any more.
  ///
  /// It is the decoder's, and stays as it is until there is another one.
  func nextFrame() -> UnsafeMutablePointer<AVFrame>? {
    guard let codec, let packet else { return nil }
    if frames == .all { file.budget = Limits.search }
    for _ in 0..<Self.most {
      if frames == .all, receive(from: codec) { return frame }
      if isDrained { return nil }
      guard av_read_frame(container.context, packet) >= 0 else {
        if frames == .keys { return nil }
        isDrained = true
        _ = avcodec_send_packet(codec, nil)
        continue
      }
      defer { av_packet_unref(packet) }
      guard packet.pointee.stream_index == stream.pointee.index else { continue }
      switch frames {
      // A damaged packet is passed over; the pictures after it come as well as they can.
      case .all: _ = avcodec_send_packet(codec, packet)
      case .keys: if packet.pointee.flags & AV_PKT_FLAG_KEY != 0, decodeAlone(packet, codec) { return frame }
      }
    }
    return nil
  }

  private func decodeAlone(
    _ packet: UnsafeMutablePointer<AVPacket>, _ codec: UnsafeMutablePointer<AVCodecContext>
  ) -> Bool {
    guard avcodec_send_packet(codec, packet) >= 0 else { return false }
    defer { avcodec_flush_buffers(codec) }
    // A frame that may wait for others comes out when nothing follows it.
    _ = avcodec_send_packet(codec, nil)
    return receive(from: codec)
  }

  private func receive(from codec: UnsafeMutablePointer<AVCodecContext>) -> Bool {
    guard let frame, let next, avcodec_receive_frame(codec, next) >= 0 else { return false }
    guard next.pointee.width > 0, next.pointee.height > 0 else {
      av_frame_unref(next)
      return false
    }
    av_frame_unref(frame)
    av_frame_move_ref(frame, next)
    return true
  }

  // MARK: Places

  /// Turns to the first key frame at or behind a tenth of the time, else to the last one before it.
  func seekToTenth() {
    let base = stream.pointee.time_base
    let tenth = container.duration / 10 * Double(base.den) / Double(max(1, base.num))
    guard tenth.isFinite, tenth >= 1, tenth < 1e15 else { return }
    let start = stream.pointee.start_time
    let (from, overflow) = (start == tpick_av_no_time() ? 0 : start).addingReportingOverflow(Int64(tenth))
    guard !overflow else { return }
    let index = stream.pointee.index
    if avformat_seek_file(container.context, index, from, from, .max, 0) < 0 {
      _ = av_seek_frame(container.context, index, from, AVSEEK_FLAG_BACKWARD)
    }
  }

  /// Turns back to the first key frame.
  func turnBack() {
    let start = stream.pointee.start_time
    let from = start == tpick_av_no_time() ? 0 : start
    // A stream that was broadcast has no index: its times lead to places behind the first key frame.
    if container.context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 {
      _ = av_seek_frame(container.context, -1, 0, AVSEEK_FLAG_BYTE)
    } else {
      _ = av_seek_frame(container.context, stream.pointee.index, from, AVSEEK_FLAG_BACKWARD)
    }
  }
}
