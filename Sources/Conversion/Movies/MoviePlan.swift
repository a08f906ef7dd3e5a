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

  /// The units of a coded stream that hold messages and no picture, as `filter_units` wants them.
  ///
  /// Camcorders write where they are into them. Sources: H.264 table 7-1, H.265 table 7-1, H.262 table 6-1, AV1 6.2.2.
  private static let messages = ["h264": "6", "hevc": "39|40", "mpeg2video": "178", "av1": "5"]

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
    // Names of transfer curves: ITU-R BT.2100's PQ and HLG.
    let isBright = ["smpte2084", "arib-std-b67"].contains(facts.transfer ?? "")
    video =
      isPlayable || facts.videoCodec == nil
      ? .copied : .encoded(longestSide: isTooLong ? longestSide : nil, isHighDynamicRange: isBright)
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
    (video, copiesAudio, self.stripping) = (.copied, true, stripping)
    videoCodec = facts.videoCodec
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
      if stripping != .nothing, let messages = videoCodec.flatMap({ Self.messages[$0] }) {
        words += ["-bsf:v", "filter_units=remove_types=\(messages)"]
      }
    case .encoded(let side, let isBright):
      words += ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-profile:v", "high"]
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
    words += copiesAudio ? ["-c:a", "copy"] : ["-c:a", "aac", "-b:a", "160k"]
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
