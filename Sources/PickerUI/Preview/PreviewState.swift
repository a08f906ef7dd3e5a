import AssetLibrary

/// The photo that is looked at: how closely, which version of it, and what is known of it.
struct PreviewState: Sendable {
  /// nil until the user turns the preview on or off: where there is room.
  var isWanted: Bool?
  var isFullScreen = false
  var showsInfo = false
  /// The first line of the info in sight.
  var infoScroll = 0
  /// The version of an asset that is looked at, where it is another one than the current.
  var versionChoice: VersionChoice?
  /// The burst whose pictures are looked at one by one.
  var burst: BurstReview?
  /// How closely a picture in full screen is looked at; nil = all of it is seen.
  var zoom: Zoom?
  /// The preview that stays until the next one is ready.
  var held: PictureKey?
  var heldGeneration = 0
  /// The part of a picture that was asked for last.
  var askedPart: PictureKey?
  /// The camera's facts of the previewed asset and its neighbours; empty ones until they are read.
  var details: [LocalIdentifier: AssetDetails] = [:]
  var playback = Playback()

  init(isWanted: Bool? = nil) {
    self.isWanted = isWanted
  }
}

extension PreviewState {
  /// How long an old preview may stand in for the next one, in milliseconds.
  static let patience = 150

  /// The version of an asset that is looked at.
  func version(of asset: Asset) -> AssetVersion {
    guard let versionChoice, versionChoice.asset == asset.id else { return .current }
    return versionChoice.version
  }

  /// Lets the old preview stand while the new one is being made.
  mutating func hold(_ old: PictureKey?, until new: PictureKey, _ pictures: PictureState) -> [PickerEffect] {
    heldGeneration += 1
    if pictures[new] != nil {
      held = nil
      return []
    }
    if let old, case .ready = pictures[old] { held = old }
    // Cells of another size would not hold the old picture.
    if let held, held.size != new.size { self.held = nil }
    return [.startTimer(.preview(generation: heldGeneration), milliseconds: Self.patience)]
  }

  /// Keeps the facts of some assets, and asks for those that are not known.
  ///
  /// Read ahead like the pictures: they appear together.
  mutating func wantDetails(of assets: [Asset]) -> [PickerEffect] {
    let before = details
    details = [:]
    for asset in assets { details[asset.id] = before[asset.id] ?? AssetDetails() }
    return assets.filter { before[$0.id] == nil }.map(PickerEffect.loadDetails)
  }

  /// Chooses the part of a picture to ask for next.
  ///
  /// One that is being made is finished first, wherever the user has gone since: under a held key something
  /// moves, where every step that cancelled the one before would show nothing until the key is let go.
  /// - Parameter target: the part that is looked at; nil where it is the whole picture.
  mutating func askForPart(_ target: PictureKey?, _ pictures: PictureState) {
    if let target, let askedPart, askedPart.whole == target.whole, pictures[askedPart] == nil { return }
    askedPart = target
  }
}
