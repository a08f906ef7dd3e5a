import CAVFormat
import CodecProtocol
import HelperMetadata
import MediaFormats
import System

/// An open video file; owns libavformat's context.
///
/// Provides its streams, metadata and packets.
///
/// Used by one thread.
final class MovieContainer {
  /// The first video stream that is not cover art.
  struct Video {
    /// Its index among the streams.
    let index: Int
    /// EXIF orientation of the frames, 1 to 8.
    var orientation: UInt8
    /// Aspect ratio of the stored frames' pixels.
    let pixelShape: PixelShape
    /// Computes when its frames are shown.
    let clock: FrameClock
  }

  /// How far a container without a complete header is analyzed: bytes, and microseconds of the video.
  private static let probeSize: Int64 = 2 << 20
  private static let probeDuration: Int64 = 2_000_000
  /// The same if only the first picture is wanted and everything read has to be fetched.
  private static let shortProbeSize: Int64 = 1 << 20
  private static let shortProbeDuration: Int64 = 500_000
  /// The longest time between key frames in formats without an index, in seconds: broadcasts have a few seconds.
  private static let longestGroup = 12.0
  /// Upper bound of the streams that are examined.
  private static let mostStreams = 64

  private let context: UnsafeMutablePointer<AVFormatContext>
  private let input: MovieInput

  init(_ file: InputFile, demuxer: String) throws(CodecError) {
    guard let format = av_find_input_format(demuxer) else {
      throw .unreadable("a format that the installed FFmpeg does not support")
    }
    input = try MovieInput(file)
    guard let allocated = avformat_alloc_context() else { throw .noMemory }
    input.attach(to: allocated)
    let isShort = file.isPartial && file.wantsPictures
    allocated.pointee.probesize = isShort ? Self.shortProbeSize : Self.probeSize
    allocated.pointee.max_analyze_duration = isShort ? Self.shortProbeDuration : Self.probeDuration
    // To estimate the duration of a broadcast recording, libavformat would read the end of the file.
    if isShort { allocated.pointee.skip_estimate_duration_from_pts = 1 }
    tpick_av_refuse_references(allocated)
    var opened: UnsafeMutablePointer<AVFormatContext>? = allocated
    let status = avformat_open_input(&opened, nil, format, nil)
    // On failure, the context is already freed.
    guard status >= 0, let opened else { throw .unreadable(Self.words(status)) }
    context = opened
  }

  deinit {
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
  }

  private static func words(_ status: Int32) -> String {
    var text = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
    av_strerror(status, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Streams

  private var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<min(Self.mostStreams, Int(context.pointee.nb_streams))).compactMap { context.pointee.streams[$0] }
  }

  private func first(_ type: AVMediaType) -> UnsafeMutablePointer<AVStream>? {
    streams.first { $0.pointee.codecpar.pointee.codec_type == type && tpick_av_is_cover($0) == 0 }
  }

  private func stream(of video: Video) -> UnsafeMutablePointer<AVStream> { streams[video.index] }

  /// Whether the header lacks properties that decoding would reveal.
  var needsProbing: Bool {
    guard let video = first(AVMEDIA_TYPE_VIDEO) else { return duration <= 0 }
    let (width, height) = (video.pointee.codecpar.pointee.width, video.pointee.codecpar.pointee.height)
    return width <= 0 || duration <= 0
      || PixelShape.isUsuallyStretched(width, height)
        && av_guess_sample_aspect_ratio(context, video, nil).num <= 0
  }

  /// Reads, and may decode, some of the streams; what remains unknown stays unset.
  func probe() {
    _ = avformat_find_stream_info(context, nil)
  }

  /// The video; nil if there is none.
  var video: Video? {
    first(AVMEDIA_TYPE_VIDEO).map { stream in
      Video(
        index: Int(stream.pointee.index), orientation: UInt8(clamping: tpick_av_orientation(stream)),
        pixelShape: pixelShape(of: stream), clock: clock(of: stream))
    }
  }

  private func clock(of stream: UnsafeMutablePointer<AVStream>) -> FrameClock {
    let (base, rate) = (stream.pointee.time_base, stream.pointee.avg_frame_rate)
    return FrameClock(base: (base.num, base.den), rate: (rate.num, rate.den))
  }

