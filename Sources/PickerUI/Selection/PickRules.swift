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
  /// The label of the key that restores photos of Recently Deleted.
  private let restoringKey: String?
  /// The requirements of the caller; none while the accessible photos are chosen.
  let requirements: PickerRequirements
  /// How picks are measured; not at all while the accessible photos are chosen.
  let measure: PickMeasure

  init(_ options: PickerOptions, mode: AccessMode, representation: RepresentationOptions) {
    self.mode = mode
    isReportedContinuously = options.configuration.selection.isReportedContinuously
    acceptsLineBreaks = options.acceptsLineBreaks
    needsOriginals = options.client.needsOriginals
    isOffline = options.opening.isOffline
    allowsActions = options.allows(.selectionActions)
    locale = options.locale
    restoringKey = options.isReadOnly ? nil : options.keyLabel(.renameAlbum)
    requirements = mode == .picking ? options.configuration.requirements : PickerRequirements()
    measure =
      mode == .picking
      ? PickMeasure(
        representation: representation, version: options.configuration.version,
        countsAllResources: options.deliversAllResources) : PickMeasure()
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
    if let shortfall = requirements.shortfall(of: asset) {
      return "\(name) can't be picked: \(words(for: shortfall))"
    }
    if let reason = measure.unavailability(of: asset) { return "\(name) can't be picked: \(reason)" }
    return nil
  }

  /// Whether an asset is shown although the caller's requirements exclude it.
  func isUnfit(_ asset: Asset) -> Bool {
    requirements.shortfall(of: asset) != nil || measure.unavailability(of: asset) != nil
  }

  /// Whether an asset can't be picked because a limit is reached.
  func isBeyondLimit(_ asset: Asset, in selection: Selection) -> Bool {
    mode == .picking && !selection.isSingleChoice && selection.isFull(asset.mediaType)
      && !selection.contains(asset.id)
  }

  private func words(for shortfall: PickerRequirements.Shortfall) -> String {
    switch shortfall {
    case .tooShort(let minimum): "it is shorter than \(locale.duration(minimum))"
    case .tooLong(let maximum): "it is longer than \(locale.duration(maximum))"
    case .unknownDuration: "its duration is unknown"
    case .tooLarge(let maximum): "it is larger than \(locale.size(maximum))"
    }
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
