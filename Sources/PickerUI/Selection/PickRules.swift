import AssetLibrary

/// The rules for which photos can be picked, from the caller's requirements and the options of the result.
///
/// They do not depend on the picks: limits belong to the selection.
struct PickRules: Sendable {
  // Stores only what is needed rather than all options, because the rules are made for each message and each frame.
  private let mode: AccessMode
  private let isReportedContinuously: Bool
  private let acceptsLineBreaks: Bool
  private let needsOriginals: Bool
  private let isOffline: Bool
  private let allowsActions: Bool
  private let locale: LocaleFormat
  /// What makes a video that is too long or too large fit, with keys; nil if its result can't be a part of it.
  private let trimming: String?
  /// The label of the key that restores photos of Recently Deleted.
  private let restoringKey: String?
  /// The requirements of the caller; none while the accessible photos are chosen.
  let requirements: PickerRequirements
  /// How picks are measured; not at all while the accessible photos are chosen.
  private(set) var measure: PickMeasure

  init(
    _ options: PickerOptions, mode: AccessMode, representation: RepresentationOptions,
    trims: [LocalIdentifier: Range<Duration>] = [:], keyPhotoTimes: [LocalIdentifier: Duration] = [:]
  ) {
    self.mode = mode
    isReportedContinuously = options.configuration.selection.isReportedContinuously
    acceptsLineBreaks = options.acceptsLineBreaks
    needsOriginals = options.client.needsOriginals
    isOffline = options.opening.isOffline
    allowsActions = options.allows(.selectionActions)
    locale = options.locale
    let delivers = mode == .picking && !isReportedContinuously && representation.mode != .current
    if delivers, let play = options.keyLabel(.play), let start = options.keyLabel(.trimStart) {
      trimming = "Press \(play) to play it, and \(start) where a part begins that fits"
    } else {
      trimming = nil
    }
    restoringKey = options.isReadOnly ? nil : options.keyLabel(.renameAlbum)
    requirements = mode == .picking ? options.configuration.requirements : PickerRequirements()
    measure =
      mode == .picking
      ? PickMeasure(
        representation: representation, version: options.configuration.version,
        countsAllResources: options.deliversAllResources, trims: trims,
        keyPhotoTimes: keyPhotoTimes) : PickMeasure()
  }

  /// The same rules with other parts of videos.
  func measuring(_ trims: [LocalIdentifier: Range<Duration>]) -> PickRules {
    var rules = self
    if mode == .picking { rules.measure.trims = trims }
    return rules
  }

  /// Why an asset can't be picked; nil if it can.
  func reasonNotSelectable(_ asset: Asset) -> String? {
    let name = asset.shortName
    if asset.deletion != nil {
      return "\(name) is deleted and can't be picked"
        + (restoringKey.map { ". Press \($0) to restore it" } ?? "")
    }
    if asset.isBroken { return "\(name) can't be picked: \(asset.defect ?? "")" }
    if mode == .picking, hasForbiddenLineBreak(asset) {
      return "\(name) has a line break in its name: use --print0"
    }
    if mode == .picking, needsOriginals, !asset.isLocallyAvailable {
      if isOffline {
        return
          "\(name) can't be picked: its original is not downloaded (--offline)"
      }
      if isReportedContinuously {
        return "\(name) can't be picked yet: preview it to download the original"
      }
    }
    if let shortfall = shortfall(of: asset) {
      let words = "\(name) can't be picked: \(words(for: shortfall, of: asset))"
      guard asset.mediaType == .video, let trimming else { return words }
      switch shortfall {
      case .tooLong, .tooLarge: return "\(words). \(trimming)"
      case .tooShort, .unknownDuration: return words
      }
    }
    if let reason = measure.unavailability(of: asset) {
      let words = "\(name) can't be picked: \(reason)"
      let isTooLarge =
        measure.representation.byteCount.map { asset.presenting(measure.version).byteCount > $0 } ?? false
      return asset.mediaType == .video && isTooLarge
        ? [words, trimming].compactMap(\.self).joined(separator: ". ") : words
    }
    return nil
  }

  /// Whether an asset is shown although the caller's requirements exclude it.
  func isUnfit(_ asset: Asset) -> Bool {
    shortfall(of: asset) != nil || measure.unavailability(of: asset) != nil
  }

