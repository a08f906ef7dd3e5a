import AssetLibrary
import Pixels

/// The state of the preview: zoom, version, burst, facts and playback.
struct PreviewState: Sendable {
  /// Whether the user turned the preview on or off; nil = on if there is room.
  private(set) var isWanted: Bool?
  /// The share of the window that the user set, in percent; nil = depending on the window's shape.
  private(set) var share: Int?
  private(set) var isFullScreen = false
  private(set) var showsInfo = false
  /// The first visible line of the info.
  private(set) var infoScroll = 0
  /// The version that is shown instead of the current one.
  private var versionChoice: (asset: LocalIdentifier, version: AssetVersion)?
  /// The burst that the user is stepping through.
  private(set) var burst: BurstReview?
  /// The zoom in full screen; nil = the whole picture.
  private(set) var zoom: Zoom?
  /// The previous preview, shown until the next one is ready.
  private(set) var outgoing: PictureKey?
  /// The size of the photo in the outgoing preview, whose box it keeps.
  private(set) var outgoingSize = PixelSize(width: 0, height: 0)
  /// The size of the photo in the last requested preview.
  private var wantedSize = PixelSize(width: 0, height: 0)
  private(set) var outgoingGeneration = 0
  /// The last requested part of a picture.
  private(set) var requestedPart: PictureKey?
  /// The details of the previewed asset and its neighbors; empty until they are loaded.
  private(set) var details: [LocalIdentifier: AssetDetails] = [:]
  /// The files whose details were requested, in their state at that time.
  private var detailedFiles: [LocalIdentifier: [FileVersion?]] = [:]
  var playback = Playback()

  init(isWanted: Bool? = nil, share: Int? = nil) {
    self.isWanted = isWanted
    self.share = share
  }
}

extension PreviewState {
  /// Turns the preview beside the grid on or off.
  mutating func setWanted(_ isWanted: Bool) { self.isWanted = isWanted }

  mutating func enterFullScreen() { isFullScreen = true }

  mutating func leaveFullScreen() { isFullScreen = false }

  /// Drops the zoom and the burst once they are no longer shown.
  /// - Parameter asset: the one under the cursor of the grid; nil if there is none.
  mutating func settle(on asset: LocalIdentifier?) {
    if !isFullScreen { (zoom, burst) = (nil, nil) }
    if let burst, burst.representative != asset { self.burst = nil }
  }

  // MARK: The info

  mutating func toggleInfo() { showsInfo.toggle() }

  mutating func closeInfo() { showsInfo = false }

  mutating func scrollInfo(by lines: Int) { infoScroll += lines }

  mutating func scrollInfoToTop() { infoScroll = 0 }

  /// Keeps the info from scrolling beyond its ends.
  mutating func limitInfoScroll(to most: Int) { infoScroll = max(0, min(infoScroll, most)) }

  // MARK: The pane

  /// Sets another share of the window, in percent.
  mutating func setShare(_ share: Int) {
    let range = ScreenPreferences.previewShareRange
    self.share = max(range.lowerBound, min(share, range.upperBound))
  }

  /// How long the outgoing preview may be shown in place of the next one, in milliseconds.
  private static let outgoingDuration = 150

  /// The version of an asset that is shown.
  func version(of asset: Asset) -> AssetVersion {
    guard let versionChoice, versionChoice.asset == asset.id else { return .current }
    return versionChoice.version
  }

  /// Whether the version of an asset that is shown can be played.
  func canPlay(_ asset: Asset) -> Bool {
    !asset.isBroken && asset.playableResource(for: version(of: asset)) != nil
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
    // It may have been dropped with all pictures.
    if let outgoing, pictures[outgoing] == nil { self.outgoing = nil }
    // A picture of another size does not fit into the new box.
    if let outgoing, outgoing.size != new.size { self.outgoing = nil }
    return [.startTimer(.preview(generation: outgoingGeneration), milliseconds: Self.outgoingDuration)]
  }

  /// Stops showing the old preview once the new one is there.
  mutating func update(with pictures: PictureState) {
    if let wanted = pictures.wantedPreview, pictures[wanted] != nil { outgoing = nil }
  }

