package import AssetLibrary
package import FolderLibrary
package import RemoteLibrary
package import SystemPackage

/// Creates the store of a library; the only place that chooses its backend.
package enum LibraryBackend {
  /// The delay before the picker retries a server that was given up.
  private static let firstRecovery = Duration.seconds(5)

  /// The supported kinds of servers; the only list of them.
  package static let servers = ServerKinds([RcloneServers()])

  /// Opens a library of folders and files, and starts reading it.
  /// - Parameters:
  ///   - sources: the paths of the folders and files.
  ///   - isKept: whether the index, favorites and albums are stored for later runs.
  ///   - watches: whether changes on disk are watched, as interactive programs need.
  ///   - includesPartners: whether files that belong to a named file (its raw file, its video) are included.
  ///   - writesSidecars: whether favorites are written to XMP sidecars.
  ///   - reader: the path of the helper `tpick-reader`; nil = it is searched.
  ///   - codecs: the path of the helper `tpick-codecs`; nil = it is searched.
  ///   - candidates: further sources, which arrive one by one.
  ///   - remotes: folders on servers, which become part of the same library.
  ///   - remoteSettings: how the remote folders are read.
  package static func open(
    _ sources: [FilePath], isKept: Bool, watches: Bool = false, includesPartners: Bool = false,
    writesSidecars: Bool = false, reader: String? = nil, codecs: String? = nil,
    candidates: CandidateStream? = nil,
    remotes: [ServerAddress] = [],
    remoteSettings: RemoteAssetStore.Settings = RemoteAssetStore.Settings()
  ) -> any AssetStore {
    var locations = isKept ? UserDirectories.locations : nil
    locations?.writesSidecars = writesSidecars
    let kept = locations
    guard remotes.isEmpty else {
      // A script must not wait for an unavailable server. An interactive program asks the server again, and
      // shows its photos once it answers.
      var settings = remoteSettings
      settings.server.recovery = watches ? firstRecovery : nil
      let store = RemoteAssetStore(remotes, of: servers, settings, cache: UserDirectories.cache) { remotes in
        FolderAssetStore(
          sources: sources, locations: kept, watches: watches,
          includesPartners: includesPartners, reader: reader, codecs: codecs, candidates: candidates,
          remotes: remotes)
      }
      store.start()
      return store
    }
    let store = FolderAssetStore(
      sources: sources,
      locations: kept,
      watches: watches, includesPartners: includesPartners, reader: reader, codecs: codecs,
      candidates: candidates)
    store.start()
    return store
  }
}
