import AssetLibrary
import CodecProtocol
import Synchronization
import SystemPackage

/// What the parts of a scan share: the library that they bring up to date, and what says whether they go on.
struct ScanContext: Sendable {
  let model: LibraryModel
  let identities = IdentityRegistry()
  let storage: LibraryStorage?
  let control = ScanControl()
  let stalls: HelperStalls
  let calls: FolderCalls
  let probes: MountProbes
  /// Reads what files say of themselves.
  let reader: MetadataClient

  /// Writes what is known of a folder into the index.
  func save(_ folder: Int) {
    guard let storage, !control.isCancelled else { return }
    let page = model.read { state in
      state.folders[folder].isPartial || state.folders[folder].namesOfSource != nil
        ? nil : FolderPage(of: folder, in: state)
    }
    if let page { storage.save(page, pool: model.pool) }
  }

  /// Remembers which files of a page have identifiers that are not their own, wherever they are moved.
  private func rememberIdentities(of page: FolderPage) {
    for asset in page.assets where asset.flags.contains(.inherited) {
      let file = page.files[Int(asset.firstFile)]
      identities.remember(
        inode: file.inode, size: file.size, modified: file.modified, as: asset.identifier)
    }
  }
}

// Folders become known.
extension ScanContext {
  /// A folder that is to become known.
  struct NewFolder {
    var path: FilePath
    var canonicalPath: [UInt8]
    var identity: FileIdentity
    var parent: Int?
    var depth: Int
    var isHidden: Bool
    var isPartial = false
    var remoteName: RemoteFolderName?
    /// The names in it that were named one by one, on a server; nil = all.
    var namesOfSource: Set<[UInt8]>?
  }

  /// Makes a folder on a disk known.
  /// - Returns: the index of the folder.
  func register(
    _ folder: OpenFolder, parent: Int?, depth: Int, isHidden: Bool, isPartial: Bool = false
  ) -> Int {
    let canonical = folder.canonicalPath.bytes
    return register(
      NewFolder(
        path: folder.path, canonicalPath: canonical, identity: folder.identity, parent: parent, depth: depth,
        isHidden: isHidden, isPartial: isPartial))
  }

  /// Makes a folder known, by what the index has of it where it is new to this run.
  /// - Returns: the index of the folder.
  func register(_ folder: NewFolder) -> Int {
    let (canonical, parent, isPartial) = (folder.canonicalPath, folder.parent, folder.isPartial)
    var new = LibraryFolder(
      path: folder.path, canonicalPath: canonical, identity: folder.identity, parent: parent,
      depth: folder.depth, isHidden: folder.isHidden, isPartial: isPartial)
    (new.remoteName, new.namesOfSource) = (folder.remoteName, folder.namesOfSource)
    let isKnown = model.read { $0.folders.index(of: new.key) != nil }
    let page = isKnown || isPartial ? nil : storage?.page(of: canonical, pool: model.pool)
    if let page { rememberIdentities(of: page) }
    let wasCompleted = !isKnown && parent == nil && storage?.wasCompleted(canonical) ?? false
    return model.change { state in
      new.isFirstIndexed =
        control.isFirstPass && (parent.map { state.folders[$0].isFirstIndexed } ?? !wasCompleted)
      let index = state.add(new)
      if let page {
        state.setRead(folder: index)
        state.add(page.segment(folder: index, only: folder.namesOfSource))
      }
      return index
    }
  }

  /// Makes known what the index has of the sources, before anything is looked at.
  func loadIndex(of sources: LibrarySources) {
    loadIndex(below: sources.folders)
    for source in sources.remotes { loadIndex(of: source) }
    // At once: the next announcement may be a while off.
    model.announce(now: true)
  }

  /// Makes known what the index has of a source on a server.
  private func loadIndex(of source: any RemoteSource) {
    guard let names = source.names else {
      return loadIndex(IndexedSource(path: source.path, root: source.canonicalPath, remote: source))
    }
    guard let page = storage?.page(of: source.canonicalPath, pool: model.pool) else { return }
    let segment = page.segment(folder: 0, only: names)
    if segment.assets.isEmpty { return }
    _ = register(
      NewFolder(
        path: source.path, canonicalPath: source.canonicalPath, identity: page.identity, parent: nil,
        depth: 0,
        isHidden: page.isHidden, remoteName: RemoteFolderName(of: [], in: source), namesOfSource: names))
  }

