public import AssetLibrary
import CodecProtocol
import Synchronization
public import SystemPackage
import Trash

/// A library of photo folders on disk.
///
/// Reading runs on threads of its own; fetches answer from what is known so far and never wait for it. Calls may come from
/// any thread.
///
///     let store = FolderAssetStore(sources: ["/home/ada/Pictures"])
///     store.start()
///     store.waitUntilComplete()
///     print(store.assetCount(in: nil, options: FetchOptions()))
public final class FolderAssetStore: AssetStore {
  let updater: LibraryUpdater
  private let model = LibraryModel()
  private let helper: CodecClient
  private let reader: MetadataClient
  private let trash: DesktopTrash?
  private let locations: LibraryLocations?
  /// The sources as a history knows them.
  private let historySources: [[UInt8]]
  private let localSources: [FilePath]
  /// Held while changes are made.
  private let changing = Mutex(())

  /// A library of the given folders (walked with all below them) and files.
  /// - Parameters:
  ///   - sources: in the order of albums; what is not there is an issue of the status.
  ///   - locations: where the index and the user's marks are kept; nil = nowhere.
  ///   - watches: whether the store follows what happens on disk after the first look. Then somebody looks at a
  ///     screen, and what the index has is compared with the disk once `allowBackgroundWork` is called.
  ///   - includesPartners: whether files that belong to a named file (its raw file, its video) belong to it too.
  ///   - codecs: the path of the helper `tpick-codecs`, which reads HEIC, raw files and videos; nil = where the environment's
  ///     `TPICK_CODECS` says, else beside this program or in `../libexec/tpick` from there. All other files are read by
  ///     `tpick-reader`, which is looked for there too, or where `TPICK_READER` says.
  public convenience init(
    sources: [FilePath], locations: LibraryLocations? = nil, watches: Bool = false,
    includesPartners: Bool = false, codecs: String? = nil
  ) {
    self.init(
      sources: sources, locations: locations, following: watches ? FollowingSettings() : nil,
      includesPartners: includesPartners, codecs: codecs)
  }

  /// The same with sources that come one by one.
  /// - Parameters:
  ///   - candidates: the library is complete once they are at their end; nil = none.
  ///   - remotes: folders on servers.
  package convenience init(
    sources: [FilePath], locations: LibraryLocations? = nil, watches: Bool = false,
    includesPartners: Bool = false, codecs: String? = nil, candidates: CandidateStream?,
    remotes: [any RemoteSource] = []
  ) {
    self.init(
      sources: sources, locations: locations, following: watches ? FollowingSettings() : nil,
      includesPartners: includesPartners, codecs: codecs, candidates: candidates, remotes: remotes)
  }

  init(
    sources: [FilePath], locations: LibraryLocations? = nil, following: FollowingSettings?,
    includesPartners: Bool = false, codecs: String? = nil, reader: MetadataClient = .standard,
    candidates: CandidateStream? = nil, remotes: [any RemoteSource] = []
  ) {
    self.reader = reader
    self.locations = locations
    localSources = sources
    historySources =
      sources.map { ($0.resolved ?? $0.lexicallyNormalized()).bytes } + remotes.map(\.canonicalPath)
    trash = locations?.trash.map { DesktopTrash(home: $0, answers: { MountProbes.shared.answers($0) }) }
    helper = CodecClient(program: codecs)
    var sources = LibrarySources(sources, includesPartners: includesPartners, stream: candidates?.place)
    sources.remotes = remotes
    updater = LibraryUpdater(
      model, sources: sources,
      locations: locations, following: following, helper: helper, reader: reader,
      candidates: candidates.map(CandidateIntake.init))
  }

  deinit {
    // Nobody will ask for what is not read yet.
    updater.stop()
  }

  // MARK: Reading

  /// Starts to read and returns at once.
  public func start() { updater.start() }

  public func allowBackgroundWork() { updater.allowBackgroundWork() }

