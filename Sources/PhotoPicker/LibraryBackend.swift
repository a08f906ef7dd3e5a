package import AssetLibrary
package import FolderLibrary
package import RemoteLibrary
package import SystemPackage

/// Makes the store of a library: the one place that says which backend it has.
package enum LibraryBackend {
  /// How long a server that was given up is left alone before the picker looks whether it is back.
  private static let firstRecovery = Duration.seconds(5)

  /// The kinds of servers that are known: the one place that says which there are.
  package static let servers = ServerKinds([RcloneServers()])

  /// Opens a library of folders and files, and starts to read it.
  /// - Parameters:
  ///   - isKept: whether what is found and what the user says of it is kept for other runs.
  ///   - watches: whether what happens on disk later is followed, for somebody who looks at a screen.
  ///   - includesPartners: whether files that belong to a named file (its raw file, its video) belong to it too.
  ///   - writesSidecars: whether favorites are written to XMP sidecars.
  ///   - codecs: the path of the helper `tpick-codecs`; nil = where the environment's TPICK_CODECS says, else beside
  ///     this program.
  ///   - candidates: sources that come one by one.
  ///   - remotes: folders on servers, which are one library with the others.
  ///   - remoteSettings: how these are read.
  package static func open(
    _ sources: [FilePath], isKept: Bool, watches: Bool = false, includesPartners: Bool = false,
    writesSidecars: Bool = false, codecs: String? = nil, candidates: CandidateStream? = nil,
    remotes: [ServerAddress] = [],
    remoteSettings: RemoteAssetStore.Settings = RemoteAssetStore.Settings()
  ) -> any AssetStore {
    var locations = isKept ? UserDirectories.locations : nil
    locations?.writesSidecars = writesSidecars
    let kept = locations
    guard remotes.isEmpty else {
      // A script is not to wait for a server that is gone; who looks at a screen may see it come back.
      var settings = remoteSettings
      settings.server.recovery = watches ? firstRecovery : nil
      let store = RemoteAssetStore(remotes, of: servers, settings, cache: UserDirectories.cache) { remotes in
        FolderAssetStore(
          sources: sources, locations: kept, watches: watches,
          includesPartners: includesPartners, codecs: codecs, candidates: candidates, remotes: remotes)
      }
      store.start()
      return store
    }
    let store = FolderAssetStore(
      sources: sources,
      locations: kept,
      watches: watches, includesPartners: includesPartners, codecs: codecs,
      candidates: candidates)
    store.start()
    return store
  }
}
