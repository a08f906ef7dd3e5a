import CAVFormat
import CodecProtocol

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