  private func pixelShape(of stream: UnsafeMutablePointer<AVStream>) -> PixelShape {
    let ratio = av_guess_sample_aspect_ratio(context, stream, nil)
    return PixelShape(width: ratio.num, height: ratio.den)
  }

  /// Creates the decoder of the video.
  func makeCodec(for video: Video, maxPixels: Int, isKeysOnly: Bool) throws(CodecError) -> VideoCodec {
    try VideoCodec(stream(of: video).pointee.codecpar, maxPixels: maxPixels, isKeysOnly: isKeysOnly)
  }

  /// Creates the decoder of the first attached picture; nil if there is none, or if it can't be decoded here.
  func makeCoverCodec(maxPixels: Int) -> (video: Video, codec: VideoCodec)? {
    guard
      let index = streams.firstIndex(where: { tpick_av_is_cover($0) != 0 && $0.pointee.attached_pic.size > 0 }
      ),
      let codec = try? VideoCodec(streams[index].pointee.codecpar, maxPixels: maxPixels, isKeysOnly: false)
    else { return nil }
    let stream = streams[index]
    let cover = Video(
      index: index, orientation: 1, pixelShape: pixelShape(of: stream), clock: clock(of: stream))
    return (cover, codec)
  }

  /// Calls `body` with the packet of an attached picture.
  func withCoverPacket(of cover: Video, _ body: (UnsafePointer<AVPacket>) -> Bool) -> Bool {
    withUnsafePointer(to: &streams[cover.index].pointee.attached_pic) { body($0) }
  }

  // MARK: Packets

  /// Skips the packets of all other streams.
  func discardAll(but video: Video) {
    for (index, stream) in streams.enumerated() where index != video.index {
      stream.pointee.discard = AVDISCARD_ALL
    }
  }

  /// Reads the next packet of any stream; false after the last one.
  func read(_ packet: VideoPacket) -> Bool {
    packet.withUnsafePacket { av_read_frame(context, $0) >= 0 }
  }

  /// Whether seeking reads offsets all over the file, as in broadcast formats, which have no index.
  var seeksBySearching: Bool { context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 }

  /// Seeks to the first key frame at or after a tenth of the duration, otherwise to the last one before it.
  func seekToTenth(of video: Video) {
    let stream = stream(of: video)
    let base = stream.pointee.time_base
    let tenth = duration / 10 * Double(base.den) / Double(max(1, base.num))
    guard tenth.isFinite, tenth >= 1, tenth < 1e15 else { return }
    let start = stream.pointee.start_time
    let (from, overflow) = (start == tpick_av_no_time() ? 0 : start).addingReportingOverflow(Int64(tenth))
    guard !overflow else { return }
    let index = stream.pointee.index
    if avformat_seek_file(context, index, from, from, .max, 0) < 0 {
      _ = av_seek_frame(context, index, from, AVSEEK_FLAG_BACKWARD)
    }
  }

  /// Seeks to the last key frame at or before a time.
  /// - Parameter time: from the first frame, in the video's units.
  /// - Returns: the time stamp of the first frame; nil if it is unknown, or the format can't seek: then the next
  ///   frame is the first one.
  func seek(to time: Int64, of video: Video) -> Int64? {
    let stream = stream(of: video)
    // Most containers state it only with their first packets.
    if stream.pointee.start_time == tpick_av_no_time() { probe() }
    let (start, base) = (stream.pointee.start_time, stream.pointee.time_base)
    guard start != tpick_av_no_time() else { return nil }
    let second = Double(base.den) / Double(max(1, base.num))
    // Behind the end there may be no key frame to begin with.
    let end = duration > 0 && duration < 31_536_000 ? Int64(duration * second) : .max
    // Without an index, seeking ends at any frame, and decoding can begin only at the next key frame.
    let time = min(time, end) - (seeksBySearching ? Int64(Self.longestGroup * second) : 0)
    guard time > 0 else { return nil }
    let (target, overflow) = start.addingReportingOverflow(time)
    guard !overflow, av_seek_frame(context, stream.pointee.index, target, AVSEEK_FLAG_BACKWARD) >= 0 else {
      // libavformat may have read far in search of the time.
      if !overflow { seekToStart(of: video) }
      return nil
    }
    return start
  }

