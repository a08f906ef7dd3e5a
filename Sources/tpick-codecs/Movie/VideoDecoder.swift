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
