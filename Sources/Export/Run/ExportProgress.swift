/// How far an export has come.
package struct ExportProgress: Hashable, Sendable {
  /// The assets that are done, well or not.
  package var assets = 0
  package var assetCount: Int
  /// Of the assets that are worked on: how many assets' worth is done.
  package var fraction = 0.0
  /// The bytes that are written.
  package var bytes: Int64 = 0
  /// How many bytes of what is worked on have come from a server; nil while nothing is downloaded.
  package var downloaded: Int64?
  /// The bytes of the files that are copied as they are.
  package var byteCount: Int64

  package init(
    assets: Int = 0, assetCount: Int, fraction: Double = 0, bytes: Int64 = 0, downloaded: Int64? = nil,
    byteCount: Int64
  ) {
    (self.assets, self.assetCount, self.fraction) = (assets, assetCount, fraction)
    (self.bytes, self.downloaded, self.byteCount) = (bytes, downloaded, byteCount)
  }
}
