package import AssetLibrary

/// What has come of an export.
package struct ExportReport: Sendable {
  /// The assets that were copied, in their order, each made of its copies.
  package var copies: [Asset] = []
  /// What is to be said of copies that were made.
  package var remarks: [AssetError] = []
  /// What was not, and why.
  package var failures: [AssetError] = []
  /// Whether the user ended it before its end.
  package var isCancelled = false

  package init() {}
}