  fileprivate struct IndexedSource {
    var path: FilePath
    /// Under this name the index knows it.
    var root: [UInt8]
    /// What it is on a server.
    var remote: (any RemoteSource)?
  }

  private func loadIndex(_ source: IndexedSource) {
    guard let storage else { return }
    // Another tpick may be at its first look at the same library, and have written a part of it.
    let isFirst = !storage.wasCompleted(source.root)
    storage.readPages(below: source.root, pool: model.pool) { pages in
      for page in pages { rememberIdentities(of: page) }
      let isSomebodyWaiting = model.read { $0.assetCount == 0 }
      model.change { state in
        for page in pages {
          state.add(page, of: source, isFirst: isFirst)
        }
      }
      // The newest come first: who looks at a screen need not wait for the others.
      model.announce(now: isSomebodyWaiting)
    }
  }

  /// Makes known what the index has of folders and of all below them.
  func loadIndex(below folders: [FilePath]) {
    for source in folders {
      guard probes.answers(source, within: MountProbes.shortPatience), let root = source.resolved?.bytes
      else { continue }
      loadIndex(IndexedSource(path: source, root: root))
    }
    model.announce(now: true)
  }

  /// Removes folders with all that is in them.
  func remove(_ folders: [Int]) {
    let folders = model.read { state in folders.filter { state.folders.present($0) != nil } }
    guard !folders.isEmpty else { return }
    let paths = model.change { state in
      state.removeFolders(Set(folders))
      return folders.map { state.folders[$0].canonicalPath }
    }
    storage?.remove(paths)
  }
}

extension LibraryState {
  /// Adds a folder of a source as the index knows it.
  fileprivate mutating func add(
    _ page: FolderPage, of source: ScanContext.IndexedSource, isFirst: Bool
  ) {
    let below = page.canonicalPath.dropFirst(source.root.count).drop { $0 == UInt8(ascii: "/") }
    let slash = page.canonicalPath.lastIndex(of: UInt8(ascii: "/")) ?? 0
    var known = LibraryFolder(
      path: below.isEmpty ? source.path : source.path.appendingName(below), canonicalPath: page.canonicalPath,
      identity: page.identity,
      parent: below.isEmpty ? nil : folders.index(of: Array(page.canonicalPath[..<max(1, slash)])),
      depth: below.isEmpty ? 0 : below.split(separator: UInt8(ascii: "/")).count, isHidden: page.isHidden)
    guard folders.index(of: known.key) == nil else { return }
    known.isFirstIndexed = isFirst
    known.remoteName = source.remote.map { RemoteFolderName(of: below, in: $0) }
    let index = add(known)
    setRead(folder: index)
    if !page.files.isEmpty { add(page.segment(folder: index)) }
  }
}

/// Whether a scan may go on, and whether it looks at its library for the first time.
///
/// Set and asked from any thread.
final class ScanControl: Sendable {
  private let cancelled = Atomic(false)
  private let firstPass = Atomic(true)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Lets the next pass go on where one was cancelled.
  func resume() { cancelled.store(false, ordering: .relaxed) }

  /// Whether everything is looked at for the first time in this run.
  var isFirstPass: Bool { firstPass.load(ordering: .relaxed) }

  /// Has the next pass told as the first one is: the user asked for it and waits.
  func beginFirstPass() { firstPass.store(true, ordering: .relaxed) }

  func endFirstPass() { firstPass.store(false, ordering: .relaxed) }
}

/// How far the first look at a library has come.
///
/// Nothing is counted ahead. Each source has a share of the whole; files that were named one by one have one for
/// every folder they lie in. Of a folder's share each folder in it gets as much as its own files. Folders of years
/// and months make that a good guess, and the sum is right in the end.
final class ScanProgress: Sendable {
  private struct State {
    var phase = LibraryProgress.Phase.reading
    var fraction = 0.0
    var began: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  func begin(_ phase: LibraryProgress.Phase) {
    state.withLock { $0 = State(phase: phase, began: .now) }
  }

  /// Enters that a share of the whole is done.
  func advance(by share: Double) {
    if share > 0 { state.withLock { $0.fraction += share } }
  }

  func end() {
    state.withLock { $0 = State() }
  }

  /// nil before the beginning and after the end.
  var value: LibraryProgress? {
    state.withLock { state in
      guard let began = state.began else { return nil }
      let elapsed = began.duration(to: .now).components
      return LibraryProgress(
        phase: state.phase, fraction: min(1, state.fraction),
        elapsed: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
    }
  }
}
