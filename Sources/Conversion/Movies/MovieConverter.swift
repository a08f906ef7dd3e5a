import AssetLibrary
import CodecProtocol
import Export
import MediaFormats
import Metadata
import Pixels
import System

/// Makes MP4s that play everywhere, and videos without metadata, with the programs of FFmpeg.
///
/// What can be put into another container as it is is not encoded again. Where FFmpeg is missing or fails the file itself
/// is handed over, unless its metadata had to go or the consumer can't take it.
struct MovieConverter: Sendable {
  let store: any OriginalAccess

  /// What is read of a video's tags, in bytes.
  private static let longestFacts = 1 << 20

  func convert(
    _ resource: AssetResource, isCompatible: Bool, _ options: RepresentationOptions, into descriptor: Int32,
    cancellation: Cancellation, progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation {
    let mayStay = options.stripping == .nothing && admits(resource, options)
    do throws(ConfinedProgram.Failure) {
      let (encoder, probe) = (try ConfinedProgram("ffmpeg"), try ConfinedProgram("ffprobe"))
      // FFmpeg opens the file by its descriptor, which says nothing of a part.
      let source = try Source(resource, store)
      let facts = try facts(source.descriptor, probe, cancellation)
      guard let plan = plan(facts, resource, isCompatible: isCompatible, options) else {
        return .resource(reason: nil)
      }
      let complaint = try run(plan, facts, encoder, source, descriptor, cancellation, progress)
      // Of what was copied it is only asked for a word.
      let made =
        plan.video == .copied
        ? (try? self.facts(descriptor, probe, cancellation)) ?? facts
        : try self.facts(descriptor, probe, cancellation)
      // FFmpeg rounds sides, and turns pictures upright.
      let size = plan.video == .copied ? .zero : PixelSize(width: made.width, height: made.height)
      let remark = Self.remark(on: plan, facts, made, complaint)
      let format: FileFormat = plan.container == "mp4" ? .mp4 : .quickTime
      // A part of another file has that one's name.
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
        case .helperMissing(let program): program.absence
        case .unconfined:
          "this system can't confine ffmpeg; \(ConfinementPolicy.setting) in the configuration allows it all the same"
        case .failed(let words):
          words.isEmpty ? "ffmpeg can't convert it" : "ffmpeg can't convert it: \(words)"
        }
      ftruncate(descriptor, 0)
      lseek(descriptor, 0, SEEK_SET)
      guard mayStay else { throw AssetError(resource.name, reason) }
      return .resource(reason: "is handed over as it is: \(reason)")
    }
  }

