import AssetLibrary

extension PickerState {
  /// The asset with the properties of the version that is shown.
  func presented(_ asset: Asset) -> Asset { asset.presenting(preview.version(of: asset)) }

  /// Shows the next version: current, unadjusted, original.
  mutating func nextVersion() -> [PickerEffect] {
    guard let asset = current else { return [] }
    let versions = asset.distinctVersions
    guard versions.count > 1 else {
      return showNotice("\(shortName(of: asset)) has only one version", .dim)
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
        ? "original" : PickerState.format(resource.uniformTypeIdentifier)
    }
  }
}
