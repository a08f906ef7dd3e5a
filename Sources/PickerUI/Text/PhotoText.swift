import AssetLibrary
import MediaFormats
import Pixels

// Texts about a single photo, independent of the picker.

extension Asset {
  /// The name of the primary file; of a deleted asset, the one that it had before.
  var displayName: DisplayText { DisplayText(bytes: deletion?.originalPath.nameBytes ?? nameBytes) }

  /// The name, shortened for use in a sentence.
  var shortName: String { displayName.middleTruncated(to: 40).string }
}

extension AssetResource {
  /// The common name of the format; by default the last word of its identifier in capitals.
  var formatName: String {
    if let format = FileFormat(uniformTypeIdentifier: uniformTypeIdentifier) { return format.name }
    if uniformTypeIdentifier == FileFormat.unknownTypeIdentifier { return "" }
    return uniformTypeIdentifier.split(separator: ".").last?.uppercased() ?? ""
  }
}

extension LocaleFormat {
  /// "2 May 2024, 14:05".
  func date(of asset: Asset) -> String { date(asset.creationDate) }

  /// "2 May 2024, 14:05".
  func date(_ date: AssetDate) -> String {
    let time = date.components
    let clock = [time.hour, time.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return "\(day(year: time.year, month: time.month, day: time.day)), \(clock)"
  }

  /// Pixels, duration, size and format, as far as they are known.
  func technicalFacts(of asset: Asset) -> String {
    var facts: [String] = []
    if !asset.pixelSize.isEmpty { facts.append(asset.pixelSize.description) }
    if asset.duration > 0 { facts.append(duration(asset.duration)) }
    if let resource = asset.primaryResource {
      facts.append(size(resource.byteCount))
      facts.append(resource.formatName)
    }
    return facts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// Aperture, exposure time, ISO speed and focal length; nil if none is known.
  func exposure(_ details: AssetDetails) -> String? {
    var exposure: [String] = []
    if let aperture = details.fNumber { exposure.append("f/\(decimal(aperture))") }
    switch details.exposureTime.flatMap(ExposureTime.init) {
    case .fraction(let denominator): exposure.append("1/\(denominator)")
    case .seconds(let seconds): exposure.append("\(decimal(seconds)) s")
    case nil: break
    }
    if let speed = details.isoSpeed { exposure.append("ISO \(speed)") }
    if let length = details.focalLength { exposure.append("\(decimal(length)) mm") }
    return exposure.isEmpty ? nil : exposure.joined(separator: " · ")
  }

  /// Codec, profile, dynamic range and frame rate of a video; nil if the codec is unknown.
  func codec(_ track: MovieTrack?) -> String? {
    guard let track, let codec = track.codec else { return nil }
    var facts = [[codec, track.profile].compactMap { $0 }.joined(separator: " ")]
    if let video = track.video {
      switch video.dynamicRange {
      case .standard: break
      case .hlg: facts.append("HLG")
      case .pq: facts.append("PQ")
      case .hdr10: facts.append("HDR10")
      case .dolbyVision: facts.append("Dolby Vision")
      }
      if let rate = video.frameRate {
        facts.append("\(video.isVariableFrameRate ?? false ? "~" : "")\(decimal(rate)) fps")
      }
    }
    return facts.joined(separator: " · ")
  }

  /// Codec and channels of a sound track; nil if the codec is unknown.
  func sound(_ track: MovieTrack?) -> String? {
    guard let track, let codec = track.codec else { return nil }
    var facts = [[codec, track.profile].compactMap { $0 }.joined(separator: " ")]
    if let count = track.channelCount { facts.append(Wording.count(count, "channel")) }
    return facts.joined(separator: " · ")
  }

  /// Camera, lens and exposure, as far as they are known.
  func cameraFacts(_ details: AssetDetails) -> [String] {
    [details.camera, details.lens, exposure(details)].compactMap { $0 }
  }
}
