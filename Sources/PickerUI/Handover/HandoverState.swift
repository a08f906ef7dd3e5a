import AssetLibrary

/// In which shape the result is handed over, and how far that has come.
struct HandoverState: Sendable {
  /// What the user has chosen, within what the caller asks for; for this result only.
  var options: RepresentationOptions
  /// The handing over that is under way.
  var delivery: Delivery?
  /// The originals of the result that are on their way from servers.
  var downloads: OriginalDownloads?

  init(_ options: RepresentationOptions) {
    self.options = options
  }
}
