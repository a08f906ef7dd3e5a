import Pixels

/// Selects one of the files of an edited asset.
public enum AssetVersion: String, CaseIterable, Hashable, Sendable {
  /// The edited rendition if there is one, otherwise the original.
  case current
  /// The file without edits.
  case unadjusted
  /// The first original: the raw file of a pair of raw and JPEG files.
  case original
}

extension Asset {
  /// Returns the resource for a version; nil if the asset has no resources.
  public func resource(for version: AssetVersion) -> AssetResource? {
    let unadjusted = resources.first { [.photo, .video, .audio].contains($0.type) } ?? primaryResource
    return switch version {
    case .current: primaryResource
    case .unadjusted: unadjusted
    case .original: resources.first { $0.type == .alternatePhoto } ?? unadjusted
    }
  }

  /// Returns the asset with another version as its primary resource; the pixel size is adapted.
  public func presenting(_ version: AssetVersion) -> Asset {
    guard let chosen = resource(for: version), chosen != primaryResource else { return self }
    var asset = self
    asset.resources.removeAll { $0 == chosen }
    asset.resources.insert(chosen, at: 0)
    if chosen.storedSize != .zero { asset.pixelSize = chosen.orientation.upright(chosen.storedSize) }
    return asset
  }
}
