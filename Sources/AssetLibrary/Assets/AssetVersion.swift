import Pixels

/// Which of an edited asset's files is meant.
public enum AssetVersion: String, CaseIterable, Hashable, Sendable {
  /// The edited rendition where there is one.
  case current
  /// As it was before the edit.
  case unadjusted
  /// The very first file: the raw one of a raw and a JPEG file.
  case original
}

extension Asset {
  /// The resource that a version is.
  public func resource(for version: AssetVersion) -> AssetResource? {
    let unadjusted = resources.first { [.photo, .video, .audio].contains($0.type) } ?? primaryResource
    return switch version {
    case .current: primaryResource
    case .unadjusted: unadjusted
    case .original: resources.first { $0.type == .alternatePhoto } ?? unadjusted
    }
  }

  /// The asset as one version of it: its primary resource and its size are that version's.
  public func presenting(_ version: AssetVersion) -> Asset {
    guard let chosen = resource(for: version), chosen != primaryResource else { return self }
    var asset = self
    asset.resources.removeAll { $0 == chosen }
    asset.resources.insert(chosen, at: 0)
    if chosen.storedSize != .zero { asset.pixelSize = chosen.orientation.upright(chosen.storedSize) }
    return asset
  }
}
