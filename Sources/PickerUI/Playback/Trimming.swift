import AssetLibrary

/// An end of the part of a video that is used.
enum TrimEdge {
  case start
  case end
}

extension Picks {
  /// Parts that are shorter can't be seen.
  private static let shortestPart: Duration = .milliseconds(100)

  /// Makes the result a part of the video that plays, which begins or ends with the frame that is seen.
  /// - Parameter edge: nil = the whole video again, or the original key photo of a Live Photo.
  mutating func trim(_ edge: TrimEdge?, on ground: PickingGround) -> [PickConsequence] {
    guard let played = ground.played else { return [] }
    let asset = played.asset
    guard let edge else {
      if keyPhotoTimes[asset.id] != nil {
        setKeyPhoto(of: asset, at: nil)
        return [.notice("The original key photo of \(asset.shortName) is used", .dim)]
      }
      guard trims[asset.id] != nil else { return [] }
      return use(nil, of: asset, "The whole of \(asset.shortName) is used", by: ground.rules)
    }
    let part = part(of: played, from: edge, by: ground.rules)
    if let reason = played.reasonNotDelivered(ground.options) { return [.notice(reason)] }
    if let reason = ground.rules.reasonNotTrimmable(asset, part, as: representation) {
      return [.notice(reason)]
    }
    guard part.upperBound - part.lowerBound >= Self.shortestPart else {
      return [.notice("Nothing would be left of \(asset.shortName)")]
    }
    let times = [part.lowerBound, part.upperBound].map {
      PlaybackLine.text($0, isExact: true, ground.locale)
    }
    return use(
      part, of: asset, "From \(times[0]) to \(times[1]) is used of \(asset.shortName)", by: ground.rules)
  }

  /// The part that begins or ends with the frame that is seen; the other end stays where that is possible.
  private func part(of played: PlayedClip, from edge: TrimEdge, by rules: PickRules) -> Range<Duration> {
    let (asset, time) = (played.asset, played.playback.time)
    let length = played.playback.length ?? .seconds(max(0, asset.duration))
    let known = trims[asset.id]
    switch edge {
    case .start:
      var end = known.map(\.upperBound).flatMap { $0 > time ? $0 : nil } ?? max(time, length)
      if let most = rules.requirements.maximumDuration { end = min(end, time + .seconds(most)) }
      if let most = rules.longestPart(of: asset) { end = min(end, time + most) }
      return time..<max(time, end)
    case .end:
      // The frame that is seen is the last one. The part ends just before the next one, whose time may be rounded.
      let shown = max(.milliseconds(1), played.playback.frameDuration - .milliseconds(1))
      let end = max(.zero, min(max(time, length), time + shown))
      let start = known.map(\.lowerBound).flatMap { $0 < end ? $0 : nil } ?? .zero
      return start..<end
    }
  }

  private mutating func use(
    _ part: Range<Duration>?, of asset: Asset, _ words: String, by rules: PickRules
  ) -> [PickConsequence] {
    trim(asset, to: part)
    let rules = rules.measuring(trims)
    guard let shortfall = rules.shortfall(of: asset) else { return [.notice(words, .dim)] }
    let reason = rules.words(for: shortfall, of: asset)
    return [
      .notice(drop(asset) ? "\(words), and no longer picked: \(reason)" : "\(words): \(reason)")
    ]
  }
}
