package import AssetLibrary
package import FolderLibrary
package import SystemPackage

/// A library of folders on servers, and of local folders and files.
///
/// Index and thumbnails are on this machine; originals are downloaded on demand. Fetches answer from the
/// index and never wait for the network. Nothing is written to a server: favorites and albums are stored
/// locally. Any thread may call.
package final class RemoteAssetStore: AssetStore {
  private let folders: FolderAssetStore
  private let sources: [ServerSource]
  private let kinds: ServerKinds
  private let originals: OriginalsCache
  private let thumbnails: RemoteThumbnails
  private let transfers: OriginalTransfers

  /// The longest that a download of an original, or a request for details, waits for thumbnails that are
  /// being read.
  private static let patience = Duration.milliseconds(1500)

  /// Settings for a library on servers.
  package struct Settings: Sendable {
    /// The maximum size of cached originals in bytes.
    package var originalsLimit: Int64 = 4 << 30
    /// How long a picked original is kept after its last use, in seconds; nil = forever.
    package var pickedAge: Int64?
    /// Limits and timeouts for each server.
    package var server = ServerSettings()
    /// Whether no requests are sent to servers.
    package var isOffline = false

    package init() {}
  }

  /// Opens a library; `start` begins to read it.
  /// - Parameters:
  ///   - addresses: folders and files on servers.
  ///   - kinds: the kinds that parsed the addresses; also used to parse further ones.
  ///   - cache: the folder for data that can be downloaded again.
  ///   - makeFolders: creates the underlying store from the given remote sources and the local ones.
  package init(
    _ addresses: [ServerAddress], of kinds: ServerKinds, _ settings: Settings = Settings(), cache: FilePath,
    makeFolders: ([any RemoteSource]) -> FolderAssetStore
  ) {
    self.kinds = kinds
    let database = RemoteDatabase(at: cache.appending("remote.sqlite"))
    let originals = OriginalsCache(
      cache.appending("originals"), limit: settings.originalsLimit, pickedAge: settings.pickedAge, database)
    let thumbnails = RemoteThumbnails(database)
    let transfers = OriginalTransfers(originals)
    var servers: [ServerAddress: any Server] = [:]
    sources = Self.folders(of: addresses).map { address, names in
      let root = address.at("")
      let server = servers[root] ?? kinds.connect(to: root, settings.server)
      servers[root] = server
      return ServerSource(
        address, names: names, server, in: originals.folder, database, thumbnails, transfers,
        isOffline: settings.isOffline)
    }
    let folders = makeFolders(sources)
    (self.originals, self.thumbnails, self.transfers) = (originals, thumbnails, transfers)
    self.folders = folders
    let tell: @Sendable () -> Void = { [weak folders, weak originals, weak thumbnails] in
      guard let originals, let thumbnails else { return }
      folders?.setCopies { copies in
        copies.originals = originals.versions
        thumbnails.copy(to: &copies)
      }
    }
    tell()
    originals.onChange(tell)
    thumbnails.onChange(tell)
  }

  /// Returns the folders to list for the addresses.
  ///
  /// Addresses of files in the same folder are combined into one entry with the file names.
  private static func folders(
    of addresses: [ServerAddress]
  ) -> [(address: ServerAddress, names: Set<[UInt8]>?)] {
    var folders: [(address: ServerAddress, names: Set<[UInt8]>?)] = []
    var places: [ServerAddress: Int] = [:]
    for address in addresses {
      guard let (folder, name) = address.place, RemoteListing.hasMediaExtension(name) else {
        folders.append((address, nil))
        continue
      }
      if let place = places[folder] {
        folders[place].names?.insert(Array(name.utf8))
      } else {
        places[folder] = folders.count
        folders.append((folder, [Array(name.utf8)]))
      }
    }
    return folders
  }

  /// Starts reading and returns at once.
  package func start() { folders.start() }

  package func allowBackgroundWork() { folders.allowBackgroundWork() }
  package func waitUntilComplete() { folders.waitUntilComplete() }
  package func stopReading() { folders.stopReading() }
  package func resumeReading() {
    for source in sources { source.revive() }
    folders.resumeReading()
  }
  package var status: LibraryStatus { folders.status }

  @discardableResult
  package func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    folders.observeChanges(handler)
  }

  package func stopObserving(_ observer: ObserverID) { folders.stopObserving(observer) }

  // MARK: Fetching

  package func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    folders.assets(in: collection, options: options)
  }

  package func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    folders.assets(withLocalIdentifiers: identifiers, options: options)
  }

  package func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    folders.assets(ofBurst: identifier, options: options)
  }

  package func collections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    folders.collections(of: types, options: options)
  }

  package func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    folders.collectionLists(options: options)
  }

  package func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] {
    folders.searchTexts(in: fields, beginningWith: prefix, collection: collection, options: options)
  }

  package func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier> {
    try identifiers(at: [path])[0].get()
  }

  package func identifiers(at paths: [FilePath]) -> [Result<Set<LocalIdentifier>, AssetError>] {
    let here = paths.map(path(here:))
    return zip(paths, here).map { path, here -> Result<Set<LocalIdentifier>, AssetError> in
      if let here {
        let found = folders.identifiers(atRemote: here)
        return found.isEmpty
          ? .failure(AssetError(path.string, "no such file or folder in the library", code: .notFound))
          : .success(found)
      }
      return folders.identifiers(at: [path])[0]
    }
  }

  /// Returns the local path that belongs to an address, whether or not a file exists there.
  /// - Parameter word: an address, or already such a path.
  /// - Returns: nil if the word belongs to no source of this library.
  private func path(here word: FilePath) -> FilePath? {
    if sources.contains(where: { word.starts(with: $0.path) }) { return word }
    guard let address = kinds.address(word.string) else { return nil }
    // `FilePath` collapses the two slashes of a URL in the server's name.
    let server = FilePath(address.server)
    for source in sources
    where source.address.scheme == address.scheme && FilePath(source.address.server) == server {
      let root = source.address.path
      if address.path == root { return source.path }
      let below = root.isEmpty ? address.path[...] : address.path.dropFirst(root.count + 1)
      if root.isEmpty || address.path.hasPrefix(root + "/") {
        return source.path.appendingBytes(Array(below.utf8))
      }
    }
    return nil
  }

  package func successorFiles(of identifiers: Set<LocalIdentifier>) -> [LocalIdentifier: UInt64] {
    folders.successorFiles(of: identifiers)
  }

  package var userAlbums: UserAlbums { folders.userAlbums }

  package func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange] {
    try folders.perform(changes)
  }

  package func prepareAsset(
    _ creation: AssetCreation, comparedWith options: FetchOptions?
  ) throws(AssetError) -> LocalIdentifier { try folders.prepareAsset(creation, comparedWith: options) }

  package func discardPreparedAsset(_ asset: LocalIdentifier) { folders.discardPreparedAsset(asset) }

  package func persistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges { try folders.persistentChanges(since: token) }

  // MARK: Originals and details

  package func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    guard let version = resource.remoteVersion else { return try folders.reader(for: resource) }
    guard originals.holds(version) else {
      throw AssetError(
        resource.subject, "its original is not on this machine", code: .networkRequired, isTransient: true)
    }
    originals.setUsed([version])
    return try folders.reader(for: resource)
  }

  package func isLocal(_ resource: AssetResource) -> Bool {
    resource.remoteVersion.map { originals.holds($0) } ?? true
  }

  package func partialResource(for resource: AssetResource) -> PartialResource? {
    guard let version = resource.remoteVersion else { return nil }
    switch thumbnails.thumbnail(of: version) {
    case .embedded(let bytes, let place):
      let reader = ThumbnailReader(bytes, at: place, of: Int(clamping: resource.byteCount))
      return PartialResource(resource, reader: reader)
    case .made(let bytes):
      var made = resource
      made.storedSize = resource.orientation.upright(resource.storedSize)
      (made.orientation, made.thumbnail) = (.topLeft, 0..<bytes.count)
      return PartialResource(made, reader: ThumbnailReader(bytes, at: 0, of: bytes.count))
    case nil: return nil
    }
  }

  package func mayHavePartialResource(of resource: AssetResource) -> Bool {
    resource.remoteVersion != nil && resource.hasLocalThumbnail
  }

  package func prepareThumbnails(of identifiers: [LocalIdentifier]) {
    folders.prepareThumbnails(of: identifiers)
  }

  package func hold(_ resource: AssetResource) {
    if let version = resource.remoteVersion { originals.hold(version) }
  }

  package func release(_ resource: AssetResource) {
    if let version = resource.remoteVersion { originals.release(version) }
  }

  package func hasRoom(for resource: AssetResource) -> Bool {
    resource.remoteVersion == nil || resource.byteCount <= originals.limit
  }

  package func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    guard resource.remoteVersion != nil, !isLocal(resource) else { return }
    try downloadOriginal(resource, into: nil, progress)
  }

  package func download(
    _ resource: AssetResource, into descriptor: Int32, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    try downloadOriginal(resource, into: descriptor, progress)
  }

  /// - Parameter descriptor: a file to write to instead of the cache.
  private func downloadOriginal(
    _ resource: AssetResource, into descriptor: Int32?, _ progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    guard let source = source(of: resource), let file = folders.remoteFile(at: resource.path, in: source)
    else {
      throw AssetError(resource.subject, "the file is no longer in the library", code: .notFound)
    }
    if source.isOffline {
      throw AssetError(
        resource.subject, "its original is not on this machine; run without --offline to download it")
    }
    // Let pending thumbnails go first: together they are about a hundredth of this file's bytes.
    var decision = DownloadDecision.proceed
    folders.wait(for: .readAndListed, atMost: Self.patience) {
      decision = progress(0)
      return decision == .stop
    }
    if decision == .stop { throw OriginalDownload.stopped(resource.subject).error }
    do throws(DownloadFailure) {
      try transfers.download(file, of: source, into: descriptor, progress: progress)
    } catch {
      if case .changed = error { folders.relist() }
      throw error.error
    }
  }

  /// Returns the source of a remote file.
  private func source(of resource: AssetResource) -> ServerSource? {
    sources.first { resource.path.starts(with: $0.path) }
  }

  package func keepOriginals(of resources: [AssetResource]) {
    originals.setUsed(resources.compactMap(\.remoteVersion), isPicked: true)
  }

  package func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    guard let resource = asset.primaryResource, resource.remoteVersion != nil, !isLocal(resource) else {
      return try folders.details(of: asset)
    }
    // Don't wait for a server that is known not to respond: the wait would be repeated for each photo.
    if let source = source(of: resource), folders.remoteFile(at: resource.path, in: source) != nil,
      folders.status.issues.contains(where: { $0.subject == source.name })
    {
      return AssetDetails()
    }
    // During the first pass thumbnails are more important than details of one photo.
    folders.wait(for: .firstRead, atMost: Self.patience) { false }
    return try folders.remoteDetails(of: asset)
  }
}
