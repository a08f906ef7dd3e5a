import CAVFormat
import CodecProtocol

/// Decodes the video of a file frame by frame.
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

  let video: MovieContainer.Video
  private let file: InputFile
  private let container: MovieContainer
  private let frames: Frames
  private let codec: VideoCodec
  private let packet: VideoPacket
  private var frame: VideoFrame
  /// Where the next frame comes, so that the last one stays when there is none.
  private var next: VideoFrame
  /// Whether the file has no packet any more.
  private var isDrained = false

  /// - Parameter maxPixels: frames of more are refused.
  init(_ file: InputFile, demuxer: String, maxPixels: Int, _ frames: Frames) throws(CodecError) {
    self.file = file
    self.frames = frames
    file.budget = Limits.search
    container = try MovieContainer(file, demuxer: demuxer)
    if container.isVague { container.probe() }
    guard let video = container.video else { throw .unreadable("no video in it") }
    self.video = video
    codec = try container.makeCodec(for: video, maxPixels: maxPixels, isKeysOnly: frames == .keys)
    packet = try VideoPacket()
    frame = try VideoFrame()
    next = try VideoFrame()
    container.discardAll(but: video)
  }

  /// The frame that was given last; nil before the first one.
  var lastFrame: VideoFrame? { frame.isEmpty ? nil : frame }

  /// Decodes the next frame; nil where there is none any more.
  ///
  /// It stays as it is until there is another one.
  func nextFrame() -> VideoFrame? {
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
      // A damaged packet is passed over; the pictures after it come as well as they can.
      case .all: codec.send(packet)
      case .keys: if packet.isKey, decodeAlone() { return frame }
      }
    }
    return nil
  }

  private func decodeAlone() -> Bool {
    guard codec.send(packet) else { return false }
    defer { codec.flush() }
    // A frame that may wait for others comes out when nothing follows it.
    codec.sendEnd()
    return receive()
  }

  private func receive() -> Bool {
    guard codec.receive(into: next) else { return false }
    swap(&frame, &next)
    next.clear()
    return true
  }

  /// Goes to the first key frame at or behind a tenth of the time, else to the last one before it.
  ///
  /// Where it would have to be searched for in a file that is yet to be fetched, to the first of all.
  func seekToTenth() {
    if file.isPartial && container.seeksBySearching {
      seekToStart()
    } else {
      container.seekToTenth(of: video)
    }
  }

  /// Goes back to the first key frame.
  func seekToStart() { container.seekToStart(of: video) }
}

/// What decodes the packets of one video, by libavcodec, whose context it owns.
///
/// Used by one thread.
final class VideoCodec {
  private let context: UnsafeMutablePointer<AVCodecContext>

  /// - Parameters:
  ///   - parameters: the container's, which are copied.
  ///   - maxPixels: frames of more are refused.
  ///   - isKeysOnly: whether every packet is decoded by itself.
  init(
    _ parameters: UnsafePointer<AVCodecParameters>, maxPixels: Int, isKeysOnly: Bool
  ) throws(CodecError) {
    guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw .unreadable("a codec that is not installed")
    }
    guard let context = avcodec_alloc_context3(decoder) else { throw .noMemory }
    self.context = context
    guard avcodec_parameters_to_context(context, parameters) >= 0 else {
      throw .unreadable("a damaged video")
    }
    context.pointee.max_pixels = Int64(maxPixels)
    context.pointee.thread_count = 2
    if isKeysOnly {
      // Threads by frames would delay the one frame that is wanted.
      context.pointee.thread_type = FF_THREAD_SLICE
      context.pointee.skip_frame = AVDISCARD_NONKEY
    }
    guard avcodec_open2(context, decoder, nil) >= 0 else { throw .unreadable("a damaged video") }
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&freeing)
  }

  /// Hands in a packet.
  /// - Returns: false where it is damaged, or of no use now.
  @discardableResult
  func send(_ packet: VideoPacket) -> Bool {
    packet.withUnsafePacket { avcodec_send_packet(context, $0) >= 0 }
  }

  /// Says that no packet follows: frames that waited for one come out.
  func sendEnd() { _ = avcodec_send_packet(context, nil) }

  /// Forgets everything that was handed in.
  func flush() { avcodec_flush_buffers(context) }

  /// Takes the next frame that is decoded.
  /// - Parameter frame: what it held is given back.
  /// - Returns: false where there is none yet.
  func receive(into frame: VideoFrame) -> Bool {
    guard frame.withUnsafeFrame({ avcodec_receive_frame(context, $0) >= 0 }) else { return false }
    if frame.isEmpty {
      frame.clear()
      return false
    }
    return true
  }
}

/// A coded piece of a stream, as a container gives it; owns libavcodec's memory for it.
///
/// Used by one thread, again for the next piece.
final class VideoPacket {
  private let packet: UnsafeMutablePointer<AVPacket>

  /// An empty packet.
  init() throws(CodecError) {
    guard let packet = av_packet_alloc() else { throw .noMemory }
    self.packet = packet
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&freeing)
  }

  var streamIndex: Int { Int(packet.pointee.stream_index) }

  /// Whether it needs no other packet to be decoded.
  var isKey: Bool { packet.pointee.flags & AV_PKT_FLAG_KEY != 0 }

  /// Gives its bytes back.
  func clear() { av_packet_unref(packet) }

  /// Lends the packet to a library.
  func withUnsafePacket<Result>(_ body: (UnsafeMutablePointer<AVPacket>) -> Result) -> Result {
    withExtendedLifetime(self) { body(packet) }
  }
}
