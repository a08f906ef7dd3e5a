import AssetLibrary
import MediaFormats
import Metadata

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
