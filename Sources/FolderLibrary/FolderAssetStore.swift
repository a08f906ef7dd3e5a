public import AssetLibrary
import CodecProtocol
import Synchronization
import System
public import SystemPackage
import Trash

/// A photo library over folders and files on disk.
///
/// Reads the files in the background on its own threads. Fetches answer from what has been read so far and
/// never wait. Any thread may call.
///
///     let store = FolderAssetStore(sources: ["/home/ada/Pictures"])
///     store.waitUntilComplete()
///     print(store.assetCount(in: nil, options: FetchOptions()))
public final class FolderAssetStore: AssetStore {
  let updater: LibraryUpdater
  private let model = LibraryModel()
  private let helper: CodecClient
  private let reader: MetadataClient
  private let trash: DesktopTrash?
  private let locations: LibraryLocations?
  private let localSources: [FilePath]
  private let drafts = AssetDrafts()
  private let codecs: String?
  /// nil without a trash.
  private let recentlyDeleted: RecentlyDeleted?
  /// Whether the trash is read in the background, rather than by each fetch of Recently Deleted.
  private let readsTrashInBackground: Bool
  /// Serializes `perform`.
  private let changing = Mutex(())
  private let delivery = ChangeDelivery()

  /// Creates a library of the given folders, with all their subfolders, and files.
  ///
  /// Reads nothing before `start()`.
  /// - Parameters:
  ///   - sources: folders and files, in the order of the albums. A source that doesn't exist is an issue of
  ///     `status`.
  ///   - locations: where to store the index and the user's favorites and albums; nil = nothing is stored.
  ///   - watches: whether the store follows changes on disk after the first scan.
  ///   - includesPartners: whether files that belong to a named file, such as its raw file or video, are
  ///     included.
  ///   - reader: the path of the helper `tpick-reader`, which reads most files; nil = it is searched: at the
  ///     path in the environment variable `TPICK_READER`, in the folder in `TPICK_HELPERS`, beside this
  ///     program, in `../libexec/tpick` relative to it, and in the build folder.
  ///   - codecs: the path of the helper `tpick-codecs`, which reads HEIC, raw files and videos; nil = it is
  ///     searched in the same way, with `TPICK_CODECS`.
  public convenience init(
    sources: [FilePath], locations: LibraryLocations? = nil, watches: Bool = false,
    includesPartners: Bool = false, reader: String? = nil, codecs: String? = nil
  ) {
    self.init(
      sources: sources, locations: locations, following: watches ? .atOnce : nil,
      includesPartners: includesPartners, codecs: codecs,
      reader: reader.map { MetadataClient(program: $0) } ?? .standard)
  }

  /// Creates a library with further sources.
  /// - Parameters:
  ///   - watches: whether the store follows changes on disk. The first fetches then answer from the index, which is
  ///     compared with the disk only after `allowBackgroundWork()`.
  ///   - candidates: paths that arrive one by one; the library is complete at their end. nil = none.
  ///   - remotes: folders on servers.
  package convenience init(
    sources: [FilePath], locations: LibraryLocations? = nil, watches: Bool = false,
    includesPartners: Bool = false, reader: String? = nil, codecs: String? = nil,
    candidates: CandidateStream?,
    remotes: [any RemoteSource] = []
  ) {
    self.init(
      sources: sources, locations: locations, following: watches ? FollowingSettings() : nil,
      includesPartners: includesPartners, codecs: codecs,
      reader: reader.map { MetadataClient(program: $0) } ?? .standard, candidates: candidates,
      remotes: remotes)
  }

  init(
    sources: [FilePath], locations: LibraryLocations? = nil, following: FollowingSettings?,
    includesPartners: Bool = false, codecs: String? = nil, reader: MetadataClient = .standard,
    candidates: CandidateStream? = nil, remotes: [any RemoteSource] = []
  ) {
    self.reader = reader
    self.locations = locations
    localSources = sources
    let trash = locations?.desktopTrash
    let (helper, model, folders) = (CodecClient(program: codecs), model, sources)
    (self.trash, self.helper, self.codecs) = (trash, helper, codecs)
    var sources = LibrarySources(sources, includesPartners: includesPartners, stream: candidates?.place)
    sources.remotes = remotes
    let updater = LibraryUpdater(
      model, sources: sources,
      locations: locations, following: following, helper: helper, reader: reader,
      candidates: candidates.map(CandidateIntake.init))
    self.updater = updater
    readsTrashInBackground = following != nil
    _ = model.observers.add { [delivery] change in delivery.add(change) }
    recentlyDeleted = trash.map { trash in
      RecentlyDeleted(trash, sources: folders, reader: reader, helper: helper) {
        RecentlyDeleted.Library(
          known: updater.storage?.trashedFiles() ?? [],
          edits: updater.storage?.trashedFiles(edits: true) ?? [], table: model.table)
      }
    }
  }