  /// The requirement that what is delivered of an asset does not meet; nil if it meets all.
  func shortfall(of asset: Asset) -> PickerRequirements.Shortfall? {
    guard measure.trims[asset.id] != nil else { return requirements.shortfall(of: asset) }
    return requirements.shortfall(of: measure.delivered(asset), as: measure.representation)
  }

  /// Whether an asset can be added to a bulk selection.
  func isFit(_ brief: AssetBrief) -> Bool {
    guard measure.trims[brief.localIdentifier] != nil else { return requirements.shortfall(of: brief) == nil }
    return shortfall(of: Asset(placeholderFor: brief)) == nil
  }

  /// The longest part of a video that is expected to be small enough; nil if there is no limit of the size.
  ///
  /// The estimate is an average, and some scenes need more: a fifth of the limit is kept for them.
  func longestPart(of asset: Asset) -> Duration? {
    let limits = [requirements.maximumByteCount, measure.representation.byteCount]
    guard let limit = limits.compactMap(\.self).min(), asset.duration > 0 else { return nil }
    let whole = asset.presenting(measure.version).trimmed(to: .zero..<(.seconds(asset.duration)))
    var options = measure.representation
    options.byteCount = nil
    let size = RepresentationPlan.estimatedByteCount(of: whole, options).byteCount
    guard size > limit else { return nil }
    return .seconds(asset.duration * 0.8 * Double(limit) / Double(size))
  }

  /// Why no part of a video can be delivered; nil if it can.
  func reasonNotTrimmable(
    _ asset: Asset, _ part: Range<Duration>, as representation: RepresentationOptions
  ) -> String? {
    guard asset.mediaType == .video else { return "Only a part of a video can be used" }
    if mode == .managing { return "What an app may see is a whole video" }
    if isReportedContinuously { return "No parts: picks are reported at once, unchanged" }
    let plan = RepresentationPlan(asset.trimmed(to: part), representation)
    return plan.unavailability.map { "\(asset.shortName): \($0)" }
  }

  /// Why a frame of a clip can't be delivered as the key photo; nil if it can.
  /// - Parameter time: the time of the frame, from the start of the clip.
  func reasonNotKeyPhoto(
    _ asset: Asset, at time: Duration, as representation: RepresentationOptions
  ) -> String? {
    guard asset.playbackStyle == .livePhoto else { return "Only a Live Photo has a key photo" }
    if mode == .managing { return "What an app may see has its original key photo" }
    if isReportedContinuously { return "No other key photos: picks are reported at once, unchanged" }
    var delivered = asset.presenting(measure.version)
    delivered.keyPhotoTime = time
    switch RepresentationPlan(delivered, representation) {
    case .keyPhoto: return nil
    case .unavailable(let reason): return "\(asset.shortName): \(reason)"
    default: return "Only the clip is used of \(asset.shortName), which has no key photo"
    }
  }

  /// Whether an asset can't be picked because a limit is reached.
  func isBeyondLimit(_ asset: Asset, in selection: Selection) -> Bool {
    mode == .picking && !selection.isSingleChoice && selection.isFull(asset.mediaType)
      && !selection.contains(asset.id)
  }

  /// Says what is wrong with an asset.
  func words(for shortfall: PickerRequirements.Shortfall, of asset: Asset) -> String {
    switch shortfall {
    case .tooLarge(let maximum) where measure.trims[asset.id] != nil:
      "it has about \(locale.size(partByteCount(of: asset))), more than \(locale.size(maximum))"
    case .tooShort(let minimum): "it is shorter than \(locale.duration(minimum))"
    case .tooLong(let maximum): "it is longer than \(locale.duration(maximum))"
    case .unknownDuration: "its duration is unknown"
    case .tooLarge(let maximum): "it is larger than \(locale.size(maximum))"
    }
  }

  /// The expected size of the part of a video.
  private func partByteCount(of asset: Asset) -> Int64 {
    RepresentationPlan.estimatedByteCount(of: measure.delivered(asset), measure.representation).byteCount
  }

  /// Whether a line break in an asset's name would make the output ambiguous.
  func hasForbiddenLineBreak(_ asset: Asset) -> Bool {
    !acceptsLineBreaks && asset.pathBytes.hasLineBreak
  }

  /// Why the options of the result are unavailable; nil if they are available, empty if no message is needed.
  var reasonForNoOptions: String? {
    if !allowsActions { return "Options are disabled" }
    if mode == .managing { return "" }
    return isReportedContinuously
      ? "No options: picks are reported at once, unchanged" : nil
  }
}
