package import AssetLibrary

/// What has come of an export.
package struct ExportReport: Sendable {
  /// The assets that were copied, in their order, each made of its copies.
  package var copies: [Asset] = []
  /// What is to be said of copies that were made.
  package var remarks: [AssetError] = []
  /// What was not, and why.
  package var failures: [AssetError] = []
  /// How many were left out because they lie in the folder that copies go into: those of the last time would be copied again.
  package var leftOut = 0
  /// Whether the user ended it before its end.
  package var isCancelled = false

  package init() {}
}
