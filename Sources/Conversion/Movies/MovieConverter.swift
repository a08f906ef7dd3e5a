import AssetLibrary
import CodecProtocol
import Export
import MediaFormats
import Metadata
import Pixels
import System

/// Makes widely playable MP4s, and videos without metadata, with the programs of FFmpeg.
///
/// Streams that fit the new container are copied, not encoded again. If FFmpeg is missing or fails, the
/// original file is used unchanged, unless its metadata had to be removed or the consumer can't take it.
struct MovieConverter: Sendable {
  let store: any OriginalAccess

  /// The maximum number of bytes read from ffprobe's output.
  private static let longestFacts = 1 << 20

  /// - Parameters:
  ///   - part: the part to keep, from the first picture of the video; nil = all of it.
  ///   - progress: receives the completed fraction.
  func convert(
    _ resource: AssetResource, isCompatible: Bool, part: Range<Duration>? = nil,
    _ options: RepresentationOptions,
    into descriptor: Int32, cancellation: Cancellation, progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation {
    let mayStay = part == nil && options.stripping == .nothing && admits(resource, options)
    // FFmpeg gets a descriptor, through which it would see the whole file: copy a video inside a photo's
    // file.
    let source = try Source(resource, store)
    do throws(ConfinedProgram.Failure) {
      let (encoder, probe) = (try ConfinedProgram("ffmpeg"), try ConfinedProgram("ffprobe"))
      var facts = try facts(source.descriptor, probe, cancellation)
      // FFmpeg counts from the start of the file.
      let delay = Duration.seconds(facts.videoDelay)
      let part = part.map { $0.lowerBound + delay..<($0.upperBound + delay) }
      guard let plan = plan(facts, resource, isCompatible: isCompatible, part, options) else {
        return .resource(reason: nil)
      }
      if let part {
        let seconds = { (time: Duration) in time / .seconds(1) }
        guard facts.duration <= 0 || seconds(part.lowerBound) < facts.duration else {
          throw .failed("the part begins after its end")
        }
        // What is expected of the result.
        let end =
          facts.duration > 0 ? min(facts.duration, seconds(part.upperBound)) : seconds(part.upperBound)
        facts.duration = end - seconds(part.lowerBound)
      }
      var complaint = try run(plan, facts, encoder, source, descriptor, cancellation, progress)
      // It is about frames before the part.
      if plan.beginsAnywhere { complaint = "" }
      // If the video stream was copied, reading the result may fail: its size and duration are the
      // original's.
      let made =
        plan.video == .copied
        ? (try? self.facts(descriptor, probe, cancellation)) ?? facts
        : try self.facts(descriptor, probe, cancellation)
      // FFmpeg rounds the sides and applies the orientation.
      let size = plan.video == .copied ? .zero : PixelSize(width: made.width, height: made.height)
      let remark = Self.remark(on: plan, facts, made, complaint)
      let format: FileFormat = plan.container == "mp4" ? .mp4 : .quickTime
      // A video inside a photo's file has the photo's name, so it needs an extension of its own.
      let suffix = isCompatible || resource.byteRange != nil ? format.suffixes.first : nil
      return .file(
        MadeRepresentation.Facts(
          uniformTypeIdentifier: isCompatible
            ? format.uniformTypeIdentifier : resource.uniformTypeIdentifier,
          suffix: suffix, size: size, remark: remark, method: plan.method))
    } catch {
      let reason =
        switch error {
        case .cancelled: throw .cancelled
        case .missing(let name):
          "\(name), which converts videos, is not installed: install FFmpeg (apt install ffmpeg)"
        case .helperMissing(let program): program.missingMessage
        case .unconfined:
          "this system can't confine ffmpeg; set \(ConfinementPolicy.setting) in the configuration to run it unconfined"
        case .failed(let words):
          words.isEmpty ? "ffmpeg can't convert it" : "ffmpeg can't convert it: \(words)"
        }
      if case .failed = error { try OutputFile(descriptor, for: resource.name).checkGrows() }
      ftruncate(descriptor, 0)
      lseek(descriptor, 0, SEEK_SET)
      guard mayStay else { throw AssetError(resource.name, reason) }
      return .resource(reason: "is not converted: \(reason)")
    }
  }

  /// Returns what to report about a converted video: what was lost from the original.
  /// - Parameters:
  ///   - made: the properties of the converted video.
  ///   - complaint: an error that FFmpeg reported about the original although it continued.
  private static func remark(
    on plan: MoviePlan, _ facts: MovieFacts, _ made: MovieFacts, _ complaint: String
  ) -> String? {
    var words: [String] = []
    // The original's header has the duration that was intended, rounded by the container.
    if facts.duration > 0, made.duration < facts.duration - max(1, facts.duration / 50) {
      words.append(
        "ends after \(Int(made.duration)) of \(Wording.count(Int(facts.duration.rounded()), "second")): the file is damaged"
      )
    } else if !complaint.isEmpty {
      words.append("may be incomplete: ffmpeg reports \(complaint)")
    }
    let left = [(facts.audioCount - 1, "other sound track"), (facts.subtitleCount, "subtitle track")].filter {
      $0.0 > 0
    }
    if !left.isEmpty {
      let tracks = left.map { Wording.count($0.0, $0.1) }
      words.append("was converted without " + tracks.joined(separator: " and "))
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// Whether the unchanged file meets the options: its type and size are accepted.
  private func admits(_ resource: AssetResource, _ options: RepresentationOptions) -> Bool {
    let size = resource.storedSize
    if let side = options.longestSide, max(size.width, size.height) > side { return false }
    return options.acceptedTypes?.admits(typeIdentifier: resource.uniformTypeIdentifier) ?? true
  }

  private func plan(
    _ facts: MovieFacts, _ resource: AssetResource, isCompatible: Bool, _ part: Range<Duration>?,
    _ options: RepresentationOptions
  ) -> MoviePlan? {
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    let stripping = options.stripping.policy
    return isCompatible
      ? MoviePlan(
        compatible: facts, of: format, isWholeFile: resource.byteRange == nil, part: part,
        longestSide: options.longestSide, stripping: stripping, removesCaptions: options.removesCaptions)
      : MoviePlan(stripping: stripping, removesCaptions: options.removesCaptions, facts, of: format)
  }

  /// The file of a video, or a copy if the video is a part of a file.
  private struct Source {
    let reader: any ResourceReader
    let descriptor: Int32
    /// The owner of the descriptor if it is a copy.
    private let copy: TemporaryFile?

    init(_ resource: AssetResource, _ store: any OriginalAccess) throws(AssetError) {
      reader = try store.reader(for: resource)
      if resource.byteRange == nil, let descriptor = reader.descriptor {
        (self.descriptor, copy) = (descriptor, nil)
      } else {
        let copy = try TemporaryFile(of: reader, name: resource.name)
        (descriptor, self.copy) = (copy.descriptor, copy)
      }
    }
  }

  private func facts(
    _ descriptor: Int32, _ probe: ConfinedProgram, _ cancellation: Cancellation
  ) throws(ConfinedProgram.Failure) -> MovieFacts {
    var text = ""
    try probe.run(
      MoviePlan.reading + [
        "-v", "error", "-of", "flat", "-show_entries",
        "stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,color_transfer,start_time"
          + ":stream_disposition=attached_pic:format=duration,start_time:format_tags:program_version=version",
        ConfinedProgram.input,
      ], input: descriptor, output: nil, cancellation: cancellation
    ) { if text.utf8.count < Self.longestFacts { text += $0 + "\n" } }
    return MovieFacts(flat: text)
  }

  /// - Returns: the last error that FFmpeg reported although it finished.
  private func run(
    _ plan: MoviePlan, _ facts: MovieFacts, _ encoder: ConfinedProgram, _ source: Source, _ output: Int32,
    _ cancellation: Cancellation, _ progress: (Double) -> Void
  ) throws(ConfinedProgram.Failure) -> String {
    var said = ""
    let arguments = plan.arguments(
      input: ConfinedProgram.input, output: ConfinedProgram.output, tags: facts.plainTags,
      captions: facts.captionTags)
    do throws(ConfinedProgram.Failure) {
      try encoder.run(
        arguments, input: source.descriptor, output: output, cancellation: cancellation
      ) { line in
        if let time = MovieProgress.seconds(line) {
          if facts.duration > 0 { progress(min(1, max(0, time / facts.duration))) }
        } else if !MovieProgress.isReport(line) {
          said = line
        }
      }
    } catch .failed {
      throw .failed(said)
    }
    // A program that exits successfully without output was not FFmpeg.
    guard lseek(output, 0, SEEK_END) > 0 else { throw .failed("it wrote nothing") }
    guard said.isEmpty || OutputFile(output, for: "").canGrow else { throw .failed(said) }
    // Strips the name and address of FFmpeg's component: "[matroska,webm @ 0x5575] File ended prematurely".
    return said.firstIndex(of: "]").map { String(said[said.index(after: $0)...].drop { $0 == " " }) } ?? said
  }
}

/// Parses the lines of `ffmpeg -progress`: names and values.
enum MovieProgress {
  /// The encoded time in seconds; nil if the line has other information.
  static func seconds(_ line: String) -> Double? {
    let mark = "out_time_us="
    guard line.hasPrefix(mark) else { return nil }
    return Double(line.dropFirst(mark.count)).flatMap { $0.isFinite ? $0 / 1_000_000 : nil }
  }

  /// Whether the line is progress information and not a message.
  static func isReport(_ line: String) -> Bool {
    guard let sign = line.firstIndex(of: "=") else { return false }
    return line[..<sign].allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }
  }
}

/// How a video is converted for its consumer.
struct MoviePlan: Hashable, Sendable {
  enum Video: Hashable, Sendable {
    case copied
    /// Encode as H.264 with at most `longestSide` pixels on the longer side (nil = keep the size).
    ///
    /// A high dynamic range is tone-mapped.
    case encoded(longestSide: Int?, isHighDynamicRange: Bool)
  }

  /// FFmpeg's name of the container.
  var container: String
  var video: Video
  var copiesAudio: Bool
  var stripping: MetadataPolicy.Stripping
  /// Whether tags with titles, descriptions and comments are removed too.
  var removesCaptions: Bool
  /// FFmpeg's name of the video codec; nil if unknown.
  var videoCodec: String?
  /// The part to keep, from the start of the file; nil = all of it.
  var part: Range<Duration>?
  /// How long before a part the reading begins.
  private var lead = Duration.zero
  /// FFmpeg's option for the times of frames.
  private var timing: String

  /// FFmpeg's input options: only this file, and no playlists that look like a video.
  static let reading = ["-protocol_whitelist", "file", "-format_whitelist", "mov,matroska,avi,mpegts"]

  /// The codecs that can be copied when metadata is removed.
  ///
  /// The values are the types of the units that hold the picture, in the syntax of FFmpeg's `filter_units`;
  /// nil if the codec has no other units.
  ///
  /// Other units are dropped, because camcorders store their location in SEI messages, user data and
  /// undefined units. Videos of other codecs are encoded again, because their frames may contain unknown
  /// data. Sources: H.264 table 7-1, H.265 table 7-1, H.262 table 6-1, AV1 6.2.2.
  private static let clean: [String: String?] = [
    "h264": "1-5|7-11", "hevc": "0-9|16-21|32-37", "mpeg2video": "0-175|179|181|183|184", "av1": "1-4|6-8",
    "vp8": nil, "vp9": nil,
  ]
  /// The audio codecs that can be copied when metadata is removed.
  ///
  /// Other codecs allow text in their frames, or have a header with tags (Vorbis, FLAC).
  private static let cleanAudio: Set<String> = ["aac", "alac", "amr_nb", "amr_wb", "opus"]

  /// Codecs that browsers and phones play in an MP4.
  private static let audioCodecs: Set<String> = ["aac"]
  private static let pixelFormats: Set<String> = ["yuv420p", "yuvj420p"]

  /// Plans a widely playable MP4; nil if the file already is one.
  ///
  /// A part is encoded again: a copy could begin at a key frame only, and would still contain the pictures before the
  /// part, which players skip.
  init?(
    compatible facts: MovieFacts, of format: FileFormat?, isWholeFile: Bool, part: Range<Duration>? = nil,
    longestSide: Int?,
    stripping: MetadataPolicy.Stripping, removesCaptions: Bool = false
  ) {
    let isTooLong = longestSide.map { max(facts.width, facts.height) > $0 } ?? false
    let isPlayable =
      facts.videoCodec == "h264" && Self.pixelFormats.contains(facts.pixelFormat ?? "") && !isTooLong
    copiesAudio = part == nil && facts.audioCodec.map(Self.audioCodecs.contains) ?? true
    if isPlayable, copiesAudio, isWholeFile, part == nil, stripping == .nothing,
      format == .mp4 || format == .m4v
    {
      return nil
    }
    container = "mp4"
    video =
      part == nil && isPlayable || facts.videoCodec == nil
      ? .copied
      : .encoded(longestSide: isTooLong ? longestSide : nil, isHighDynamicRange: facts.isHighDynamicRange)
    self.stripping = stripping
    self.removesCaptions = removesCaptions
    self.part = part
    // A transport stream has no index: what is found there is often no key frame.
    if format == .mpegTransport { lead = Self.longestLead }
    timing = Self.timing(facts)
    videoCodec = facts.videoCodec
  }

  /// Transport streams have key frames every few seconds.
  private static let longestLead = Duration.seconds(15)

  /// Whether reading begins at a place that may be no key frame, so that the first frames can't be decoded.
  var beginsAnywhere: Bool { lead > .zero && part.map { $0.lowerBound > lead } ?? false }

  /// FFmpeg 5.1 has `-fps_mode`, which replaces `-vsync`, and FFmpeg 9 has only that.
  private static func timing(_ facts: MovieFacts) -> String {
    facts.toolVersion.map { $0 < MovieFacts.ToolVersion(5, 1) } ?? false ? "-vsync" : "-fps_mode"
  }

  /// Plans the same video in the same container with less metadata; nil if the container can't be written.
  init?(
    stripping: MetadataPolicy.Stripping, removesCaptions: Bool = false, _ facts: MovieFacts,
    of format: FileFormat?
  ) {
    let container: String? =
      switch format {
      case .mp4, .m4v: "mp4"
      case .quickTime: "mov"
      case .matroska: "matroska"
      case .webm: "webm"
      case .avi: "avi"
      case .threeGP: "3gp"
      case .mpegTransport: "mpegts"
      default: nil
      }
    guard let container else { return nil }
    self.container = container
    self.stripping = stripping
    self.removesCaptions = removesCaptions
    videoCodec = facts.videoCodec
    timing = Self.timing(facts)
    let isClean = facts.videoCodec.map { Self.clean[$0] != nil } ?? true
    video = isClean ? .copied : .encoded(longestSide: nil, isHighDynamicRange: facts.isHighDynamicRange)
    copiesAudio = facts.audioCodec.map { Self.cleanAudio.contains($0) || $0.hasPrefix("pcm_") } ?? true
  }

  /// The name of the method.
  var method: String { video == .copied && copiesAudio ? "remuxed" : "transcoded" }

  /// Returns FFmpeg's arguments without the program's name.
  /// - Parameters:
  ///   - input: the path to read.
  ///   - output: the path to write.
  ///   - tags: the tags to keep when others are removed.
  ///   - captions: the names of the tags that contain captions.
  func arguments(
    input: String, output: String, tags: [String: String], captions: [String] = []
  ) -> [String] {
    var words = ["-nostdin", "-hide_banner", "-loglevel", "error"] + Self.reading
    let begin = max(.zero, (part?.lowerBound ?? .zero) - lead)
    // Before the input: FFmpeg decodes from the key frame before this time and drops what precedes it.
    if part != nil { words += ["-ss", Self.seconds(begin)] }
    words += ["-i", input]
    if let part {
      // The rest of the way is decoded and dropped.
      if part.lowerBound > begin { words += ["-ss", Self.seconds(part.lowerBound - begin)] }
      words += ["-t", Self.seconds(part.upperBound - part.lowerBound)]
    }
    words += ["-map", "0:V:0?", "-map", "0:a:0?", "-sn", "-dn"]
    switch video {
    case .copied:
      words += ["-c:v", "copy"]
      if stripping != .nothing, let units = videoCodec.flatMap({ Self.clean[$0] ?? nil }) {
        words += ["-bsf:v", "filter_units=pass_types=\(units)"]
      }
    case .encoded(let side, let isHighDynamicRange):
      words += ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-profile:v", "high"]
      // AVI has no presentation times, so frames can't be reordered.
      if container == "avi" { words += ["-bf", "0"] }
      var filters: [String] = []
      if isHighDynamicRange {
        filters.append(
          "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,"
            + "zscale=t=bt709:m=bt709:r=tv")
      }
      // Use square pixels, since not all players and browsers respect the pixel aspect ratio.
      filters.append("scale=trunc(iw*sar/2)*2:ih")
      // Both sides must be even: chroma has half the resolution.
      filters.append(
        side.map { max(2, $0 / 2 * 2) }.map {
          "scale='if(gt(iw,ih),min(iw,\($0)),-2)':'if(gt(iw,ih),-2,min(ih,\($0)))'"
        }
          ?? "scale=trunc(iw/2)*2:trunc(ih/2)*2")
      filters += ["setsar=1", "format=yuv420p"]
      words += ["-vf", filters.joined(separator: ",")]
      // Each frame keeps its time: by default some containers get a constant rate, from repeated and dropped frames.
      // AVI has no other. `force-cfr` changes no times: x264 writes the usual rate into the stream and not the rate of
      // the clock, which readers would take for the duration of a frame.
      if container != "avi" {
        words += [timing, "vfr", "-enc_time_base", "1/90000", "-x264-params", "force-cfr=1"]
      }
    }
    words +=
      copiesAudio ? ["-c:a", "copy"] : ["-c:a", container == "webm" ? "libopus" : "aac", "-b:a", "160k"]
    words += metadata(tags, captions)
    // Chapters would keep their places in the whole.
    if part != nil, stripping == .nothing { words += ["-map_chapters", "-1"] }
    if container == "mp4" || container == "mov" {
      words += ["-movflags", stripping == .all ? "+faststart" : "+faststart+use_metadata_tags"]
    }
    return words + ["-progress", "pipe:1", "-f", container, "-y", output]
  }

  /// A time as FFmpeg reads it: seconds with six digits.
  private static func seconds(_ time: Duration) -> String {
    let (seconds, rest) = (time.components.seconds, time.components.attoseconds / 1_000_000_000_000)
    let digits = String(rest)
    return "\(seconds)." + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  private func metadata(_ tags: [String: String], _ captions: [String]) -> [String] {
    switch stripping {
    case .nothing:
      // The old container's brand tags don't apply to the new one.
      let left = ["major_brand", "minor_version", "compatible_brands"] + (removesCaptions ? captions : [])
      return ["-map_metadata", "0"] + left.flatMap { ["-metadata", "\($0)="] }
        + (removesCaptions ? ["description", "comment"].flatMap { ["-metadata:s", "\($0)="] } : [])
    case .location:
      return ["-map_metadata", "-1", "-map_chapters", "-1"]
        + tags.filter { !removesCaptions || !Captions.isTag($0.key) }.sorted { $0.key < $1.key }.flatMap {
          ["-metadata", "\($0.key)=\($0.value)"]
        }
    case .all:
      return ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags", "+bitexact"]
    }
  }
}
