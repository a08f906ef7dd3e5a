import CAVFormat
import CodecProtocol

/// Decodes a video's key frames, each by itself, by libavcodec.
final class StillReader {
  /// Packets that are read in the search for one key frame.
  private static let most = 20_000

  private let container: MovieContainer
  private let stream: UnsafeMutablePointer<AVStream>
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var frame: UnsafeMutablePointer<AVFrame>?

  /// Opens the video stream's decoder and turns to a tenth of the time.
  init(_ container: MovieContainer, maxPixels: Int) throws(CodecError) {
    guard let stream = container.first(AVMEDIA_TYPE_VIDEO) else { throw .unreadable("no video in it") }
    self.container = container
    self.stream = stream
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
    codec.pointee.max_pixels = Int64(maxPixels)
    codec.pointee.thread_count = 2
    // Frames in threads would only come later.
    codec.pointee.thread_type = FF_THREAD_SLICE
    codec.pointee.skip_frame = AVDISCARD_NONKEY
    guard avcodec_open2(codec, decoder, nil) >= 0 else { throw .unreadable("a damaged video") }
    for other in container.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
    turnToStart()
  }

  deinit {
    av_frame_free(&frame)
    av_packet_free(&packet)
    avcodec_free_context(&codec)
  }

  /// How the frames are turned: EXIF's 1 to 8.
  var orientation: UInt8 { UInt8(clamping: tpick_av_orientation(stream)) }

  /// Turns to the first key frame at or behind a tenth of the time, else to the last one before it.
  private func turnToStart() {
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

  /// The next key frame that can be decoded; the reader's, until it is asked for another one.
  func next() -> UnsafeMutablePointer<AVFrame>? {
    guard let codec, let packet, let frame else { return nil }
    for _ in 0..<Self.most {
      guard av_read_frame(container.context, packet) >= 0 else { return nil }
      defer { av_packet_unref(packet) }
      guard packet.pointee.stream_index == stream.pointee.index,
        packet.pointee.flags & AV_PKT_FLAG_KEY != 0
      else { continue }
      // A frame that may wait for others comes out when nothing follows it.
      guard avcodec_send_packet(codec, packet) >= 0 else { continue }
      _ = avcodec_send_packet(codec, nil)
      let status = avcodec_receive_frame(codec, frame)
      avcodec_flush_buffers(codec)
      if status >= 0, frame.pointee.width > 0, frame.pointee.height > 0 { return frame }
    }
    return nil
  }
}
