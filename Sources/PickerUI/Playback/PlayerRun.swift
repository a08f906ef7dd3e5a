package import AssetLibrary

/// A request to play an asset in the user's own player, which has the terminal until it ends.
package struct PlayerRun: Hashable, Sendable {
  package var asset: Asset
  /// Which version of an edited asset to play.
  package var version: AssetVersion

  package init(_ asset: Asset, _ version: AssetVersion = .current) {
    (self.asset, self.version) = (asset, version)
  }

  /// The file to play; nil if the version has nothing to play.
  package var resource: AssetResource? { asset.playableResource(for: version) }
}

extension PickerState {
  /// Plays the version that is shown of the asset under the cursor in the user's own player.
  mutating func playInPlayer() -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard preview.canPlay(asset) else {
      return status.showNotice("\(asset.shortName) has nothing to play", .dim)
    }
    let run = PlayerRun(asset, preview.version(of: asset))
    let isRemote = run.resource?.remoteAddress != nil
    return (isRemote ? status.showNotice("Downloading \(asset.shortName) for the player", .dim) : [])
      + [.preparePlayer(run)]
  }

  /// Starts the player once its file is on this machine, unless the user has gone on meanwhile.
  mutating func startPlayer(_ run: PlayerRun) -> [PickerEffect] {
    guard let asset = current, asset.id == run.asset.id, preview.version(of: asset) == run.version,
      layers.isEmpty
    else {
      let key = options.keyLabel(.playInPlayer).map { " · Press \($0) there to play it" } ?? ""
      return [.discardPlayer(run)] + status.showNotice("\(run.asset.shortName) is downloaded\(key)", .dim)
    }
    // Otherwise it would go on unseen.
    let pauses = preview.playback.isRunning ? preview.playback.toggle(asset) : []
    return pauses + [.runPlayer(run)]
  }
}
