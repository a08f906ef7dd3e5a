import CAVFormat
import CodecProtocol

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
