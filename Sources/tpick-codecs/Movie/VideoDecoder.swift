import CAVFormat
import CodecProtocol

/// Decodes the video of a file frame by frame.
///
/// Used by one thread. In the search for a picture it reads at most `Limits.search` bytes and 20,000 packets;
/// beyond that, the video counts as ended.
final class VideoDecoder {
  /// Which frames to return.
  enum Frames {
    /// All frames, in presentation order.
    case all
    /// Key frames, each decoded separately; the limit is for all of them together.
    case keys
  }

  /// Upper bound of the packets read in the search for one frame.
  private static let most = 20_000

  let video: MovieContainer.Video
  private let file: InputFile
  private let container: MovieContainer
  private let frames: Frames
  private let codec: VideoCodec
  private let packet: VideoPacket
  private var frame: VideoFrame
  /// Receives the next frame, so that the last one stays valid if there is none.
  private var next: VideoFrame
  /// Whether the file has no more packets.
  private var isDrained = false

  /// - Parameter maxPixels: larger frames are refused.
  init(_ file: InputFile, demuxer: String, maxPixels: Int, _ frames: Frames) throws(CodecError) {
    self.file = file
    self.frames = frames
    file.budget = Limits.search
    container = try MovieContainer(file, demuxer: demuxer)
    if container.needsProbing { container.probe() }
    guard let video = container.video else { throw .unreadable("it contains no video") }
    self.video = video
    codec = try container.makeCodec(for: video, maxPixels: maxPixels, isKeysOnly: frames == .keys)
    packet = try VideoPacket()
    frame = try VideoFrame()
    next = try VideoFrame()
    container.discardAll(but: video)
  }

  /// The most recently returned frame; nil before the first one.
  var lastFrame: VideoFrame? { frame.isEmpty ? nil : frame }

  /// Decodes the next frame; nil after the last one.
  ///
  /// The frame stays valid until the next one is returned.
  /// - Parameter lateStamp: a time in the video's units. Frames that end by then may be left out: those that no other
  ///   frame is predicted from are not decoded, which takes less than half of the time.
  func nextFrame(leavingOutUntil lateStamp: Int64? = nil) -> VideoFrame? {
    if frames == .all { file.budget = Limits.search }
    for _ in 0..<Self.most {
      if frames == .all, receive() { return frame }
      if isDrained { return nil }
      guard container.read(packet) else {
        if frames == .keys { return nil }
        isDrained = true
        codec.sendEnd()
        continue
      }
      defer { packet.clear() }
      guard packet.streamIndex == video.index else { continue }
      switch frames {
      // Skips a damaged packet; later pictures are decoded as well as possible.
      case .all:
        codec.skipsUnreferencedFrames = lateStamp.map { packet.ends(by: $0) } ?? false
        codec.send(packet)
      case .keys: if packet.isKey, decodeAlone() { return frame }
      }
    }
    return nil
  }

  /// Decodes the picture that is attached to the file, such as the cover of an album; nil if there is none, or if it
  /// can't be decoded.
  func cover(maxPixels: Int) -> (MovieContainer.Video, VideoFrame)? {
    guard let (cover, codec) = container.makeCoverCodec(maxPixels: maxPixels), let frame = try? VideoFrame(),
      container.withCoverPacket(of: cover, { codec.send($0) })
    else { return nil }
    codec.sendEnd()
    return codec.receive(into: frame) ? (cover, frame) : nil
  }

  private func decodeAlone() -> Bool {
    guard codec.send(packet) else { return false }
    defer { codec.flush() }
    // Signals the end, so that a frame that waits for others is output.
    codec.sendEnd()
    return receive()
  }

  private func receive() -> Bool {
    guard codec.receive(into: next) else { return false }
    swap(&frame, &next)
    next.clear()
    return true
  }

  /// Leaves out deblocking that is invisible in frames that are shown smaller.
  ///
  /// At half of their width or less it is left out in frames that no other frame is predicted from (PSNR of the shown
  /// frame 62 dB and more); at a third or less, and in motion, in all of them, although the error then grows up to the
  /// next key frame (43 dB and more in eight seconds of H.264 without one; the colors of a sixel cost more).
  /// - Parameters:
  ///   - width: the longer side of the shown frames.
  ///   - isInMotion: whether they are shown one after the other, in time.
  func adapt(toWidth width: Int, isInMotion: Bool) {
    codec.deblocked =
      codec.width < width * 2 ? .all : isInMotion && codec.width >= width * 3 ? .none : .referenced
  }

  /// Seeks to the first key frame at or after a tenth of the duration, otherwise to the last one before it.
  ///
  /// In a file that is being fetched and that can only be searched, seeks to the first key frame instead.
  func seekToTenth() {
    if file.isPartial && container.seeksBySearching {
      seekToStart()
    } else {
      container.seekToTenth(of: video)
    }
  }

