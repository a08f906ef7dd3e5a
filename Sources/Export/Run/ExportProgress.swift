/// How far an export has come.
package struct ExportProgress: Hashable, Sendable {
  /// The assets that are done, well or not.
  package var assets = 0
  package var assetCount: Int
  /// Of the assets that are worked on: how many assets' worth is done.
  package var fraction = 0.0
  package var bytes: Int64 = 0
  /// The bytes of the files that are copied as they are.
  package var byteCount: Int64
}
