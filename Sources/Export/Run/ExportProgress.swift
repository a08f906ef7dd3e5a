/// How far an export has come.
package struct ExportProgress: Hashable, Sendable {
  /// The assets that are done, well or not.
  package var assets = 0
  package var assetCount: Int
  package var bytes: Int64 = 0
  package var byteCount: Int64
}
