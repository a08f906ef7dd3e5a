package import AssetLibrary

/// How far the download of the originals of one asset has come.
package struct DownloadProgress: Hashable, Sendable {
  package var asset: LocalIdentifier
  /// From 0 to 1.
  package var fraction: Double
  package var isHere: Bool
  /// Why it has ended without them, as words after a colon.
  package var failure: String?
  /// Seconds since the first of all was asked for.
  package var elapsed: Double

  package init(
    _ asset: LocalIdentifier, fraction: Double, isHere: Bool = false, failure: String? = nil, elapsed: Double
  ) {
    self.asset = asset
    self.fraction = fraction
    self.isHere = isHere
    self.failure = failure
    self.elapsed = elapsed
  }
}
