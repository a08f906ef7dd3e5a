/// Some assets of one folder on a server of which nothing but their names and dates is known.
struct UnreadAssets: Sendable {
  /// The index of the folder.
  var folder: Int
  var assets: [UInt64]
  /// Whether somebody looks at one of them.
  var isWanted: Bool
}