  /// Stops showing the old preview after its time.
  /// - Parameter asset: the current one: a part of its own picture may stay, however long the next part takes.
  mutating func endOutgoing(_ generation: Int, unlessOf asset: LocalIdentifier?) {
    if generation == outgoingGeneration, outgoing?.asset != asset { outgoing = nil }
  }

  /// Applies details that are still requested.
  mutating func add(_ details: AssetDetails, of asset: LocalIdentifier) {
    if self.details[asset] != nil { self.details[asset] = details }
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

/// The requested pictures and their outcomes.
///
/// Only keys: the host has the pixels.
struct PictureState: Sendable {
  private(set) var statuses: [PictureKey: PictureStatus] = [:]
  /// The pictures to have ready, the most urgent first.
  var wants: [PictureRequest] = []
  /// The downloaded fractions of the originals that are being downloaded.
  var downloads: [LocalIdentifier: Double] = [:]

  /// The outcome of a picture; nil while it is pending.
  subscript(key: PictureKey) -> PictureStatus? { statuses[key] }

  /// The picture that can be drawn for a key: its own, else a ready one with other marks.
  func ready(for key: PictureKey) -> PictureKey? {
    key.variants.first { if case .ready = statuses[$0] { true } else { false } }
  }

  /// The requested preview.
  var wantedPreview: PictureKey? { wants.wantedPreview }

  mutating func add(_ new: [PictureKey: PictureStatus]) { statuses.merge(new) { $1 } }

  /// Drops the outcomes of all other pictures.
  mutating func keep(_ isKept: (PictureKey) -> Bool) { statuses = statuses.filter { isKept($0.key) } }

  mutating func forgetAll() { self = PictureState() }

  /// The downloaded fraction of an original as text; nil if it is not being downloaded.
  func downloadText(of asset: Asset) -> String? {
    downloads[asset.id].map { "\(Int(($0 * 100).rounded(.down)))%" }
  }
}

extension [PictureRequest] {
  /// The preview among the wants.
  var wantedPreview: PictureKey? { first { $0.priority == .preview }?.key }
}

/// The pictures of a burst, one of which replaces its representative in full screen.
struct BurstReview: Hashable, Sendable {
  /// The picture that represents the burst in the grid.
  var representative: LocalIdentifier
  /// The pictures in capture order; empty until the library has answered.
  var members: [Asset] = []
  /// The index of the picture shown.
  var index = 0
  /// The offset from the representative that the user requested before the pictures were known.
  var pendingStep = 0

  /// Moves by an offset, wrapping around at the ends.
  mutating func move(by step: Int) {
    let count = max(1, members.count)
    index = ((index + step) % count + count) % count
  }
}

extension PreviewState {
  /// The asset with the properties of the version that is shown.
  func presented(_ asset: Asset) -> Asset { asset.presenting(version(of: asset)) }

  /// Shows the next version of an asset: current, unadjusted, original.
  /// - Returns: whether there is another one.
  mutating func showNextVersion(of asset: Asset) -> Bool {
    let versions = asset.distinctVersions
    guard versions.count > 1 else { return false }
    let index = versions.firstIndex(of: version(of: asset)) ?? 0
    versionChoice = (asset.id, versions[(index + 1) % versions.count])
    return true
  }

  /// Returns to the current version, unless the chosen one is of an asset.
  mutating func keepVersion(of asset: LocalIdentifier?) {
    if let versionChoice, versionChoice.asset != asset { self.versionChoice = nil }
  }

  /// The title and position of the version that is shown; nil if there is only one.
  func versionText(of asset: Asset) -> String? {
    let versions = asset.distinctVersions
    let version = version(of: asset)
    guard versions.count > 1, let index = versions.firstIndex(of: version) else { return nil }
    return "\(asset.title(of: version)), \(index + 1) of \(versions.count)"
  }
}

extension Asset {
  /// The versions that are different files, the current one first.
  var distinctVersions: [AssetVersion] {
    var resources: Set<AssetResource> = []
    return [AssetVersion.current, .unadjusted, .original].filter { version in
      resource(for: version).map { resources.insert($0).inserted } ?? false
    }
  }

  /// The title of a version among the others.
  fileprivate func title(of version: AssetVersion) -> String {
    guard let resource = resource(for: version) else { return "" }
    switch resource.type {
    case .fullSizePhoto, .fullSizeVideo: return "edited"
    case .alternatePhoto: return "RAW"
    default:
      let isBesideRaw = resources.contains { $0.type == .alternatePhoto }
      return hasAdjustments || !isBesideRaw
        ? "original" : resource.formatName
    }
  }
}

extension PreviewState {
  /// The burst that is shown instead of a photo; nil = the photo is shown.
  func shownBurst(of identifier: LocalIdentifier?) -> BurstReview? {
    guard isFullScreen, let burst, burst.members.indices.contains(burst.index),
      burst.representative == identifier
    else { return nil }
    return burst
  }

  /// Steps through a burst.
  ///
  /// While its pictures are being fetched, steps are added up.
  /// - Returns: whether the pictures must be fetched.
  mutating func step(by step: Int, inBurstOf asset: Asset) -> Bool {
    guard var known = burst else {
      burst = BurstReview(representative: asset.id, pendingStep: step)
      return true
    }
    if known.members.isEmpty { known.pendingStep += step } else { known.move(by: step) }
    burst = known
    return false
  }

  /// Applies the pictures of a burst if it is still shown.
  /// - Parameter asset: the photo that represents it.
  /// - Returns: whether there is another picture.
  mutating func show(_ members: [Asset], ofBurst identifier: String, of asset: Asset?) -> Bool {
    guard var known = burst, known.members.isEmpty, isFullScreen, let asset,
      asset.id == known.representative, asset.burstIdentifier == identifier
    else { return true }
    guard members.count > 1, let start = members.firstIndex(where: { $0.id == known.representative }) else {
      burst = nil
      return false
    }
    (known.members, known.index) = (members, start)
    known.move(by: known.pendingStep)
    burst = known
    return true
  }
}

extension PreviewState {
  /// A photo in full screen: its size, the size of its box, and whether it is larger than that.
  struct ZoomFrame {
    let picture: PixelSize
    let box: PixelSize
    let isZoomed: Bool
  }

  /// The fraction of the box that an arrow key pans by.
  private static let panStep = 1.0 / 8

  mutating func zoomOut() { zoom = nil }

  /// Zooms to 100%, or back to the whole picture.
  mutating func toggleZoom(in frame: ZoomFrame) {
    if frame.isZoomed { return zoom = nil }
    // A picture that is smaller than the screen is already at 100%.
    zoom(to: Zoom.fit(frame.picture, in: frame.box) < 0.95 ? 1 : 2, in: frame, at: nil)
  }

  /// Zooms a step in or out, at a point of the box or at its center.
  mutating func zoom(inward: Bool, in frame: ZoomFrame, at place: Zoom.Point? = nil) {
    let fit = Zoom.fit(frame.picture, in: frame.box)
    let scale = frame.isZoomed ? zoom?.scale ?? fit : fit
    guard let next = Zoom.next(after: scale, inward: inward, fit: fit) else { return zoom = nil }
    zoom(to: next, in: frame, at: place)
  }

  private mutating func zoom(to scale: Double, in frame: ZoomFrame, at place: Zoom.Point?) {
    let (picture, box) = (frame.picture, frame.box)
    let whole = Zoom(scale: Zoom.fit(picture, in: box), center: Zoom.Point(x: 0.5, y: 0.5))
    let before = frame.isZoomed ? zoom ?? whole : whole
    let middle = Zoom.Point(x: Double(box.width) / 2, y: Double(box.height) / 2)
    zoom = before.scaled(to: scale, at: place ?? middle, over: picture, in: box)
  }

  /// Pans by a step in a direction.
  mutating func pan(_ across: Double, _ down: Double, in frame: ZoomFrame) {
    pan(
      byX: across * Self.panStep * Double(frame.box.width), y: down * Self.panStep * Double(frame.box.height),
      in: frame)
  }

  /// Pans by pixels of the screen.
  mutating func pan(byX x: Double, y: Double, in frame: ZoomFrame) {
    zoom = zoom?.moved(byX: x, y: y, over: frame.picture, in: frame.box)
  }
}