  public func waitUntilComplete() { updater.waitUntilComplete() }

  public func stopReading() { updater.stopReading() }

  public func resumeReading() { updater.resumeReading() }

  public var status: LibraryStatus { model.status }

  @discardableResult
  public func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    model.observers.add(handler)
  }

  public func stopObserving(_ observer: ObserverID) { model.observers.remove(observer) }

  // MARK: Fetching

  public func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    model.table.assets(in: collection, options: options)
  }

  public func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    model.table.assets(withLocalIdentifiers: identifiers, options: options)
  }

  public func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    model.table.assets(ofBurst: identifier, options: options)
  }

  public func assetCount(in collection: LocalIdentifier?, options: FetchOptions) -> Int {
    model.table.assetCount(in: collection, options: options)
  }

  public func collections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    model.table.collections(of: types, options: options)
  }

  public func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    model.table.collectionLists(options: options)
  }

  public func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] {
    model.table.searchTexts(in: fields, beginningWith: prefix, collection: collection, options: options)
  }

  public func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier> {
    try PathLookup(model.table).identifiers(at: path)
  }

  public func identifiers(at paths: [FilePath]) -> [Result<Set<LocalIdentifier>, AssetError>] {
    let lookup = PathLookup(model.table)
    return paths.map { path in
      do throws(AssetError) {
        return .success(try lookup.identifiers(at: path))
      } catch {
        return .failure(error)
      }
    }
  }

  public func successorFiles(of identifiers: Set<LocalIdentifier>) -> [LocalIdentifier: UInt64] {
    let table = model.table
    return identifiers.reduce(into: [:]) { files, identifier in
      guard let handle = table.handle(of: identifier) else { return }
      files[identifier] = table.view(of: handle).successorFile
    }
  }

  // MARK: Changing

  public var userAlbums: UserAlbums { model.table.marks.albums }

  @discardableResult
  public func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange] {
    guard let storage = updater.storage else {
      throw AssetError("favorites and albums", "there is no place to keep them")
    }
    // One after the other: what takes a change back is right only while no other is made in between.
    return try changing.withLock { _ throws(AssetError) in
      let table = model.table
      for asset in changes.lazy.flatMap(\.requiredAssets) where table.handle(of: asset) == nil {
        throw AssetError(asset.rawValue, "no such asset")
      }
      try AssetChange.check(changes)
      var marks = table.marks
      let files = try AssetDeletion(changes, in: table, storage, updater.sources, trash: trash)
      var sidecars = SidecarEdits()
      let albums: UserAlbums?
      let inverses: [[AssetChange]]
      do throws(AssetError) {
        if locations?.writesSidecars == true {
          sidecars = try SidecarEdits(changes, in: table, storage, updater.sources)
        }
        (albums, inverses) = try storage.perform(
          changes, trashed: files.trashed, starsBefore: sidecars.starsBefore)
      } catch {
        sidecars.takeBack()
        files.takeBack()
        throw error
      }
      let inverse = zip(changes, inverses).map { change, inverse -> [AssetChange] in
        defer { marks.apply(change) }
        switch change {
        case .delete(let assets): return assets.isEmpty ? [] : [.restore(assets)]
        case .restore(let assets): return assets.isEmpty ? [] : [.delete(assets)]
        default: return table.mark(before: change, with: marks).map { [$0] } ?? inverse
        }
      }
      if !files.folders.isEmpty {
        model.change { state in
          for asset in files.trashed.keys { if let handle = table.handle(of: asset) { state.remove(handle) } }
        }
      }
      let folders = files.folders.union(sidecars.folders)
      if !folders.isEmpty { updater.lookAgain(folders) }
      model.changeMarks { marks in
        for change in changes { marks.apply(change) }
        if let albums { marks.albums = albums }
      }
      return Array(inverse.reversed().joined())
    }
  }

  public func persistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges {
    guard let locations else { throw .unsupported }
    waitUntilComplete()
    // The files of a source that can't be read would all be taken for deleted.
    if let source = status.unreadableSources.first { throw .incomplete(source) }
    if let missing = localSources.first(where: { $0.fileType == nil }) {
      throw .incomplete(AssetError(path: missing, Errno.noSuchFileOrDirectory))
    }
    if status.isStopped { throw .incomplete(AssetError("library", "reading was stopped")) }
    let history = try LibraryHistory(at: LibraryHistory.path(locations), sources: historySources)
    return try history.changes(since: token, now: HistoryEntry.entries(of: self))
  }

  // MARK: Servers

  /// Has the beginnings of files on servers read before all others, because somebody looks at them.
  public func prepareThumbnails(of identifiers: [LocalIdentifier]) {
    updater.want(identifiers.compactMap(\.number))
  }

  /// Waits until nothing of files on servers is to be seen before what the caller is to ask for, or a time is over.
  package func wait(for sight: AwaitedSight, atMost time: Duration, isCancelled: () -> Bool) {
    updater.wait(for: sight, atMost: time, isCancelled: isCancelled)
  }

  /// Lists again what lies on servers, because something is known to have changed there.
  ///
  /// Returns at once.
  package func relist() { updater.relist() }

  /// Says what is on this machine of files on servers.
  package func setCopies(_ change: (inout RemoteCopies) -> Void) { model.changeCopies(change) }

  /// What the library knows of a file of a source, by the path that it has on this machine once it is brought.
  package func remoteFile(at path: FilePath, in source: any RemoteSource) -> RemoteFile? {
    guard path.starts(with: source.path) else { return nil }
    let below = Array(path.bytes.dropFirst(source.path.bytes.count).drop { $0 == UInt8(ascii: "/") })
    let slash = below.lastIndex(of: UInt8(ascii: "/"))
    let (folder, name) = (slash.map { Array(below[..<$0]) } ?? [], below[(slash.map { $0 + 1 } ?? 0)...])
    return model.read { state in
      guard let index = state.folders.index(of: source.canonicalPath(of: folder)),
        let file = state.file(named: name, in: index)
      else { return nil }
      return RemoteFile(path: below, key: file.inode, size: file.size, modified: file.modified)
    }
  }

  /// The assets that a path on this machine stands for, or would if what is on a server were here.
  package func identifiers(atRemote path: FilePath) -> Set<LocalIdentifier> {
    PathLookup(model.table).identifiers(atRemote: path)
  }

  /// What the beginning of a photograph on a server tells of its camera.
  ///
  /// Waits for the network.
  package func remoteDetails(of asset: Asset) throws(AssetError) -> AssetDetails {
    guard !asset.isBroken, let resource = asset.resource(for: .unadjusted),
      let source = updater.sources.remotes.first(where: { resource.path.starts(with: $0.path) }),
      let file = remoteFile(at: resource.path, in: source), !source.isOffline
    else { return AssetDetails() }
    let head = try HeadFile(file, of: source)
    return AssetDetails(try DetailsReader(helper: helper, reader: reader).facts(of: head, resource.path))
  }

  // MARK: Bytes

  public func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    let file = try OpenFile(resource.path)
    guard let range = resource.byteRange else { return file }
    return ResourcePart(of: file, range)
  }

  public func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    asset.isBroken ? AssetDetails() : try DetailsReader(helper: helper, reader: reader).details(of: asset)
  }
}

extension AssetError {
  init(path: FilePath, _ error: any Error) {
    let cause = error as? Errno
    self.init(
      path.displayString, cause?.description ?? "\(error)",
      isTransient: cause.map(DescriptorLimit.isReached) ?? false)
  }
}

extension FilePath {
  /// The path as text, what is not UTF-8 replaced; for messages, never for opening files.
  var displayString: String { String(decoding: bytes, as: UTF8.self) }
}
