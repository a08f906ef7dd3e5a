import AssetLibrary
import Pixels

/// Whether a pick can be handed over, and how many bytes that takes.
///
/// By default a pick is the file that stands for the asset.
struct PickMeasure: Hashable, Sendable {
  var representation = RepresentationOptions()
  var version = AssetVersion.current
  /// Whether all files of an asset are handed over.
  var countsAllResources = false

  /// The size of a pick.
  struct Size: Hashable, Sendable {
    var byteCount: Int64
    /// Whether the files are still to be made, so that their length is not known.
    var isEstimate = false
    /// Whether it can't be handed over.
    var isUnavailable = false
  }

  /// Whether the length of the primary resource is all that counts.
  private var isPlain: Bool { representation.isPlain && version == .current && !countsAllResources }

  func size(of brief: AssetBrief) -> Size {
    isPlain ? Size(byteCount: brief.byteCount) : size(of: Asset(standingFor: brief))
  }

  func size(of asset: Asset) -> Size {
    let asset = asset.presenting(version)
    if isPlain { return Size(byteCount: asset.byteCount) }
    let plan = RepresentationPlan(asset, representation)
    let handedOver = plan.estimatedByteCount(of: asset, representation)
    var size = Size(
      byteCount: handedOver.byteCount, isEstimate: handedOver.isEstimate,
      isUnavailable: !representation.isPlain && plan.unavailability != nil)
    if countsAllResources, !size.isUnavailable {
      // What lies within another file goes along with it.
      for resource in asset.resources.dropFirst() where resource.byteRange == nil {
        size.byteCount = size.byteCount.addingSaturated(max(0, resource.byteCount))
      }
    }
    return size
  }

  /// Why an asset can't be handed over; nil where it can.
  func unavailability(of asset: Asset) -> String? {
    representation.isPlain
      ? nil : RepresentationPlan(asset.presenting(version), representation).unavailability
  }
}