  /// Seeks to the first key frame.
  func seekToStart(of video: Video) {
    let stream = stream(of: video)
    let start = stream.pointee.start_time
    let from = start == tpick_av_no_time() ? 0 : start
    // In these formats, seeking by time would end after the first key frame.
    if seeksBySearching {
      _ = av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE)
    } else {
      _ = av_seek_frame(context, stream.pointee.index, from, AVSEEK_FLAG_BACKWARD)
    }
  }

  // MARK: Metadata

  /// Seconds; 0 if the header has no duration.
  private var duration: Double {
    if context.pointee.duration > 0 { return Double(context.pointee.duration) / Double(AV_TIME_BASE) }
    return streams.map { stream in
      let base = stream.pointee.time_base
      guard stream.pointee.duration > 0, base.den > 0 else { return 0 }
      return Double(stream.pointee.duration) * Double(base.num) / Double(base.den)
    }.max() ?? 0
  }

  /// Microseconds; 0 if the header has no duration.
  var length: Int64 { duration > 0 && duration < 31_536_000 ? Int64(duration * 1e6) : 0 }

  /// Whether there is anything to play.
  var hasVideoOrSound: Bool { first(AVMEDIA_TYPE_VIDEO) != nil || first(AVMEDIA_TYPE_AUDIO) != nil }

  /// Metadata of the container and its video.
  var facts: CodecFacts {
    var facts = CodecFacts()
    facts.duration = duration.isFinite ? max(0, duration) : 0
    addTags(context.pointee.metadata, to: &facts)
    facts.movie = details
    guard let video = first(AVMEDIA_TYPE_VIDEO) else { return facts }
    addTags(video.pointee.metadata, to: &facts)
    let quarters = Int((tpick_av_rotation(video) / 90).rounded(.toNearestOrEven).clamped)
    let stored = (video.pointee.codecpar.pointee.width, video.pointee.codecpar.pointee.height)
    let size = (pixelShape(of: video).shownWidth(of: stored.0), stored.1)
    facts.width = Int(max(0, quarters % 2 == 0 ? size.0 : size.1))
    facts.height = Int(max(0, quarters % 2 == 0 ? size.1 : size.0))
    facts.frameRate = frameRate(of: video, lasting: facts.duration)
    return facts
  }

  /// The container, its tracks and chapters.
  private var details: MovieDetails {
    var details = MovieDetails(container: String(cString: context.pointee.iformat.pointee.name))
    details.tracks = streams.map(track)
    let count = min(Self.mostChapters, Int(context.pointee.nb_chapters))
    details.chapters = (0..<count).compactMap { context.pointee.chapters[$0] }.map { chapter in
      let base = chapter.pointee.time_base
      return MovieChapter(
        title: Self.tag("title", of: chapter.pointee.metadata),
        start: Self.seconds(chapter.pointee.start, base) ?? 0,
        end: Self.seconds(chapter.pointee.end, base) ?? 0)
    }
    return details
  }

  /// The maximum number of chapters that are reported.
  private static let mostChapters = 1000

  private static func seconds(_ time: Int64, _ base: AVRational) -> Double? {
    guard time != tpick_av_no_time(), base.num > 0, base.den > 0 else { return nil }
    let seconds = Double(time) * Double(base.num) / Double(base.den)
    return abs(seconds) <= 31_536_000 ? seconds : nil
  }

  private static func tag(_ name: String, of tags: OpaquePointer?) -> String? {
    guard let entry = av_dict_get(tags, name, nil, 0), let value = entry.pointee.value else { return nil }
    let bytes = UnsafeBufferPointer(start: value, count: strnlen(value, Limits.tag))
    return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func track(_ stream: UnsafeMutablePointer<AVStream>) -> MovieTrack {
    let parameters = stream.pointee.codecpar.pointee
    let kind: MovieTrack.Kind =
      switch parameters.codec_type {
      case AVMEDIA_TYPE_VIDEO: .video
      case AVMEDIA_TYPE_AUDIO: .audio
      case AVMEDIA_TYPE_SUBTITLE: .subtitle
      default: .other
      }
    var track = MovieTrack(kind)
    if parameters.codec_id != AV_CODEC_ID_NONE {
      track.codec = String(cString: avcodec_get_name(parameters.codec_id))
    }
    track.profile = tpick_av_profile(stream.pointee.codecpar).map { String(cString: $0) }
    track.language = Self.tag("language", of: stream.pointee.metadata).flatMap { $0 == "und" ? nil : $0 }
    track.duration = Self.seconds(stream.pointee.duration, stream.pointee.time_base).flatMap {
      $0 >= 0 ? $0 : nil
    }
    track.isCover = tpick_av_is_cover(stream) != 0
    switch kind {
    case .video: track.video = videoProperties(of: stream)
    case .audio:
      let channels = Int(tpick_av_channels(stream.pointee.codecpar))
      track.channelCount = channels > 0 ? channels : nil
      track.sampleRate = parameters.sample_rate > 0 ? Int(parameters.sample_rate) : nil
    case .subtitle, .other: break
    }
    return track
  }

  private func videoProperties(of stream: UnsafeMutablePointer<AVStream>) -> MovieTrack.Video {
    let parameters = stream.pointee.codecpar.pointee
    var video = MovieTrack.Video(width: max(0, Int(parameters.width)), height: max(0, Int(parameters.height)))
    // libavutil counts counterclockwise.
    let quarters = Int((-tpick_av_rotation(stream) / 90).rounded(.toNearestOrEven).clamped)
    video.rotation = (quarters % 4 + 4) % 4 * 90
    let shape =
      stream.pointee.sample_aspect_ratio.num > 0
      ? stream.pointee.sample_aspect_ratio : parameters.sample_aspect_ratio
    if shape.num > 0, shape.den > 0 {
      (video.pixelWidth, video.pixelHeight) = (Int(shape.num), Int(shape.den))
    }
    let rate = frameRate(of: stream, lasting: duration)
    video.frameRate = rate > 0 && rate <= 1e9 ? rate : nil
    video.isVariableFrameRate = isVariableFrameRate(of: stream)
    video.dynamicRange = dynamicRange(of: stream)
    return video
  }

  /// The lowest rate in which all time stamps can be counted differs from the average if frames are irregular.
  ///
  /// The QuickTime demuxer sets it only if all frames have the same duration.
  private func isVariableFrameRate(of stream: UnsafeMutablePointer<AVStream>) -> Bool? {
    let (lowest, average) = (stream.pointee.r_frame_rate, stream.pointee.avg_frame_rate)
    guard average.num > 0, average.den > 0 else { return nil }
    guard lowest.num > 0, lowest.den > 0 else {
      let isQuickTime = String(cString: context.pointee.iformat.pointee.name).hasPrefix("mov")
      return isQuickTime && stream.pointee.nb_frames > 1 ? true : nil
    }
    let rates = (
      Double(lowest.num) / Double(lowest.den), Double(average.num) / Double(average.den)
    )
    // A rounded time base makes them differ a little.
    return abs(rates.0 - rates.1) > rates.1 / 50
  }

  private func dynamicRange(of stream: UnsafeMutablePointer<AVStream>) -> MovieTrack.DynamicRange {
    if tpick_av_is_dolby_vision(stream) { return .dolbyVision }
    switch stream.pointee.codecpar.pointee.color_trc {
    case AVCOL_TRC_ARIB_STD_B67: return .hlg
    case AVCOL_TRC_SMPTE2084: return tpick_av_has_mastering_display(stream) ? .hdr10 : .pq
    default: return .standard
    }
  }

  private func frameRate(of video: UnsafeMutablePointer<AVStream>, lasting seconds: Double) -> Double {
    let rate = video.pointee.avg_frame_rate
    if rate.num > 0, rate.den > 0 { return Double(rate.num) / Double(rate.den) }
    return video.pointee.nb_frames > 1 && seconds > 0 ? Double(video.pointee.nb_frames) / seconds : 0
  }

  /// Adds missing tags: the container's tags take precedence over those of its streams.
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

extension Double {
  /// The angle, limited to four quarter turns in each direction; 0 if it is not a number.
  fileprivate var clamped: Double { isFinite ? min(4, max(-4, self)) : 0 }
}
