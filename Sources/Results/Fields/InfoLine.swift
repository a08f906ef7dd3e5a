import AssetLibrary

/// A line of `tpick info`: a field, or several related ones, formatted for people.
package struct InfoLine: Sendable {
  package let label: String
  /// Whether the text may have several lines, which are printed as one.
  package let isProse: Bool
  /// Formats the line; nil = print the field's value.
  private let text: (@Sendable (AssetRecord) -> String?)?

  /// Creates a line with the field's value.
  init(_ label: String, isProse: Bool = false) {
    (self.label, self.isProse, text) = (label, isProse, nil)
  }

  /// - Parameters:
  ///   - label: the word before the text.
  ///   - isProse: whether the text may have several lines.
  ///   - text: returns the text after the label; nil if it is unknown.
  init(_ label: String, isProse: Bool = false, _ text: @escaping @Sendable (AssetRecord) -> String?) {
    (self.label, self.isProse, self.text) = (label, isProse, text)
  }

  /// Returns the text after the label; nil if it is unknown.
  fileprivate func text(of record: AssetRecord, _ value: FieldValue?) -> String? {
    if let text { return text(record) }
    return switch value {
    case .text(let text): text
    case .texts(let texts): texts.joined(separator: ", ")
    case .flag(let flag): flag ? "yes" : nil
    case .date(let date): date.iso8601
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .path(let path): String(decoding: path, as: UTF8.self)
    case .location, .resources, .albums, .tracks, .chapters, nil: nil
    }
  }

  // MARK: Texts

  /// Rounds to six decimals, about 0.1 m.
  static func degrees(_ angle: Double) -> Double { (angle * 1_000_000).rounded() / 1_000_000 }

  static func duration(_ seconds: Double) -> String {
    guard let tenths = Int(exactly: (seconds * 10).rounded()) else { return "\(seconds) s" }
    let (minutes, rest) = (tenths / 600, tenths % 600)
    return minutes > 0 ? "\(minutes) min \(rest / 10) s" : "\(rest / 10).\(rest % 10) s"
  }

  /// Codec, profile, dynamic range and frame rate of a video: "h264 High, 29.97 frames per second".
  static func codec(_ track: MovieTrack?) -> String? {
    guard let track, let codec = track.codec else { return nil }
    var parts = [[codec, track.profile].compactMap { $0 }.joined(separator: " ")]
    if let video = track.video {
      if video.dynamicRange.isHigh { parts.append(video.dynamicRange.name) }
      if let rate = video.frameRate {
        let kind = video.isVariableFrameRate ?? false ? " on average" : ""
        parts.append("\((rate * 100).rounded() / 100) frames per second\(kind)")
      }
      if video.rotation != 0 { parts.append("turned by \(video.rotation)°") }
      if video.pixelWidth != video.pixelHeight {
        parts.append("pixels \(video.pixelWidth):\(video.pixelHeight)")
      }
    }
    return parts.joined(separator: ", ")
  }

  /// Codec, channels and sample rate of a sound track: "aac LC, 2 channels, 48000 Hz".
  static func sound(_ track: MovieTrack?) -> String? {
    guard let track, let codec = track.codec else { return nil }
    var parts = [[codec, track.profile].compactMap { $0 }.joined(separator: " ")]
    if let count = track.channelCount { parts.append(Wording.count(count, "channel")) }
    if let rate = track.sampleRate { parts.append("\(rate) Hz") }
    return parts.joined(separator: ", ")
  }

  static func exposure(_ details: AssetDetails) -> String {
    var parts: [String] = []
    switch details.exposureTime.flatMap(ExposureTime.init) {
    case .fraction(let denominator): parts.append("1/\(denominator) s")
    case .seconds(let seconds): parts.append("\(seconds) s")
    case nil: break
    }
    if let number = details.fNumber { parts.append("f/\((number * 10).rounded() / 10)") }
    if let speed = details.isoSpeed { parts.append("ISO \(speed)") }
    if let length = details.focalLength { parts.append("\((length * 10).rounded() / 10) mm") }
    return parts.joined(separator: ", ")
  }
}

extension AssetRecord {
  /// The lines of `tpick info`: the fields that have a line, then the identifier and the files.
  ///
  /// Texts from files are not escaped and may contain any character.
  package var infoLines: [(line: InfoLine, text: String)] {
    let fields = AssetField.all.compactMap { field -> (line: InfoLine, text: String)? in
      guard let line = field.line, let text = line.text(of: self, field.content.value(self)), !text.isEmpty
      else { return nil }
      return (line, text)
    }
    let identifier = (line: InfoLine("identifier"), text: asset.localIdentifier.rawValue)
    let files = asset.resources.map { resource in
      let path = String(decoding: resource.path.bytes, as: UTF8.self)
      let size = Wording.count(resource.byteCount, "byte")
      let part = resource.byteRange.map { ", embedded at byte \($0.lowerBound)" } ?? ""
      return (
        line: InfoLine(resource.type.rawValue),
        text: "\(path), \(resource.uniformTypeIdentifier), \(size)\(part)"
      )
    }
    return fields + [identifier] + files
  }
}