  /// What is to be said of a video that was made: what of the original is not in it.
  /// - Parameters:
  ///   - made: what it is.
  ///   - complaint: what FFmpeg found wrong with the original, though it went on.
  private static func remark(
    on plan: MoviePlan, _ facts: MovieFacts, _ made: MovieFacts, _ complaint: String
  ) -> String? {
    var words: [String] = []
    // A header tells how long it was meant to be; containers round.
    if facts.duration > 0, made.duration < facts.duration - max(1, facts.duration / 50) {
      words.append(
        "ends after \(Int(made.duration)) of \(Wording.count(Int(facts.duration.rounded()), "second")): the file is damaged"
      )
    } else if !complaint.isEmpty {
      words.append("may not be whole: ffmpeg says \(complaint)")
    }
    let left = [(facts.audioCount - 1, "other sound track"), (facts.subtitleCount, "subtitle track")].filter {
      $0.0 > 0
    }
    if !left.isEmpty {
      let tracks = left.map { Wording.count($0.0, $0.1) }
      words.append("is handed over without " + tracks.joined(separator: " and "))
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// Whether the consumer can take the file as it is.
  private func admits(_ resource: AssetResource, _ options: RepresentationOptions) -> Bool {
    let size = resource.storedSize
    if let side = options.longestSide, max(size.width, size.height) > side { return false }
    return options.acceptedTypes?.admits(typeIdentifier: resource.uniformTypeIdentifier) ?? true
  }

  private func plan(
    _ facts: MovieFacts, _ resource: AssetResource, isCompatible: Bool, _ options: RepresentationOptions
  ) -> MoviePlan? {
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    let stripping = options.stripping.policy
    return isCompatible
      ? MoviePlan(
        compatible: facts, of: format, isWholeFile: resource.byteRange == nil,
        longestSide: options.longestSide, stripping: stripping)
      : MoviePlan(stripping: stripping, facts, of: format)
  }

  /// The file of a video, or a copy of the part that it is.
  private struct Source {
    let reader: any ResourceReader
    let descriptor: Int32
    /// Whether the descriptor is this one's own.
    private let copy: TemporaryFile?

    init(_ resource: AssetResource, _ store: any OriginalAccess) throws(ConfinedProgram.Failure) {
      do throws(AssetError) {
        reader = try store.reader(for: resource)
        if resource.byteRange == nil, let descriptor = reader.descriptor {
          (self.descriptor, copy) = (descriptor, nil)
        } else {
          let copy = try TemporaryFile(of: reader, name: resource.name)
          (descriptor, self.copy) = (copy.descriptor, copy)
        }
      } catch {
        throw .failed(error.reason)
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
        "stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,color_transfer"
          + ":stream_disposition=attached_pic:format=duration:format_tags", ConfinedProgram.input,
      ], input: descriptor, output: nil, cancellation: cancellation
    ) { if text.utf8.count < Self.longestFacts { text += $0 + "\n" } }
    return MovieFacts(flat: text)
  }

  /// - Returns: the last thing that FFmpeg complained of, though it came to an end.
  private func run(
    _ plan: MoviePlan, _ facts: MovieFacts, _ encoder: ConfinedProgram, _ source: Source, _ output: Int32,
    _ cancellation: Cancellation, _ progress: (Double) -> Void
  ) throws(ConfinedProgram.Failure) -> String {
    var said = ""
    let arguments = plan.arguments(
      input: ConfinedProgram.input, output: ConfinedProgram.output, tags: facts.plainTags)
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
    // A program that ends well without a word has not been FFmpeg.
    guard lseek(output, 0, SEEK_END) > 0 else { throw .failed("it wrote nothing") }
    // Without the name and the address of the part that says it: "[matroska,webm @ 0x5575] File ended prematurely".
    return said.firstIndex(of: "]").map { String(said[said.index(after: $0)...].drop { $0 == " " }) } ?? said
  }
}

/// The lines that `ffmpeg -progress` prints: names and values.
enum MovieProgress {
  /// How far it has come; nil where the line says something else.
  static func seconds(_ line: String) -> Double? {
    let mark = "out_time_us="
    guard line.hasPrefix(mark) else { return nil }
    return Double(line.dropFirst(mark.count)).map { $0 / 1_000_000 }
  }

  /// Whether it is one of them, and no message.
  static func isReport(_ line: String) -> Bool {
    guard let sign = line.firstIndex(of: "=") else { return false }
    return line[..<sign].allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }
  }
}

/// How a video is turned into one that its consumer can use.
struct MoviePlan: Hashable, Sendable {
  enum Video: Hashable, Sendable {
    case copied
    /// H.264, at most so many pixels on its longer side (nil = as it is); from a brighter range where it has one.
    case encoded(longestSide: Int?, isHighDynamicRange: Bool)
  }

  /// FFmpeg's name of the container.
  var container: String
  var video: Video
  var copiesAudio: Bool
  var stripping: MetadataPolicy.Stripping
  /// FFmpeg's name of the codec that the video has; nil where it is not known.
  var videoCodec: String?

  /// How FFmpeg is to read: this one file, and no list of others that looks like a video.
  static let reading = ["-protocol_whitelist", "file", "-format_whitelist", "mov,matroska,avi,mpegts"]

  /// The codecs that are copied where metadata go, with the units of a stream that show the picture, as `filter_units` wants them;
  /// nil where a stream has no others.
  ///
  /// In messages, user data and units that are not defined camcorders write where they are. What stands in the frames of other codecs
  /// nobody knows: they are encoded again. Sources: H.264 table 7-1, H.265 table 7-1, H.262 table 6-1, AV1 6.2.2.
  private static let clean: [String: String?] = [
    "h264": "1-5|7-11", "hevc": "0-9|16-21|32-37", "mpeg2video": "0-175|179|181|183|184", "av1": "1-4|6-8",
    "vp8": nil, "vp9": nil,
  ]
  /// The same of sound.
  ///
  /// Others have room for words in their frames, or carry their tags in their header, as Vorbis and FLAC do.
  private static let cleanAudio: Set<String> = ["aac", "alac", "amr_nb", "amr_wb", "opus"]

  /// Codecs that browsers and telephones play in an MP4.
  private static let audioCodecs: Set<String> = ["aac"]
  private static let pixelFormats: Set<String> = ["yuv420p", "yuvj420p"]

