import Pixels
package import SystemPackage

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

  /// Returns the clip of a Live Photo in a version; nil if there is none.
  ///
  /// If only the still image was edited, its clip is the original one.
  public func clip(for version: AssetVersion = .current) -> AssetResource? {
    resources.first { $0.type == .pairedVideo || $0.type == .fullSizePairedVideo && version == .current }
  }

  /// Returns the resource that is played in a version: a video itself, the clip of a Live Photo, or an
  /// animated image; nil for stills.
  public func playableResource(for version: AssetVersion = .current) -> AssetResource? {
    switch playbackStyle {
    case .imageAnimated, .video, .videoLooping: resource(for: version)
    case .livePhoto: clip(for: version)
    case .image, .unsupported: nil
    }
  }

  /// Returns the asset with another version as its current one: its file is the primary resource, and its
  /// clip precedes the edited one; the pixel size is adapted.
  public func presenting(_ version: AssetVersion) -> Asset {
    guard let chosen = resource(for: version) else { return self }
    var asset = self
    asset.presentClip(of: version)
    if chosen != primaryResource { asset.makePrimary(chosen) }
    return asset
  }

  /// Returns the asset with one of its files as the primary resource, and the clip of that file's version.
  /// - Parameter path: the path of a resource; the asset does not change if it has no such file.
  package func presenting(fileAt path: FilePath) -> Asset {
    if let version = AssetVersion.allCases.first(where: { resource(for: $0)?.path == path }) {
      return presenting(version)
    }
    guard let chosen = resources.first(where: { $0.path == path && $0.byteRange == nil }) else { return self }
    var asset = self
    asset.makePrimary(chosen)
    return asset
  }

  private mutating func makePrimary(_ resource: AssetResource) {
    resources.removeAll { $0 == resource }
    resources.insert(resource, at: 0)
    if resource.storedSize != .zero { pixelSize = resource.orientation.upright(resource.storedSize) }
  }

  /// Puts the clip of a version before the other one; without a clip the version is a still image.
  private mutating func presentClip(of version: AssetVersion) {
    guard let current = clip() else { return }
    guard let clip = clip(for: version) else {
      playbackStyle = .image
      mediaSubtypes.remove(.livePhoto)
      resources.removeAll { $0.type == .fullSizePairedVideo }
      return
    }
    guard let before = resources.firstIndex(of: current), let after = resources.firstIndex(of: clip) else {
      return
    }
    resources.swapAt(before, after)
  }
}
