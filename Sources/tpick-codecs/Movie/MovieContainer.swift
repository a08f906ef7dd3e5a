import CAVFormat
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// An open video file and what reads its bytes, by libavformat.
final class MovieContainer {
  /// Bytes that are read at once: a header, seldom more.
  private static let readSize: Int32 = 32 << 10

  /// How far a container without a complete header is looked into: bytes, and microseconds of the video.
  private static let probeSize: Int64 = 2 << 20
  private static let probeDuration: Int64 = 2_000_000

  let context: UnsafeMutablePointer<AVFormatContext>
  private let io: UnsafeMutablePointer<AVIOContext>

  init(_ file: InputFile, demuxer: String) throws(CodecError) {
    guard let format = av_find_input_format(demuxer), let buffer = av_malloc(Int(Self.readSize)) else {
      throw .unreadable("a format that is not installed")
    }
    let pointer = Unmanaged.passUnretained(file).toOpaque()
    guard
      let io = avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Self.readSize, 0, pointer, Self.read, nil, Self.seek)
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
    allocated.pointee.probesize = Self.probeSize
    allocated.pointee.max_analyze_duration = Self.probeDuration
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

  var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<min(64, Int(context.pointee.nb_streams))).compactMap { context.pointee.streams[$0] }
  }

  func first(_ type: AVMediaType) -> UnsafeMutablePointer<AVStream>? {
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

  /// Seconds; 0 where the header does not say.
  var duration: Double {
    if context.pointee.duration > 0 { return Double(context.pointee.duration) / Double(AV_TIME_BASE) }
    return streams.map { stream in
      let base = stream.pointee.time_base
      guard stream.pointee.duration > 0, base.den > 0 else { return 0 }
      return Double(stream.pointee.duration) * Double(base.num) / Double(base.den)
    }.max() ?? 0
  }
}
