import AssetLibrary
import Pixels

/// The state of the preview: zoom, version, burst, facts and playback.
struct PreviewState: Sendable {
  /// Whether the user turned the preview on or off; nil = on if there is room.
  var isWanted: Bool?
  /// The share of the window that the user gave it, in percent; nil = by the window's shape.
  var share: Int?
  var isFullScreen = false
  var showsInfo = false
  /// The first visible line of the info.
  var infoScroll = 0
  /// The version that is shown instead of the current one.
  var versionChoice: VersionChoice?
  /// The burst that the user is stepping through.
  var burst: BurstReview?
  /// The zoom in full screen; nil = the whole picture.
  var zoom: Zoom?
  /// The previous preview, shown until the next one is ready.
  var outgoing: PictureKey?
  /// The size of the photo in the outgoing preview, whose box it keeps.
  var outgoingSize = PixelSize(width: 0, height: 0)
  /// The size of the photo in the preview that was asked for last.
  private var wantedSize = PixelSize(width: 0, height: 0)
  var outgoingGeneration = 0
  /// The last requested part of a picture.
  var requestedPart: PictureKey?
  /// The details of the previewed asset and its neighbors; empty until they are loaded.
  var details: [LocalIdentifier: AssetDetails] = [:]
  /// The files that the details were requested of, as they were.
  private var detailedFiles: [LocalIdentifier: [FileVersion?]] = [:]
  var playback = Playback()

  init(isWanted: Bool? = nil, share: Int? = nil) {
    self.isWanted = isWanted
    self.share = share
  }
}

extension PreviewState {
  /// How long the outgoing preview may be shown in place of the next one, in milliseconds.
  static let outgoingDuration = 150

  /// The version of an asset that is shown.
  func version(of asset: Asset) -> AssetVersion {
    guard let versionChoice, versionChoice.asset == asset.id else { return .current }
    return versionChoice.version
  }

  /// Keeps showing the old preview while the new one is pending.
  /// - Parameter size: of the new one's photo.
  mutating func keepShowing(
    _ old: PictureKey?, until new: PictureKey, size: PixelSize, _ pictures: PictureState
  ) -> [PickerEffect] {
    outgoingGeneration += 1
    defer { wantedSize = size }
    if pictures[new] != nil {
      outgoing = nil
      return []
    }
    if let old, case .ready = pictures[old] { (outgoing, outgoingSize) = (old, wantedSize) }
    // A picture of another size does not fit into the new box.
    if let outgoing, outgoing.size != new.size { self.outgoing = nil }
    return [.startTimer(.preview(generation: outgoingGeneration), milliseconds: Self.outgoingDuration)]
  }

  /// Keeps only the details of some assets, and requests the missing ones, and those of files that have changed.
  ///
  /// Details are prefetched like previews, so that both appear together.
  mutating func requestDetails(of assets: [Asset]) -> [PickerEffect] {
    let (before, filesBefore) = (details, detailedFiles)
    (details, detailedFiles) = ([:], [:])
    for asset in assets {
      details[asset.id] = before[asset.id] ?? AssetDetails()
      detailedFiles[asset.id] = asset.resources.map(\.fileVersion)
    }
    return assets.filter { before[$0.id] == nil || filesBefore[$0.id] != detailedFiles[$0.id] }
      .map(PickerEffect.loadDetails)
  }

  /// Chooses the part of a picture to request next.
  ///
  /// A pending part is finished first, even if the user has panned on: while a key repeats, cancelling at
  /// every step would show nothing until it is released.
  /// - Parameter target: the visible part; nil if all of the picture is visible.
  mutating func requestPart(_ target: PictureKey?, _ pictures: PictureState) {
    if let target, let requestedPart, requestedPart.whole == target.whole, pictures[requestedPart] == nil {
      return
    }
    requestedPart = target
  }
}