  /// Seeks to the last key frame at or before a time.
  /// - Parameter time: from the first frame, in the video's units.
  /// - Returns: the time stamp of the first frame; nil if it is unknown: then the next frame is the first one.
  func seek(to time: Int64) -> Int64? { container.seek(to: time, of: video) }

  /// Microseconds; 0 if the header has no duration.
  var length: Int64 { container.length }

  /// Seeks to the first key frame.
  func seekToStart() { container.seekToStart(of: video) }
}

/// Decodes the packets of one video with libavcodec; owns its context.
///
/// Used by one thread.
final class VideoCodec {
  private let context: UnsafeMutablePointer<AVCodecContext>

  /// - Parameters:
  ///   - parameters: the container's, which are copied.
  ///   - maxPixels: larger frames are refused.
  ///   - isKeysOnly: whether every packet is decoded by itself.
  init(
    _ parameters: UnsafePointer<AVCodecParameters>, maxPixels: Int, isKeysOnly: Bool
  ) throws(CodecError) {
    guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw .unreadable("a codec that the installed FFmpeg does not support")
    }
    guard let context = avcodec_alloc_context3(decoder) else { throw .noMemory }
    self.context = context
    guard avcodec_parameters_to_context(context, parameters) >= 0 else {
      throw .unreadable("a damaged video")
    }
    context.pointee.max_pixels = Int64(maxPixels)
    context.pointee.thread_count = 2
    if isKeysOnly {
      // Frame threading would delay the single frame that is wanted.
      context.pointee.thread_type = FF_THREAD_SLICE
      context.pointee.skip_frame = AVDISCARD_NONKEY
    }
    guard avcodec_open2(context, decoder, nil) >= 0 else { throw .unreadable("a damaged video") }
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&freeing)
  }

  /// The width of a stored frame in pixels, as the container states it.
  var width: Int { Int(context.pointee.width) }

  /// Whether packets of frames that no other frame is predicted from are ignored from now on.
  var skipsUnreferencedFrames: Bool {
    get { context.pointee.skip_frame == AVDISCARD_NONREF }
    set { context.pointee.skip_frame = newValue ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
  }

  /// Which frames are deblocked.
  enum Deblocked {
    /// `referenced`: those that other frames are predicted from.
    case all, referenced, none
  }

  /// Which of the frames whose packets are sent from now on are deblocked.
  var deblocked: Deblocked = .all {
    didSet {
      context.pointee.skip_loop_filter =
        switch deblocked {
        case .all: AVDISCARD_DEFAULT
        case .referenced: AVDISCARD_NONREF
        case .none: AVDISCARD_ALL
        }
    }
  }

  /// Sends a packet to the decoder.
  /// - Returns: false if it is damaged, or cannot be used now.
  @discardableResult
  func send(_ packet: VideoPacket) -> Bool {
    packet.withUnsafePacket { avcodec_send_packet(context, $0) >= 0 }
  }

  /// Sends a packet that libavformat owns.
  /// - Returns: false if it is damaged, or cannot be used now.
  func send(_ packet: UnsafePointer<AVPacket>) -> Bool { avcodec_send_packet(context, packet) >= 0 }

  /// Signals the end of the packets, so that delayed frames are output.
  func sendEnd() { _ = avcodec_send_packet(context, nil) }

  /// Discards everything that was sent.
  func flush() { avcodec_flush_buffers(context) }

  /// Receives the next decoded frame.
  /// - Parameter frame: its previous content is released.
  /// - Returns: false if no frame is ready.
  func receive(into frame: VideoFrame) -> Bool {
    guard frame.withUnsafeFrame({ avcodec_receive_frame(context, $0) >= 0 }) else { return false }
    if frame.isEmpty {
      frame.clear()
      return false
    }
    return true
  }
}

/// An encoded packet of a stream; owns libavcodec's memory for it.
///
/// Used by one thread, and reused for the next packet.
final class VideoPacket {
  private let packet: UnsafeMutablePointer<AVPacket>

  /// Creates an empty packet.
  init() throws(CodecError) {
    guard let packet = av_packet_alloc() else { throw .noMemory }
    self.packet = packet
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&freeing)
  }

  var streamIndex: Int { Int(packet.pointee.stream_index) }

  /// Whether it can be decoded without other packets.
  var isKey: Bool { packet.pointee.flags & AV_PKT_FLAG_KEY != 0 }

  /// Whether its frame is known to end at or before a time in its stream's units.
  func ends(by stamp: Int64) -> Bool {
    let (begin, length) = (packet.pointee.pts, packet.pointee.duration)
    guard begin != tpick_av_no_time(), length > 0 else { return false }
    let (end, overflow) = begin.addingReportingOverflow(length)
    return !overflow && end <= stamp
  }

  /// Releases its bytes.
  func clear() { av_packet_unref(packet) }

  /// Calls `body` with the libavcodec packet.
  func withUnsafePacket<Result>(_ body: (UnsafeMutablePointer<AVPacket>) -> Result) -> Result {
    withExtendedLifetime(self) { body(packet) }
  }
}
