import SystemPackage

extension Asset {
  /// An asset that would be handed over as the one of a brief: a plan for one is a plan for both.
  ///
  /// Its files have no paths, and nothing else is known of it.
  package init(standingFor brief: AssetBrief) {
    let resources = (brief.primaryResource.map { [$0] } ?? []) + brief.otherResources
    self.init(
      localIdentifier: brief.localIdentifier, mediaType: brief.mediaType, pixelSize: brief.pixelSize,
      creationDate: AssetDate(wallSeconds: 0, utcOffset: 0),
      resources: resources.map(AssetResource.init(standingFor:)))
  }
}

extension AssetResource {
  private static let noPath = FilePath("")

  fileprivate init(standingFor brief: AssetBrief.Resource) {
    self.init(
      type: brief.type, path: Self.noPath, uniformTypeIdentifier: brief.uniformTypeIdentifier,
      byteCount: brief.byteCount, storedSize: brief.storedSize, byteRange: brief.isEmbedded ? 0..<0 : nil)
    isRareJPEG = brief.isRareJPEG
  }
}
