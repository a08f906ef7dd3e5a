package import AssetLibrary
import CodecProtocol
import Dispatch
import Synchronization
package import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// A library of photo folders on disk.
///
/// Reading runs on threads of its own; fetches answer from what is known so far and never wait for it.
package final class FolderAssetStore: AssetStore {
  /// Between the first screen out of the index and the check of the disk, in microseconds.
  private static let politePause: UInt32 = 250_000

  private let sources: LibrarySources
  private let model = LibraryModel()
  private let helper: CodecHelper
  private let locations: LibraryLocations?
  private let following: Following?
  private let state = Mutex(State())
  private let updating = DispatchQueue(label: "tpick.scan")
  private let finished = DispatchGroup()
  private let opened = DispatchGroup()

  private struct State {
    var scan: LibraryScan?
    var isStopped = false
    /// Whether the library is looked at again from time to time.
    var isRescanned = false
  }

  /// How a store follows what happens on disk.
  struct Following: Sendable {
    /// Where the system can't tell what changes, the library is looked at again after this time.
    var rescanInterval = DispatchTimeInterval.seconds(60)
    /// What happens together is shown together, unless it takes longer than this.
    var holdTime = Duration.milliseconds(300)
    var watch = FolderWatch.Settings()
  }

  /// A library of the given folders (walked with all below them) and files.
  /// - Parameters:
  ///   - locations: where the index and the user's marks are kept; nil = nowhere.
  ///   - watches: whether the store follows what happens on disk after the first look.
  ///   - includesPartners: whether files that belong to a named file (its raw file, its video) belong to it too.
  ///   - codecs: the path of the codec helper; nil = beside this program.
  package convenience init(
    sources: [FilePath], locations: LibraryLocations? = nil, watches: Bool = false,
    includesPartners: Bool = false, codecs: String? = nil
  ) {
    self.init(
      sources: sources, locations: locations, following: watches ? Following() : nil,
      includesPartners: includesPartners, codecs: codecs)
  }

  init(
    sources: [FilePath], locations: LibraryLocations? = nil, following: Following?,
    includesPartners: Bool = false, codecs: String? = nil
  ) {
    self.sources = LibrarySources(sources, includesPartners: includesPartners)
    self.locations = locations
    self.following = following
    helper = CodecHelper(program: codecs)
  }

  /// Starts to read and returns at once.
  package func start() {
    finished.enter()
    opened.enter()
    updating.async { [self] in
      let storage = locations.map(LibraryStorage.init)
      let watch = following.flatMap { FolderWatch($0.watch) }
      let scan = LibraryScan(model: model, storage: storage, watch: watch, helper: helper)
      let isStopped = state.withLock { state in
        state.scan = scan
        return state.isStopped
      }
      if isStopped { scan.context.control.cancel() }
      if let storage { model.changeMarks { $0 = storage.marks() } }
      opened.leave()
      scan.context.loadIndex(of: sources)
      // Who looks at a screen sees what the index knows first; the check of the disk would only slow that down.
      if following != nil, model.status.assetCount > 0 { usleep(Self.politePause) }
      scan.run(sources)
      tellNotes(of: scan)
      finished.leave()
      if let following { follow(following, scan) }
    }
  }

  // MARK: Following changes

  // What the watch calls must not hold the scan, which holds the watch.
  private func follow(_ following: Following, _ scan: LibraryScan) {
    scan.watch?.start { [weak self] news in
      self?.updating.async { [weak self] in self?.take(news) }
    }
    rescanWhereDeaf(following, scan)
  }

  /// Looks again wherever something happened.
  private func take(_ news: FolderWatch.News) {
    guard let following, let scan = state.withLock({ $0.scan }), !scan.context.control.isCancelled else {
      return
    }
    switch news {
    case .folders(let folders): scan.revisit(folders, holding: following.holdTime)
    case .everything: scan.run(sources)
    }
    tellNotes(of: scan)
    rescanWhereDeaf(following, scan)
  }

  /// Passes on what the storage has to say.
  private func tellNotes(of scan: LibraryScan) {
    let words = scan.context.storage?.notes ?? []
    guard !words.isEmpty, !Set(words).isSubset(of: model.status.notes) else { return }
    model.change { state in for word in words { state.note(word) } }
    model.announce(now: true)
  }

  private static let fullWatch =
    "the system watches no more folders (fs.inotify.max_user_watches): changes are looked for every minute"
  private static let noWatch =
    "the system watches no folders (fs.inotify.max_user_instances): changes are looked for every minute"

  /// Begins to look again from time to time, if something happens unheard.
  private func rescanWhereDeaf(_ following: Following, _ scan: LibraryScan) {
    guard scan.watch?.isFull ?? true else { return }
    let isFirst = state.withLock { state in
      defer { state.isRescanned = true }
      return !state.isRescanned
    }
    guard isFirst else { return }
    model.change { $0.note(scan.watch == nil ? Self.noWatch : Self.fullWatch) }
    model.announce(now: true)
    rescanLater(following)
  }

  private func rescanLater(_ following: Following) {
    updating.asyncAfter(deadline: .now() + following.rescanInterval) { [weak self] in
      guard let self, let scan = state.withLock({ $0.scan }) else { return }
      // What was stopped may be taken up again.
      if !scan.context.control.isCancelled {
        scan.run(sources)
        tellNotes(of: scan)
      }
      rescanLater(following)
    }
  }

  /// Waits until the reading that `start` began has seen everything.
  package func waitUntilComplete() { finished.wait() }

  /// Waits until what is being looked at is known and kept for the next run.
  func waitUntilKept() { updating.sync {} }

  /// Gives the reading up; what was found stays.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      state.scan?.context.control.cancel()
    }
  }

  package func stopReading() {
    state.withLock { state in
      model.read { library in
        guard !library.isComplete else { return }
        state.isStopped = true
        state.scan?.context.control.cancel()
      }
    }
  }

  package func resumeReading() {
    updating.async { [weak self] in
      guard let self, let scan = takeUp() else { return }
      scan.run(sources)
      tellNotes(of: scan)
      if let following { rescanWhereDeaf(following, scan) }
    }
  }

  /// The scan that was stopped, which may go on now; nil where none was.
  private func takeUp() -> LibraryScan? {
    state.withLock { state in
      guard state.isStopped, let scan = state.scan else { return nil }
      state.isStopped = false
      scan.context.control.resume()
      return scan
    }
  }

  // MARK: Fetching

  package func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    model.table.assets(in: collection, options: options)
  }

  package func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    model.table.assets(withLocalIdentifiers: identifiers, options: options)
  }

  package func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    model.table.assets(ofBurst: identifier, options: options)
  }

  package func assetCount(in collection: LocalIdentifier?, options: FetchOptions) -> Int {
    model.table.assetCount(in: collection, options: options)
  }

  package func collections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    model.table.collections(of: types, options: options)
  }

  package func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    model.table.collectionLists(options: options)
  }

  package var status: LibraryStatus { model.status }

  package func observeChanges(_ handler: @escaping @Sendable () -> Void) { model.observe(handler) }

  package func perform(_ changes: [AssetChange]) throws(AssetError) {
    // Right after the start the store of marks may not be open yet.
    opened.wait()
    guard let storage = state.withLock({ $0.scan?.context.storage }) else {
      throw AssetError("favorites", "there is no place to keep them")
    }
    let table = model.table
    for change in changes where table.handle(of: change.identifier) == nil {
      throw AssetError(change.identifier.rawValue, "no such asset")
    }
    try storage.setMarks(changes)
    model.changeMarks { marks in
      for change in changes {
        switch change {
        case .setFavorite(let asset, let value):
          if let number = asset.number { marks.favorites[number] = value }
        case .setHidden(let asset, let value): if let number = asset.number { marks.hidden[number] = value }
        }
      }
    }
  }

  // MARK: Bytes

  package func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    let file = try OpenFile(resource.path)
    guard let range = resource.byteRange else { return file }
    return ResourcePart(of: file, range)
  }

  package func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    asset.isBroken ? AssetDetails() : try DetailsReader(helper: helper).details(of: asset)
  }

  /// The identifiers of the assets that `path` stands for: itself, or all below it when it is a folder.
  ///
  /// Reads the disk's names. What is no asset of this library is left out.
  /// - Throws: `AssetError` when there is no such path.
  package func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier> {
    guard path.fileType != nil else { throw AssetError(path: path, Errno.noSuchFileOrDirectory) }
    return PathLookup(model.table).identifiers(at: path)
  }
}
