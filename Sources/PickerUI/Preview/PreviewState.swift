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
  private static let outgoingDuration = 150

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

/// The requested pictures and their outcomes.
///
/// Only keys: the host has the pixels.
struct PictureState: Sendable {
  private(set) var statuses: [PictureKey: PictureStatus] = [:]
  /// The pictures to have ready, the most urgent first.
  var wants: [PictureRequest] = []
  /// How much of the originals that are on their way has come.
  var downloads: [LocalIdentifier: Double] = [:]

  /// The outcome of a picture; nil while it is pending.
  subscript(key: PictureKey) -> PictureStatus? { statuses[key] }

  /// The picture that can be drawn for a key: itself, else one with other marks that is there already.
  func ready(for key: PictureKey) -> PictureKey? {
    key.variants.first { if case .ready = statuses[$0] { true } else { false } }
  }

  /// The requested preview.
  var wantedPreview: PictureKey? { wants.wantedPreview }

  mutating func add(_ new: [PictureKey: PictureStatus]) { statuses.merge(new) { $1 } }

  /// Drops the outcomes of all other pictures.
  mutating func keep(_ isKept: (PictureKey) -> Bool) { statuses = statuses.filter { isKept($0.key) } }

  mutating func forgetAll() { self = PictureState() }
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

/// A version of an asset that is shown instead of the current one.
struct VersionChoice: Hashable, Sendable {
  var asset: LocalIdentifier
  var version: AssetVersion
}

extension PickerState {
  /// The asset with the properties of the version that is shown.
  func presented(_ asset: Asset) -> Asset { asset.presenting(preview.version(of: asset)) }

  /// Shows the next version: current, unadjusted, original.
  mutating func nextVersion() -> [PickerEffect] {
    guard let asset = current else { return [] }
    let versions = asset.distinctVersions
    guard versions.count > 1 else {
      return showNotice("\(asset.shortName) has only one version", .dim)
    }
    let index = versions.firstIndex(of: preview.version(of: asset)) ?? 0
    preview.versionChoice = VersionChoice(asset: asset.id, version: versions[(index + 1) % versions.count])
    return []
  }

  /// The title and position of the version that is shown; nil if there is only one.
  func versionText(of asset: Asset) -> String? {
    let versions = asset.distinctVersions
    let version = preview.version(of: asset)
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

extension PickerState {
  /// The picture shown of a burst; nil if it is the one in the grid.
  var burstMember: Asset? {
    guard preview.isFullScreen, input.focus == .grid, let burst = preview.burst,
      burst.members.indices.contains(burst.index),
      library.assets.indices.contains(grid.cursor),
      library.assets.identifier(at: grid.cursor) == burst.representative
    else { return nil }
    return burst.members[burst.index]
  }

  /// Shows the next or previous picture of the burst at the cursor, in full screen.
  mutating func stepInBurst(_ step: Int) -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard let identifier = asset.burstIdentifier else {
      return showNotice("\(asset.shortName) was not taken in a burst", .dim)
    }
    guard input.focus != .strip else {
      return showNotice(
        "the other pictures of a burst can be viewed from the grid, not from the selection", .dim)
    }
    openFullScreen()
    if var known = preview.burst {
      // Until the pictures arrive, steps are added up.
      if known.members.isEmpty { known.pendingStep += step } else { known.move(by: step) }
      preview.burst = known
      return []
    }
    preview.burst = BurstReview(representative: asset.id, pendingStep: step)
    var options = FetchOptions(filter: self.options.configuration.filter)
    options.includeHiddenAssets = library.userFilter.showsHidden
    options.sortDescriptors = AssetSort.oldest.descriptors
    return [.loadBurst(identifier, options, authorization.mode)]
  }

  /// Takes the pictures of a burst, if it is still shown.
  mutating func showBurst(_ identifier: String, _ members: [Asset]) -> [PickerEffect] {
    guard let asked = preview.burst, asked.members.isEmpty, preview.isFullScreen,
      library.assets.indices.contains(grid.cursor),
      library.assets[grid.cursor].id == asked.representative,
      library.assets[grid.cursor].burstIdentifier == identifier
    else { return [] }
    guard members.count > 1, let start = members.firstIndex(where: { $0.id == asked.representative }) else {
      preview.burst = nil
      return showNotice("there is no other picture of this burst", .dim)
    }
    var known = asked
    (known.members, known.index) = (members, start)
    known.move(by: asked.pendingStep)
    preview.burst = known
    return []
  }

  /// The position in the burst, such as "2 of 5 of the burst"; nil if the picture is the one in the grid.
  var burstText: String? {
    guard burstMember != nil, let burst = preview.burst else { return nil }
    let locale = options.locale
    return "\(locale.number(burst.index + 1)) of \(locale.number(burst.members.count)) of the burst"
  }
}