  /// An MP4 that plays everywhere; nil where the file is one already.
  init?(
    compatible facts: MovieFacts, of format: FileFormat?, isWholeFile: Bool, longestSide: Int?,
    stripping: MetadataPolicy.Stripping
  ) {
    let isTooLong = longestSide.map { max(facts.width, facts.height) > $0 } ?? false
    let isPlayable =
      facts.videoCodec == "h264" && Self.pixelFormats.contains(facts.pixelFormat ?? "") && !isTooLong
    copiesAudio = facts.audioCodec.map(Self.audioCodecs.contains) ?? true
    if isPlayable, copiesAudio, isWholeFile, stripping == .nothing, format == .mp4 || format == .m4v {
      return nil
    }
    container = "mp4"
    video =
      isPlayable || facts.videoCodec == nil
      ? .copied : .encoded(longestSide: isTooLong ? longestSide : nil, isHighDynamicRange: facts.isBright)
    self.stripping = stripping
    videoCodec = facts.videoCodec
  }

  /// The same video in the same container with less metadata; nil where nobody knows how to write that one.
  init?(stripping: MetadataPolicy.Stripping, _ facts: MovieFacts, of format: FileFormat?) {
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
    videoCodec = facts.videoCodec
    let isClean = facts.videoCodec.map { Self.clean[$0] != nil } ?? true
    video = isClean ? .copied : .encoded(longestSide: nil, isHighDynamicRange: facts.isBright)
    copiesAudio = facts.audioCodec.map { Self.cleanAudio.contains($0) || $0.hasPrefix("pcm_") } ?? true
  }

  /// How it comes about, in a word.
  var method: String { video == .copied && copiesAudio ? "remuxed" : "transcoded" }

  /// FFmpeg's arguments but for its own name.
  /// - Parameters:
  ///   - input: what it reads, and `output` what it writes, as it is to open them.
  ///   - tags: those that stay where the others go.
  func arguments(input: String, output: String, tags: [String: String]) -> [String] {
    var words = ["-nostdin", "-hide_banner", "-loglevel", "error"] + Self.reading
    words += ["-i", input, "-map", "0:V:0?", "-map", "0:a:0?", "-sn", "-dn"]
    switch video {
    case .copied:
      words += ["-c:v", "copy"]
      if stripping != .nothing, let units = videoCodec.flatMap({ Self.clean[$0] ?? nil }) {
        words += ["-bsf:v", "filter_units=pass_types=\(units)"]
      }
    case .encoded(let side, let isBright):
      words += ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-profile:v", "high"]
      // AVI has no times of its own for pictures that come in another order.
      if container == "avi" { words += ["-bf", "0"] }
      var filters: [String] = []
      if isBright {
        filters.append(
          "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,"
            + "zscale=t=bt709:m=bt709:r=tv")
      }
      // Square pixels: not every player, and no browser's still, asks for their shape.
      filters.append("scale=trunc(iw*sar/2)*2:ih")
      // Halves of both sides: colors are stored half as fine.
      filters.append(
        side.map { max(2, $0 / 2 * 2) }.map {
          "scale='if(gt(iw,ih),min(iw,\($0)),-2)':'if(gt(iw,ih),-2,min(ih,\($0)))'"
        }
          ?? "scale=trunc(iw/2)*2:trunc(ih/2)*2")
      filters += ["setsar=1", "format=yuv420p"]
      words += ["-vf", filters.joined(separator: ",")]
    }
    words +=
      copiesAudio ? ["-c:a", "copy"] : ["-c:a", container == "webm" ? "libopus" : "aac", "-b:a", "160k"]
    words += metadata(tags)
    if container == "mp4" || container == "mov" {
      words += ["-movflags", stripping == .all ? "+faststart" : "+faststart+use_metadata_tags"]
    }
    return words + ["-progress", "pipe:1", "-f", container, "-y", output]
  }

  private func metadata(_ tags: [String: String]) -> [String] {
    switch stripping {
    case .nothing:
      // What the old container said of itself is no tag of the new one.
      return ["-map_metadata", "0"]
        + ["major_brand", "minor_version", "compatible_brands"].flatMap { ["-metadata", "\($0)="] }
    case .location:
      return ["-map_metadata", "-1", "-map_chapters", "-1"]
        + tags.sorted { $0.key < $1.key }.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
    case .all:
      return ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags", "+bitexact"]
    }
  }
}
