import AssetLibrary

extension PickerState {
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
