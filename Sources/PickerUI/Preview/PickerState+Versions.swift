import AssetLibrary

/// A version of an asset that is looked at in place of the one that stands for it.
struct VersionChoice: Hashable, Sendable {
  var asset: LocalIdentifier
  var version: AssetVersion
}

/// The pictures of a burst, one of which is looked at in place of the one in the grid.
struct BurstReview: Hashable, Sendable {
  /// The one in the grid that stands for the others.
  var representative: LocalIdentifier
  /// In the order in which they were taken; empty until the library has answered.
  var members: [Asset] = []
  /// The one that is looked at.
  var index = 0
  /// Where the user wants to go from the representative, once it is known what there is.
  var step = 0

  /// From the last to the first, and back.
  mutating func move(by step: Int) {
    let count = max(1, members.count)
    index = ((index + step) % count + count) % count
  }
}

extension PickerState {
  // MARK: Versions of an asset

  /// The asset as the version of it that is looked at.
  func presented(_ asset: Asset) -> Asset { asset.presenting(preview.version(of: asset)) }

  /// Leads from one version to the next: as it is now, before the edit, the raw file.
  mutating func nextVersion() -> [PickerEffect] {
    guard let asset = current else { return [] }
    let versions = asset.distinctVersions
    guard versions.count > 1 else {
      return say("\(name(of: asset).string) has one version only", .dim)
    }
    let index = versions.firstIndex(of: preview.version(of: asset)) ?? 0
    preview.versionChoice = VersionChoice(asset: asset.id, version: versions[(index + 1) % versions.count])
    return []
  }

  /// What the version that is looked at is called; nil where there is only one.
  func versionWords(of asset: Asset) -> String? {
    let versions = asset.distinctVersions
    let version = preview.version(of: asset)
    guard versions.count > 1, let index = versions.firstIndex(of: version) else { return nil }
    return "\(asset.words(for: version)), \(index + 1) of \(versions.count)"
  }

  // MARK: The pictures of a burst

  /// The picture of a burst that is looked at; nil where it is the one in the grid.
  var burstMember: Asset? {
    guard preview.isFullScreen, input.focus == .grid, let burst = preview.burst,
      burst.members.indices.contains(burst.index),
      library.assets.indices.contains(grid.cursor),
      library.assets.identifier(at: grid.cursor) == burst.representative
    else { return nil }
    return burst.members[burst.index]
  }

  /// Leads to the next picture of the burst under the cursor, or the previous one, in full screen.
  mutating func stepInBurst(_ step: Int) -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard let identifier = asset.burstIdentifier else {
      return say("\(name(of: asset).string) was not taken in a burst", .dim)
    }
    guard input.focus != .strip else {
      return say("the other pictures of a burst are looked at from the grid, not from the selection", .dim)
    }
    openFullScreen()
    if var known = preview.burst {
      // Where it was only asked for so far the way is remembered.
      if known.members.isEmpty { known.step += step } else { known.move(by: step) }
      preview.burst = known
      return []
    }
    preview.burst = BurstReview(representative: asset.id, step: step)
    var options = FetchOptions(filter: self.options.configuration.filter)
    options.includeHiddenAssets = library.userFilter.showsHidden
    options.access = authorization.mode == .managing ? .managingAccess : .granted
    options.sortDescriptors = AssetSort.oldest.descriptors
    return [.loadBurst(identifier, options)]
  }

  /// Takes the pictures of a burst, where it is still looked at.
  mutating func showBurst(_ identifier: String, _ members: [Asset]) -> [PickerEffect] {
    guard let asked = preview.burst, asked.members.isEmpty, preview.isFullScreen,
      library.assets.indices.contains(grid.cursor),
      library.assets[grid.cursor].id == asked.representative,
      library.assets[grid.cursor].burstIdentifier == identifier
    else { return [] }
    guard members.count > 1, let start = members.firstIndex(where: { $0.id == asked.representative }) else {
      preview.burst = nil
      return say("there is no other picture of this burst", .dim)
    }
    var known = asked
    (known.members, known.index) = (members, start)
    known.move(by: asked.step)
    preview.burst = known
    return []
  }

  /// Which picture of its burst is looked at; nil where it is the one in the grid.
  var burstWords: String? {
    guard burstMember != nil, let burst = preview.burst else { return nil }
    let locale = options.locale
    return "\(locale.number(burst.index + 1)) of \(locale.number(burst.members.count)) of the burst"
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

  /// What a version is called beside the others.
  fileprivate func words(for version: AssetVersion) -> String {
    guard let resource = resource(for: version) else { return "" }
    switch resource.type {
    case .fullSizePhoto, .fullSizeVideo: return "edited"
    case .alternatePhoto: return "RAW"
    default:
      let isBesideRaw = resources.contains { $0.type == .alternatePhoto }
      return hasAdjustments || !isBesideRaw
        ? "original" : PickerState.format(resource.uniformTypeIdentifier)
    }
  }
}
