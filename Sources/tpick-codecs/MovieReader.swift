import CAVFormat
import CodecProtocol

/// The facts of a video, by libavformat.
enum MovieReader {
  /// Bytes that are read at once: a header, seldom more.
  private static let readSize: Int32 = 32 << 10

  /// How far a container without a complete header is looked into: bytes, and microseconds of the video.
  private static let probeSize: Int64 = 2 << 20
  private static let probeDuration: Int64 = 2_000_000

  static func facts(of file: InputFile, demuxer: String) throws(CodecError) -> CodecFacts {
    try withExtendedLifetime(file) { () throws(CodecError) in
      let container = try Container(file, demuxer: demuxer)
      if container.isVague { container.probe() }
      var facts = container.facts
      guard facts.hasVideo || facts.hasAudio else { throw .unreadable("no video and no sound in it") }
      if demuxer == "mov" { MovieBoxes(file).fill(&facts) }
      return facts
    }
  }

  /// An open container and what reads its bytes.
  private final class Container {
    private var context: UnsafeMutablePointer<AVFormatContext>
    private var io: UnsafeMutablePointer<AVIOContext>

    init(_ file: InputFile, demuxer: String) throws(CodecError) {
      guard let format = av_find_input_format(demuxer), let buffer = av_malloc(Int(readSize)) else {
        throw .unreadable("a format that is not installed")
      }
      let pointer = Unmanaged.passUnretained(file).toOpaque()
      guard
        let io = avio_alloc_context(
          buffer.assumingMemoryBound(to: UInt8.self), readSize, 0, pointer, Self.read, nil, Self.seek)
      else {
        av_free(buffer)
        throw .unreadable("out of memory")
      }
      guard let allocated = avformat_alloc_context() else {
        Self.release(io)
        throw .unreadable("out of memory")
      }
      allocated.pointee.pb = io
      allocated.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
      allocated.pointee.probesize = probeSize
      allocated.pointee.max_analyze_duration = probeDuration
      tpick_av_refuse_references(allocated)
      var opened: UnsafeMutablePointer<AVFormatContext>? = allocated
      let status = avformat_open_input(&opened, nil, format, nil)
      guard status >= 0, let opened else {
        Self.release(io)  // a context that can't be opened is freed already
        throw .unreadable(Self.words(status))
      }
      self.io = io
      context = opened
    }

    deinit {
      var closing: UnsafeMutablePointer<AVFormatContext>? = context
      avformat_close_input(&closing)
      Self.release(io)
    }

    /// libavformat may have put another buffer in the place of ours.
    private static func release(_ io: UnsafeMutablePointer<AVIOContext>) {
      av_free(io.pointee.buffer)
      var releasing: UnsafeMutablePointer<AVIOContext>? = io
      avio_context_free(&releasing)
    }

    private static let read:
      @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
        guard let file = InputFile.from($0), let buffer = $1 else { return tpick_av_input_error() }
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int($2))
        let count = file.read(at: file.position, into: room)
        guard count > 0 else { return count == 0 ? tpick_av_end_of_file() : tpick_av_input_error() }
        file.position += count
        return Int32(count)
      }

    private static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
      guard let file = InputFile.from($0) else { return -1 }
      let base: Int
      switch $2 & ~AVSEEK_FORCE {
      case AVSEEK_SIZE: return Int64(file.byteCount)
      case SEEK_SET: base = 0
      case SEEK_CUR: base = file.position
      case SEEK_END: base = file.byteCount
      default: return -1
      }
      let (target, overflow) = base.addingReportingOverflow(Int($1))
      guard !overflow, target >= 0 else { return -1 }
      file.position = target
      return Int64(target)
    }

    private static func words(_ status: Int32) -> String {
      var text = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
      av_strerror(status, &text, text.count)
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private var streams: [UnsafeMutablePointer<AVStream>] {
      (0..<min(64, Int(context.pointee.nb_streams))).compactMap { context.pointee.streams[$0] }
    }

    private func first(_ type: AVMediaType) -> UnsafeMutablePointer<AVStream>? {
      streams.first { $0.pointee.codecpar.pointee.codec_type == type && tpick_av_is_cover($0) == 0 }
    }

    /// Whether the header leaves out what a look at the pictures would tell.
    var isVague: Bool {
      guard let video = first(AVMEDIA_TYPE_VIDEO) else { return duration <= 0 }
      return video.pointee.codecpar.pointee.width <= 0 || duration <= 0
    }

    /// Reads, and may decode, some of the streams; what it can't find out stays unknown.
    func probe() {
      _ = avformat_find_stream_info(context, nil)
    }

    private var duration: Double {
      if context.pointee.duration > 0 { return Double(context.pointee.duration) / Double(AV_TIME_BASE) }
      return streams.map { stream in
        let base = stream.pointee.time_base
        guard stream.pointee.duration > 0, base.den > 0 else { return 0 }
        return Double(stream.pointee.duration) * Double(base.num) / Double(base.den)
      }.max() ?? 0
    }

    var facts: CodecFacts {
      var facts = CodecFacts()
      facts.duration = duration.isFinite ? max(0, duration) : 0
      facts.hasAudio = first(AVMEDIA_TYPE_AUDIO) != nil
      addTags(context.pointee.metadata, to: &facts)
      guard let video = first(AVMEDIA_TYPE_VIDEO) else { return facts }
      facts.hasVideo = true
      addTags(video.pointee.metadata, to: &facts)
      let quarters = Int((tpick_av_rotation(video) / 90).rounded(.toNearestOrEven).clamped)
      let size = (video.pointee.codecpar.pointee.width, video.pointee.codecpar.pointee.height)
      facts.width = Int(max(0, quarters % 2 == 0 ? size.0 : size.1))
      facts.height = Int(max(0, quarters % 2 == 0 ? size.1 : size.0))
      facts.frameRate = frameRate(of: video, lasting: facts.duration)
      return facts
    }

    private func frameRate(of video: UnsafeMutablePointer<AVStream>, lasting seconds: Double) -> Double {
      let rate = video.pointee.avg_frame_rate
      if rate.num > 0, rate.den > 0 { return Double(rate.num) / Double(rate.den) }
      return video.pointee.nb_frames > 1 && seconds > 0 ? Double(video.pointee.nb_frames) / seconds : 0
    }

    /// Adds what is not there already: the container's tags come before its streams'.
    private func addTags(_ tags: OpaquePointer?, to facts: inout CodecFacts) {
      var entry: UnsafePointer<AVDictionaryEntry>?
      while facts.tags.count < Limits.tags, let next = tpick_av_next_tag(tags, entry) {
        entry = next
        let name = String(cString: next.pointee.key)
        guard name.utf8.count <= Limits.tag, facts.tags[name] == nil else { continue }
        let value = UnsafeBufferPointer(
          start: next.pointee.value, count: strnlen(next.pointee.value, Limits.tag))
        facts.tags[name] = String(decoding: value.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
  }
}

extension Double {
  /// No angle, or a quarter turn at most four times.
  fileprivate var clamped: Double { isFinite ? min(4, max(-4, self)) : 0 }
}
