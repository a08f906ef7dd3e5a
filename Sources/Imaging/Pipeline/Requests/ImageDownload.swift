import AssetLibrary

/// A file to be brought here; each is a run of its own.
struct ImageDownload: Hashable, Sendable {
  var source: ImageSource
  var asset: Asset
  var run: UInt64

  static func == (a: ImageDownload, b: ImageDownload) -> Bool { a.run == b.run }
  func hash(into hasher: inout Hasher) { hasher.combine(run) }

  /// The file itself.
  var resource: AssetResource? { source.resource.map { asset.resources[$0] } }

  /// How far a download under way has come.
  struct Progress: Sendable {
    var run: UInt64
    /// From 0 to 1.
    var fraction = 0.0
  }
}
