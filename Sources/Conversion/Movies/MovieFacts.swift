/// The properties of a video that decide how it is converted.
struct MovieFacts: Hashable, Sendable {
  /// FFmpeg's names of codecs and formats, such as "h264" and "yuv420p"; nil if there is no such stream.
  var videoCodec: String?
  var pixelFormat: String?
  var audioCodec: String?
  /// In square pixels, before rotation.
  var width = 0
  var height = 0
  /// The transfer characteristics, such as "arib-std-b67".
  var transfer: String?
  /// In seconds.
  var duration = 0.0
  /// How many seconds after the start of the file the pictures begin: sound may precede them.
  var videoDelay = 0.0
  /// The numbers of audio and subtitle streams.
  var audioCount = 0
  var subtitleCount = 0
  /// The file's tags that do not reveal a location.
  var plainTags: [String: String] = [:]
  /// The version of FFmpeg that reads the file; nil for a build without a number, which is a recent one.
  var toolVersion: ToolVersion?

  /// The first two numbers of FFmpeg's version.
  struct ToolVersion: Hashable, Comparable, Sendable {
    var major: Int
    var minor: Int

    init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }

    /// Parses "5.1.9-0+deb12u1", "n6.1" or "7"; nil for "N-110000-g1234567".
    init?(_ text: String) {
      let numbers = text.drop { $0 == "n" }.prefix { $0.isNumber || $0 == "." }.split(separator: ".")
      guard let major = numbers.first.flatMap({ Int($0) }) else { return nil }
      self.init(major, numbers.dropFirst().first.flatMap { Int($0) } ?? 0)
    }

    static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
  }

  /// The names of the file's tags that contain captions, also in a language: "comment-eng".
  var captionTags: [String] = []

  /// The names of tags with captions, in lower case.
  private static let captions = [
    "title", "description", "comment", "synopsis", "summary", "subject", "caption",
    "com.apple.quicktime.title", "com.apple.quicktime.displayname", "com.apple.quicktime.description",
    "com.apple.quicktime.comment", "com.apple.quicktime.information",
  ]

  /// The tags to keep when the location is removed, in lower case.
  private static let plain: Set<String> = [
    "creation_time", "title", "artist", "author", "comment", "copyright", "description", "make", "model",
    "date",
    "com.apple.quicktime.make", "com.apple.quicktime.model", "com.apple.quicktime.creationdate",
    "com.apple.quicktime.software", "com.apple.quicktime.title", "com.apple.quicktime.description",
  ]

  /// Parses the output of `ffprobe -of flat`: `streams.stream.0.codec_name="h264"`.
  init(flat text: String) {
    var streams: [Int: [String: String]] = [:]
    var start = 0.0
    for line in text.split(separator: "\n") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let key = line[..<sign]
      let value = Self.unquoted(line[line.index(after: sign)...])
      let parts = key.split(separator: ".", maxSplits: 3)
      if parts.count == 4, parts[0] == "streams", let index = Int(parts[2]) {
        streams[index, default: [:]][String(parts[3])] = value
      } else if key == "format.duration" {
        duration = Self.time(value) ?? 0
      } else if key == "format.start_time" {
        start = Self.time(value) ?? 0
      } else if key == "program_version.version" {
        toolVersion = ToolVersion(value)
      } else if key.hasPrefix("format.tags.") {
        // ffprobe replaces dots in names by underscores.
        let name = key.dropFirst("format.tags.".count).lowercased()
        if let tag = Self.plain.first(where: { $0.replacingDots == name.replacingDots }) {
          plainTags[tag] = value
        }
        for tag in Self.captions {
          let rest = name.dropFirst(tag.count)
          guard name.hasPrefix(tag.replacingDots), rest.isEmpty || rest.count == 4 && rest.first == "_" else {
            continue
          }
          captionTags.append(rest.isEmpty ? tag : "\(tag)-\(rest.dropFirst())")
        }
      }
    }
    for (_, stream) in streams.sorted(by: { $0.key < $1.key }) { take(stream, start: start) }
  }

  /// - Parameter start: the time stamp at which the file begins.
  private mutating func take(_ stream: [String: String], start: Double) {
    switch stream["codec_type"] {
    case "video" where videoCodec == nil && stream["disposition.attached_pic"] != "1":
      videoCodec = stream["codec_name"] ?? ""
      pixelFormat = stream["pix_fmt"]
      width = stream["width"].flatMap { Int($0) } ?? 0
      let shape = (stream["sample_aspect_ratio"] ?? "").split(separator: ":").compactMap { Double($0) }
      if shape.count == 2, shape[0] > 0, shape[1] > 0, (0.25...4).contains(shape[0] / shape[1]) {
        width = Int(Double(min(width, 1 << 20)) * shape[0] / shape[1])
      }
      height = stream["height"].flatMap { Int($0) } ?? 0
      transfer = stream["color_transfer"]
      videoDelay = max(0, (Self.time(stream["start_time"]) ?? start) - start)
    case "audio":
      audioCount += 1
      if audioCodec == nil { audioCodec = stream["codec_name"] ?? "" }
    case "subtitle": subtitleCount += 1
    default: break
    }
  }

  /// Whether the video has a high dynamic range: PQ or HLG (ITU-R BT.2100).
  var isHighDynamicRange: Bool { ["smpte2084", "arib-std-b67"].contains(transfer ?? "") }

  /// Parses a time in seconds; nil if it is longer than that of any video, so that sums of times can't overflow.
  private static func time(_ text: String?) -> Double? {
    text.flatMap { Double($0) }.flatMap { abs($0) < 1e9 ? $0 : nil }
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.first == "\"", text.last == "\"", text.count >= 2 else { return String(text) }
    var result = ""
    var isEscaped = false
    for letter in text.dropFirst().dropLast() {
      if !isEscaped, letter == "\\" {
        isEscaped = true
        continue
      }
      result.append(isEscaped && letter == "n" ? "\n" : letter)
      isEscaped = false
    }
    return result
  }
}

extension StringProtocol {
  fileprivate var replacingDots: String { String(map { $0 == "." ? "_" : $0 }) }
}
