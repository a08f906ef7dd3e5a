import AssetLibrary

/// An end of the part of a video that is used.
enum TrimEdge {
  case start
  case end
}

extension PickerState {
  /// Parts that are shorter can't be seen.
  private static let shortestPart: Duration = .milliseconds(100)

  /// Makes the result a part of the video that plays, which begins or ends with the frame that is seen.
  /// - Parameter edge: nil = the whole video again, or the original key photo of a Live Photo.
  mutating func trim(_ edge: TrimEdge?) -> [PickerEffect] {
    guard preview.playback.isControllable, let asset = current else { return [] }
    guard let edge else {
      if picks.keyPhotoTimes[asset.id] != nil {
        picks.setKeyPhoto(of: asset, at: nil)
        return status.showNotice("The original key photo of \(asset.shortName) is used", .dim)
      }
      guard picks.trims[asset.id] != nil else { return [] }
      return use(nil, of: asset, "The whole of \(asset.shortName) is used")
    }
    let time = preview.playback.time
    let length = preview.playback.length ?? .seconds(max(0, asset.duration))
    let known = picks.trims[asset.id]
    let part: Range<Duration>
    switch edge {
    case .start:
      var end = known.map(\.upperBound).flatMap { $0 > time ? $0 : nil } ?? max(time, length)
      if let most = rules.requirements.maximumDuration { end = min(end, time + .seconds(most)) }
      if let most = rules.longestPart(of: asset) { end = min(end, time + most) }
      part = time..<max(time, end)
    case .end:
      // The frame that is seen is the last one. The part ends just before the next one, whose time may be rounded.
      let shown = max(.milliseconds(1), preview.playback.frameDuration - .milliseconds(1))
      let end = max(.zero, min(max(time, length), time + shown))
      let start = known.map(\.lowerBound).flatMap { $0 < end ? $0 : nil } ?? .zero
      part = start..<end
    }
    guard showsDeliveredClip(of: asset) else {
      return status.showNotice("This is not the version that is used of \(asset.shortName)", .warning)
    }
    if let reason = rules.reasonNotTrimmable(asset, part, as: picks.representation) {
      return status.showNotice(reason, .warning)
    }
    guard part.upperBound - part.lowerBound >= Self.shortestPart else {
      return status.showNotice("Nothing would be left of \(asset.shortName)", .warning)
    }
    let times = [part.lowerBound, part.upperBound].map { PlaybackLine.text($0, isExact: true, self) }
    return use(part, of: asset, "From \(times[0]) to \(times[1]) is used of \(asset.shortName)")
  }

  private mutating func use(_ part: Range<Duration>?, of asset: Asset, _ words: String) -> [PickerEffect] {
    picks.trim(asset, to: part)
    let rules = rules
    guard let shortfall = rules.shortfall(of: asset) else { return status.showNotice(words, .dim) }
    let reason = rules.words(for: shortfall, of: asset)
    return status.showNotice(
      picks.drop(asset) ? "\(words), and no longer picked: \(reason)" : "\(words): \(reason)", .warning)
  }
}