  deinit {
    // Pending reads are no longer needed.
    updater.stop()
  }

  // MARK: Reading

  /// Starts reading in the background and returns at once; does nothing if it has been called before.
  public func start() { updater.start() }

  /// Allows work that would delay the first screen of a picker, such as comparing the index with the disk.
  ///
  /// The picker calls it. Stores that your program creates don't wait for it.
  public func allowBackgroundWork() { updater.allowBackgroundWork() }

  /// Blocks until the first scan has ended or was stopped, and starts it if necessary.
  ///
  /// Implies `allowBackgroundWork()`. Asynchronous code should use `AssetManager.waitUntilComplete()` of a
  /// library, with which no thread waits.
  public func waitUntilComplete() {
    updater.waitUntilComplete()
    delivery.flush()
  }

  /// Stops the first scan.
  ///
  /// Assets found so far stay, and `status` reports that the scan was stopped.
  public func stopReading() { updater.stopReading() }

  /// Resumes a stopped scan and retries the sources that could not be read.
  ///
  /// Returns at once.
  public func resumeReading() { updater.resumeReading() }

  /// The progress of the scan, the number of assets and the issues found so far.
  public var status: LibraryStatus { model.status }

  /// Registers a handler that is called after each change of the library, until `stopObserving(_:)`.
  ///
  /// Handlers run on one thread, one after the other, and may change the library. `perform` returns after they have
  /// been called, except in a handler: what that changes is notified after all have returned.
  /// - Returns: the token for `stopObserving(_:)`.
  @discardableResult
  public func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    delivery.observers.add(handler)
  }

  /// Removes an observer.
  ///
  /// A call of its handler that is running on another thread still completes.
  public func stopObserving(_ observer: ObserverID) { delivery.observers.remove(observer) }

  // MARK: Fetching

  /// Returns the assets of a collection, filtered and sorted.
  /// - Parameters:
  ///   - collection: an album, list or moment; nil = the whole library. The result is empty if the collection
  ///     doesn't exist. For Recently Deleted, a store that doesn't follow changes reads the trash; one that
  ///     does reads it in the background, and notifies observers of changes.
  ///   - options: the conditions, the order and the limit.
  public func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    if Self.isRecentlyDeleted(collection) { return FetchResult(deletedAssets(options)) }
    return model.table.assets(in: collection, options: options)
  }

  /// Returns the assets with the given identifiers that match the options, in the order of the identifiers.
  ///
  /// Includes all photos of a burst, not only its representative. Unknown identifiers are skipped.
  public func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    model.table.assets(withLocalIdentifiers: identifiers, options: options)
  }

  /// Returns all photos of a burst that match the options, not only its representative.
  public func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    model.table.assets(ofBurst: identifier, options: options)
  }

  /// Returns the number of assets in a collection that match the options.
  /// - Parameters:
  ///   - collection: nil = the whole library.
  ///   - options: the conditions and the limit.
  public func assetCount(in collection: LocalIdentifier?, options: FetchOptions) -> Int {
    if Self.isRecentlyDeleted(collection) { return deletedAssets(options).count }
    return model.table.assetCount(in: collection, options: options)
  }

  /// Returns the non-empty collections of some types: smart albums, the user's albums, folders by path, then
  /// moments with the newest first.
  ///
  /// The options decide which assets count; their order and limit are ignored. An album of the user's without
  /// assets is included if the options have no filter.
  public func collections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    let collections = model.table.collections(of: types, options: options)
    guard types.contains(.recentlyDeleted),
      let deleted = currentRecentlyDeleted?.collection(options, marks: model.table.marks)
    else { return collections }
    let smart = collections.prefix { $0.type == .smartAlbum }
    return FetchResult(smart + [deleted] + collections.dropFirst(smart.count))
  }

  /// Returns the folders that contain folders with assets matching the options, sorted by path.
  public func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    model.table.collectionLists(options: options)
  }

  /// Returns texts with which a search can be completed: those of the given fields that start with a prefix,
  /// or have a word that does.
  /// - Parameters:
  ///   - fields: the fields whose texts are searched.
  ///   - prefix: the start of a text or of a word in it; case and accents don't matter.
  ///   - collection: only texts of its assets; nil = the whole library.
  ///   - options: only texts of assets that match them.
  /// - Returns: for each field, the most frequent texts first.
  public func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] {
    if Self.isRecentlyDeleted(collection) {
      return currentRecentlyDeleted?.searchTexts(
        in: fields, beginningWith: prefix, options: options, marks: model.table.marks) ?? []
    }
    return model.table.searchTexts(
      in: fields, beginningWith: prefix, collection: collection, options: options)
  }

  private static func isRecentlyDeleted(_ collection: LocalIdentifier?) -> Bool {
    collection == SmartAlbum.recentlyDeleted.localIdentifier
  }

  /// The assets of Recently Deleted that match the options.
  private func deletedAssets(_ options: FetchOptions) -> [Asset] {
    currentRecentlyDeleted?.assets(options, marks: model.table.marks) ?? []
  }

  /// Recently Deleted after a look at the trash, or while one is made in the background; nil without a trash.
  private var currentRecentlyDeleted: RecentlyDeleted? {
    guard let recentlyDeleted else { return nil }
    if !readsTrashInBackground {
      recentlyDeleted.look()
    } else if status.isComplete {
      // Before the end of the first scan, the disk is needed for what is in the library.
      recentlyDeleted.lookLater { [model] in model.announceContents() }
    }
    return recentlyDeleted
  }

  /// Returns the assets of a file, or all assets below a folder.
  ///
  /// May block on a disk.
  /// - Returns: empty if the file or folder is not part of the library.
  /// - Throws: `AssetError` if the path doesn't exist or doesn't respond.
  public func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier> {
    try PathLookup(model.table).identifiers(at: path)
  }

  /// Returns the assets of several paths, in their order, as `identifiers(at:)` does for one.
  ///
  /// May block on a disk.
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

  /// Returns the inode of the current file of those assets whose file replaced another one under the same
  /// identifier.
  public func successorFiles(of identifiers: Set<LocalIdentifier>) -> [LocalIdentifier: UInt64] {
    let table = model.table
    return identifiers.reduce(into: [:]) { files, identifier in
      guard let handle = table.handle(of: identifier) else { return }
      files[identifier] = table.view(of: handle).successorFile
    }
  }

  // MARK: Changing

  /// The albums that the user created, with the identifiers of their assets.
  public var userAlbums: UserAlbums { model.table.marks.albums }

  /// Applies changes, all or none of them, and notifies observers once.
  ///
  /// Deleted assets are moved to the desktop's trash, and `deletePermanently` removes them from there.
  ///
  /// Blocks on the disk. Concurrent calls run one after the other. Observers may call it.
  /// - Returns: the changes that undo these, in the order to apply them.
  /// - Throws: `AssetError` if an asset or album doesn't exist, a file can't be moved, or the store has no
  ///   location to store changes; nothing is changed then, except by `deletePermanently`.
  @discardableResult
  public func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange] {
    guard let storage = updater.storage else {
      throw AssetError("favorites and albums", "they can't be stored: the library has no data folder")
    }
    // Serialized, since an undo is only valid if no other change is made in between.
    let inverse = try changing.withLock { _ throws(AssetError) in
      try delivery.hold { () throws(AssetError) in try perform(changes, in: storage) }
    }
    delivery.flush()
    return inverse
  }

  /// Applies changes while no other call does.
  private func perform(
    _ changes: [AssetChange], in storage: LibraryStorage
  ) throws(AssetError) -> [AssetChange] {
    let table = model.table
    var created: [LocalIdentifier] = []
    for case .createAsset(let asset) in changes where table.handle(of: asset) == nil {
      guard drafts.contains(asset) else {
        throw AssetError(asset.rawValue, "is not prepared", code: .notFound)
      }
      if !created.contains(asset) { created.append(asset) }
    }
    for asset in changes.lazy.flatMap(\.requiredAssets)
    where table.handle(of: asset) == nil && !created.contains(asset) {
      throw AssetError(asset.rawValue, "no such asset", code: .notFound)
    }
    try AssetChange.check(changes)
    if let assets = changes.first?.permanentlyDeletedAssets {
      try deletePermanently(assets, in: table, storage)
      return []
    }
    var marks = table.marks
    let files = try AssetDeletion(
      changes, in: table, storage, updater.sources, trash: trash, recentlyDeleted: recentlyDeleted)
    var sidecars = SidecarEdits()
    var new: [(draft: AssetDraft, files: [FilePath])] = []
    let albums: UserAlbums?
    let inverses: [[AssetChange]]
    do throws(AssetError) {
      new = try drafts.place(created)
      if locations?.writesSidecars == true {
        sidecars = try SidecarEdits(changes, in: table, storage, updater.sources)
      }
      (albums, inverses) = try storage.perform(
        changes, trashed: files.trashed, trashedEdits: files.trashedEdits, inSidecars: sidecars.assets)
    } catch {
      for asset in new { asset.draft.discard() }
      throw files.rollBack(because: sidecars.rollBack(because: error))
    }
    let inverse = zip(changes, inverses).map { change, inverse -> [AssetChange] in
      defer { marks.apply(change) }
      switch change {
      case .delete(let assets): return assets.isEmpty ? [] : [.restore(assets)]
      case .restore(let assets): return assets.isEmpty ? [] : [.delete(assets)]
      case .revertToOriginal(let assets): return assets.isEmpty ? [] : [.restoreEdits(assets)]
      case .restoreEdits(let assets): return assets.isEmpty ? [] : [.revertToOriginal(assets)]
      default: return table.mark(before: change, with: marks).map { [$0] } ?? inverse
      }
    }
    if !files.folders.isEmpty {
      model.change { state in
        for asset in files.trashed.keys { if let handle = table.handle(of: asset) { state.remove(handle) } }
      }
    }
    files.end()
    recentlyDeleted?.forget(files.restored.map(\.asset))
    // A look during the change did not know yet that the files of an edit belong to their photo.
    if !files.trashedEdits.isEmpty { recentlyDeleted?.lookAgain() }
    for (asset, paths) in files.restored { updater.keepIdentifier(asset, of: paths) }
    // Fetches must not mix the old files with the new ones: an edit that is gone can't be shown.
    let hasEdits = changes.contains { change in
      switch change {
      case .revertToOriginal, .restoreEdits: true
      default: false
      }
    }
    if !files.folders.isEmpty { updater.rescan(files.folders, evenIfWatched: hasEdits) }
    // On some file systems a name changes what identifies the file.
    for (draft, files) in new { updater.keepIdentifier(draft.identifier, of: files) }
    let around = Set(new.compactMap { table.nearestFolder(above: $0.draft.folder) })
    if !around.isEmpty { updater.rescan(around, evenIfWatched: true) }
    // Also where a watch would notice it: what the sidecars say is to be known before the next change.
    if !sidecars.folders.isEmpty { updater.rescan(sidecars.folders, evenIfWatched: true) }
    model.changeMarks { marks in
      for change in changes { marks.apply(change) }
      // These assets say it themselves now.
      for number in sidecars.assets.compactMap(\.number) { marks.favorites[number] = nil }
      if let albums { marks.albums = albums }
    }
    // Undoing the creation of an asset undoes what was done to it in the same call.
    return Array(inverse.reversed().joined()) + created.reversed().map { AssetChange.delete([$0]) }
  }

  /// Copies the files of a new asset into the library without showing them.
  ///
  /// Waits for the first scan, and blocks on the disk. Resources in memory are stored in a temporary file meanwhile.
  /// - Parameters:
  ///   - creation: the content of the asset.
  ///   - options: the assets with which it is compared; nil = none.
  /// - Returns: the identifier that the asset will have, or that of an identical asset.
  /// - Throws: `AssetError` if a file can't be read or copied, is not a photo or video, or the folder is not in the
  ///   library.
  public func prepareAsset(
    _ creation: AssetCreation, comparedWith options: FetchOptions?
  ) throws(AssetError) -> LocalIdentifier {
    waitUntilComplete()
    let temporary = [ProcessEnvironment.value("TMPDIR").map { FilePath($0) }, "/tmp", "/var/tmp"].compactMap(
      \.self)
    let staged = try StagedAsset(creation, folders: temporary, codecs: codecs, reader: reader)
    if let options {
      var options = options
      let isSameSize = AssetPredicate.NumberKey.byteCount == Double(staged.asset.byteCount)
      options.predicate = options.predicate.map { .and([$0, isSameSize]) } ?? isSameSize
      let known = KnownAssets(
        assets(in: nil, options: options), in: self, byteCounts: [staged.asset.byteCount])
      if let same = known.same(as: staged.asset, in: staged)?.id ?? drafts.reuse(for: staged) { return same }
    }
    let draft = try AssetDraft(
      of: staged, into: try folder(for: staged.asset.creationDate, creation.folder))
    drafts.add(draft)
    return draft.identifier
  }

  /// Discards an asset that was prepared and will not be created.
  public func discardPreparedAsset(_ asset: LocalIdentifier) { drafts.discard(asset) }

  /// Returns the folder for a new asset.
  private func folder(for date: AssetDate, _ wanted: FilePath?) throws(AssetError) -> FilePath {
    guard let source = localSources.first(where: { MountProbes.shared.answers($0) && $0.isFolder }) else {
      throw AssetError("library", "has no folder into which photos can be saved", code: .unsupported)
    }
    guard let wanted else {
      let pattern = FolderPattern(of: self, below: source)
      return pattern.map { source.pushing(FilePath($0.folder(of: date))) } ?? source
    }
    let folder = wanted.isAbsolute ? wanted : source.pushing(wanted)
    // Of a folder that does not exist yet, the nearest existing parent counts.
    var above = folder
    while above.resolved == nil, above.lastComponent != nil { above.removeLastComponent() }
    let resolved = above.isEmpty ? FilePath(".").resolved : above.resolved
    let isWithin = localSources.contains { source in
      guard source.isFolder, let root = source.resolved, let resolved else { return false }
      return resolved.starts(with: root)
    }
    guard isWithin, !folder.components.contains(where: { $0.kind == .parentDirectory }) else {
      throw AssetError(folder.displayString, "is not a folder of the library")
    }
    return folder
  }

  /// Deletes assets of Recently Deleted for good, and notifies observers.
  /// - Throws: `AssetError` that names the files that could not be deleted.
  private func deletePermanently(
    _ assets: [LocalIdentifier], in table: LibraryTable, _ storage: LibraryStorage
  ) throws(AssetError) {
    var (deleted, failures) = try AssetDeletion.deletePermanently(
      assets, in: table, storage, trash: trash, recentlyDeleted: recentlyDeleted)
    recentlyDeleted?.forget(deleted)
    defer { model.announceContents() }
    do throws(AssetError) {
      _ = try storage.perform([.deletePermanently(deleted)])
    } catch {
      // The entries stay; they refer to files that no longer exist. Files that are still there are named first.
      let reason = "the files are deleted, but that can't be noted: \(error.reason)"
      if !deleted.isEmpty { failures.append(AssetError(error.subject, reason, code: error.code)) }
    }
    guard let first = failures.first else { return }
    let others = failures.dropFirst().prefix(Self.mostNamedFailures).map { "; \($0)" }.joined()
    let unnamed = failures.count - 1 - Self.mostNamedFailures
    throw AssetError(
      first.subject, first.reason + others + (unnamed > 0 ? "; and \(unnamed) more" : ""), code: first.code)
  }

  /// The number of further files that an error names.
  private static let mostNamedFailures = 9

  /// Compares the library with the last comparison, which is stored in `changes.sqlite` below the data folder.
  ///
  /// Blocks until the first scan is over. Missing assets below folders with read errors are not reported as deleted.
  /// - Throws: `PersistentChangeError.incomplete` if a source is missing, unreadable, or empty although it held assets.
  public func persistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges {
    guard let locations else { throw .unsupported }
    waitUntilComplete()
    // The files of a source that can't be read would all be taken for deleted.
    if let source = status.unreadableSources.first { throw .incomplete(source) }
    var sources: [(path: FilePath, canonical: [UInt8])] = []
    for path in localSources {
      guard let resolved = path.resolved else {
        throw .incomplete(AssetError(path: path, Errno.noSuchFileOrDirectory))
      }
      sources.append((path, resolved.bytes))
    }
    let remotes = updater.sources.remotes.map(\.canonicalPath)
    let history = try LibraryHistory(
      at: LibraryHistory.path(locations), sources: sources.map(\.canonical) + remotes)
    let spell = { (path: FilePath?) in path.map { Self.spelling(of: $0, sources) } }
    var answer = try history.changes(since: token) { () throws(PersistentChangeError) in
      guard status.isComplete, !status.isStopped else {
        throw .incomplete(AssetError("library", "not all of it has been read"))
      }
      return look(at: sources)
    }
    for index in answer.changes.indices {
      answer.changes[index].path = spell(answer.changes[index].path)
      answer.changes[index].previousPath = spell(answer.changes[index].previousPath)
    }
    return answer
  }

  /// The library as a history compares it, with the marks and albums that other processes have stored meanwhile.
  private func look(at sources: [(path: FilePath, canonical: [UInt8])]) -> LibraryHistory.Look {
    if let storage = updater.storage {
      let stored = storage.marks()
      model.changeMarks { $0 = stored }
    }
    let table = model.table
    let entries = HistoryEntry.entries(of: self) { asset in
      if let address = asset.primaryResource?.remoteAddress { return FilePath(bytes: Array(address.utf8)) }
      guard let handle = table.handle(of: asset.id), let name = asset.primaryResource?.filename else {
        return asset.primaryResource?.path
      }
      let folder = table.state.folders[table.state.segment(of: handle).folder]
      return FilePath(bytes: folder.canonicalPath).appendingName(name)
    } stamps: { asset in
      table.handle(of: asset.id).map { table.view(of: $0).fileTimes } ?? []
    }
    return LibraryHistory.Look(
      entries: entries,
      uncertain: table.state.issues.keys.compactMap { $0.map { table.state.folders[$0].canonicalPath } },
      empty: sources.filter { $0.path.isEmptyFolder })
  }

  /// A canonical path, written with the source that it lies below as the user wrote that.
  private static func spelling(
    of path: FilePath, _ sources: [(path: FilePath, canonical: [UInt8])]
  ) -> FilePath {
    let bytes = path.bytes
    for (source, canonical) in sources {
      if bytes == canonical { return source }
      guard bytes.starts(with: canonical), bytes.count > canonical.count, bytes[canonical.count] == 0x2F
      else { continue }
      return source.appendingName(bytes[(canonical.count + 1)...])
    }
    return path
  }

  // MARK: Servers

  /// Reads the headers of these remote files, and then their thumbnails, before all others.
  ///
  /// Returns at once.
  public func prepareThumbnails(of identifiers: [LocalIdentifier]) {
    updater.want(identifiers.compactMap(\.number))
  }

  /// Waits until no remote reads of higher priority are pending, or until the time is up.
  package func wait(for reads: AwaitedReads, atMost time: Duration, isCancelled: () -> Bool) {
    updater.wait(for: reads, atMost: time, isCancelled: isCancelled)
  }

  /// Lists remote folders again because something is known to have changed there.
  ///
  /// Returns at once.
  package func relist() { updater.relist() }

  /// Updates which remote files have local copies.
  package func setCopies(_ change: (inout RemoteCopies) -> Void) { model.changeCopies(change) }

  /// Returns the library's data of a remote file, by the local path that it has after a download.
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

  /// Returns the assets of a local path, as if all remote files had been downloaded.
  package func identifiers(atRemote path: FilePath) -> Set<LocalIdentifier> {
    PathLookup(model.table).identifiers(atRemote: path)
  }

  /// Reads the camera details from the header of a remote photo.
  ///
  /// Blocks on the network.
  package func remoteDetails(of asset: Asset) throws(AssetError) -> AssetDetails {
    guard !asset.isBroken, let resource = asset.resource(for: .unadjusted),
      let source = updater.sources.remotes.first(where: { resource.path.starts(with: $0.path) }),
      let file = remoteFile(at: resource.path, in: source), !source.isOffline
    else { return AssetDetails() }
    let header = try HeaderFile(file, of: source)
    return AssetDetails(try DetailsReader(helper: helper, reader: reader).facts(of: header, resource.path))
  }

  // MARK: Originals and details

  /// Opens the file of a resource, or the part of it that holds the resource, such as a Motion Photo's video.
  /// - Throws: `AssetError` if the file can't be opened.
  public func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    let file = try OpenFile(resource.path)
    guard let range = resource.byteRange else { return file }
    return ResourcePart(of: file, range)
  }

  /// Returns true: folders are read without downloads, network disks too.
  public func isLocal(_ resource: AssetResource) -> Bool { true }

  /// Reads the camera details of an asset from its file, through the helpers.
  ///
  /// Blocks on the disk.
  /// - Throws: `AssetError` if the file can't be read.
  public func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    asset.isBroken ? AssetDetails() : try DetailsReader(helper: helper, reader: reader).details(of: asset)
  }
}

extension AssetError {
  init(path: FilePath, _ error: any Error) {
    let cause = error as? Errno
    self.init(
      path.displayString, cause?.description ?? "\(error)", code: cause.map(Code.init) ?? .failed,
      isTransient: cause.map(DescriptorLimit.isReached) ?? false)
  }
}

extension FilePath {
  /// The path as text with invalid UTF-8 replaced; for messages, never for opening files.
  var displayString: String { String(decoding: bytes, as: UTF8.self) }
}
