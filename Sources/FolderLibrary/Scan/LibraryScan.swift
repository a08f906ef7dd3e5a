import AssetLibrary
import CodecProtocol
import Dispatch
import Synchronization
import SystemPackage

/// Brings a library's state up to the disk: walks its sources, looks at what is new or has changed.
final class LibraryScan: Sendable {
  /// More readers than cores: cold disks answer several questions in the time of one.
  private static let readers = 8

  let model: LibraryModel
  let identities = IdentityRegistry()
  let storage: LibraryStorage?
  let watch: FolderWatch?
  private let helper: CodecHelper?
  private let isCancelled = Atomic(false)
  private let isInFirstPass = Atomic(true)
  private let reading = DispatchQueue(label: "tpick.scan.readers", attributes: .concurrent)
  private let tickets = DispatchSemaphore(value: readers)
  private let work = DispatchGroup()

  init(model: LibraryModel, storage: LibraryStorage?, watch: FolderWatch?, helper: CodecHelper?) {
    self.model = model
    self.storage = storage
    self.watch = watch
    self.helper = helper
  }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Lets the next pass go on where one was given up.
  func resume() { isCancelled.store(false, ordering: .relaxed) }

  var isGivenUp: Bool { isCancelled.load(ordering: .relaxed) }

  /// Whether everything is looked at for the first time in this run.
  var isFirstPass: Bool { isInFirstPass.load(ordering: .relaxed) }

  // MARK: The index

  /// Makes known what the index has of the sources, before anything is looked at.
  func loadIndex(of sources: LibrarySources) {
    guard let storage else { return }
    for source in sources.folders {
      guard let root = source.resolved?.bytes else { continue }
      // Another tpick may be at its first look at the same library, and have written a part of it.
      let isFirst = !storage.wasCompleted(root)
      storage.readPages(below: root, pool: model.pool) { [self] pages in
        for page in pages { remember(page) }
        model.change { state in
          for page in pages { state.add(page, of: source, root: root, isFirst: isFirst) }
        }
      }
    }
    // At once, however lately there was news: the check of the disk keeps silent for a while.
    model.announce(now: true)
  }

  /// Keeps in mind which files of a page go by identifiers that are not their own, wherever they are moved.
  private func remember(_ page: FolderPage) {
    for asset in page.assets where asset.flags.contains(.inherited) {
      let file = page.files[Int(asset.firstFile)]
      identities.remember(
        inode: file.inode, size: file.size, modified: file.modified, as: asset.identifier)
    }
  }

  // MARK: A whole pass

  /// Looks at everything below the sources; returns when all is known.
  func run(_ sources: LibrarySources) {
    // What is said of the sources is said anew in every pass.
    model.change { state in
      state.issues[nil] = nil
      if isFirstPass { (state.isComplete, state.isStopped) = (false, false) }
    }
    if isFirstPass { model.progress.begin(.reading) }
    let share = 1 / Double(max(1, sources.folders.count + sources.files.count))
    for group in sources.files { visit(group, share: share) }
    var walk = FolderWalk(scan: self)
    for source in sources.folders {
      walk.walk(source, parent: nil, depth: 0, isHidden: false, share: share)
    }
    waitUntilRead()
    if !isGivenUp { walk.removeUnvisited() }
    model.announce()
    finish()
    // Whoever wants to stop it looks at the state: what is complete is not stopped any more.
    let isStopped = model.change { state in
      state.isComplete = true
      state.isStopped = isGivenUp
      return state.isStopped
    }
    model.progress.end()
    if !isStopped, isFirstPass {
      for source in sources.folders.compactMap(\.resolved) { storage?.setCompleted(source.bytes) }
    }
    // What a stopped pass has not come across is still to be seen for the first time.
    if !isStopped { isInFirstPass.store(false, ordering: .relaxed) }
    storage?.flush()
    model.announce(now: true)
  }

  /// Waits until all that was come across is looked at.
  func waitUntilRead() { work.wait() }

  /// Looks again at folders in which something happened, and at what is new below them.
  /// - Parameter time: how long the library is shown as it was, so that a move is not seen as a loss.
  func revisit(_ folders: Set<Int>, holding time: Duration = .zero) {
    model.hold(for: time)
    var walk = FolderWalk(scan: self)
    walk.revisit(folders)
    work.wait()
    if !isGivenUp { walk.removeGone() }
    finish()
    storage?.flush()
    model.announce(now: true)
  }

  /// What needs more than a look at each file's head.
  private func finish() {
    if let helper, !isGivenUp { DeepReading(scan: self, helper: helper).run() }
    guard !isGivenUp else { return }
    let unfinished = model.read { state in state.livingFolders.filter { state.folders[$0].needsPairing } }
    for folder in unfinished {
      LivePhotoPairing.pair(in: folder, model)
      save(folder)
    }
  }

  // MARK: Folders

  /// Looks at the files of a folder, in the background.
  /// - Parameter share: how much of the whole that is, from 0 to 1.
  func visit(_ index: Int, _ folder: OpenFolder, _ names: NameTable, share: Double = 0) {
    let visit = FolderVisit(scan: self, index: index, folder: folder, names: names)
    if visit.isKnown {
      enqueue { [self] in
        visit.check()
        model.progress.advance(by: share)
      }
    } else {
      let batches = visit.batches()
      for batch in batches {
        enqueue { [self] in
          visit.read(batch)
          model.progress.advance(by: share / Double(batches.count))
        }
      }
    }
    model.announce()
  }

  private func enqueue(_ body: @escaping @Sendable () -> Void) {
    tickets.wait()
    reading.async(group: work) { [self] in
      if !isGivenUp { body() }
      tickets.signal()
    }
  }

  /// Files that were named one by one, with their sidecars.
  /// - Parameter share: how much of the whole that is, from 0 to 1.
  func visit(_ files: LibrarySources.NamedFiles, share: Double) {
    do throws(AssetError) {
      let folder = try OpenFolder(files.folder)
      let index = register(folder, parent: nil, depth: 0, isHidden: false, isPartial: true)
      let names = try files.names(in: folder)
      let missing = names.indices.filter { names.withCString($0, folder.status(of:)) == nil }.map {
        AssetError(path: folder.path(of: names[$0]), Errno.noSuchFileOrDirectory)
      }
      model.change { $0.issues[index] = missing.isEmpty ? nil : missing }
      FolderVisit(scan: self, index: index, folder: folder, names: names).readAll(
        complaining: true, share: share)
    } catch {
      model.progress.advance(by: share)
      model.change { $0.issues[nil, default: []].append(error) }
    }
  }

  /// Makes a folder known, by what the index has of it where it is new to this run.
  func register(
    _ folder: OpenFolder, parent: Int?, depth: Int, isHidden: Bool, isPartial: Bool = false
  ) -> Int {
    let canonical = ((folder.path.isEmpty ? FilePath(".") : folder.path).resolved ?? folder.path).bytes
    var new = LibraryFolder(
      path: folder.path, canonicalPath: canonical, identity: folder.identity, parent: parent, depth: depth,
      isHidden: isHidden, isPartial: isPartial)
    let isKnown = model.read { $0.folder(new.key) != nil }
    let page = isKnown || isPartial ? nil : storage?.page(of: canonical, pool: model.pool)
    if let page { remember(page) }
    let wasCompleted = !isKnown && parent == nil && storage?.wasCompleted(canonical) ?? false
    return model.change { state in
      new.isFirstIndexed =
        isFirstPass && (parent.map { state.folders[$0].isFirstIndexed } ?? !wasCompleted)
      let index = state.add(new)
      if let page {
        state.setRead(folder: index)
        state.add(page.segment(folder: index))
      }
      return index
    }
  }

  /// Writes what is known of a folder into the index.
  func save(_ index: Int) {
    guard let storage, !isGivenUp else { return }
    let page = model.read { state in
      state.folders[index].isPartial ? nil : FolderPage(of: index, in: state)
    }
    if let page { storage.save(page, pool: model.pool) }
  }
}

extension LibraryState {
  /// Adds a folder of a source as the index knows it.
  fileprivate mutating func add(
    _ page: FolderPage, of source: FilePath, root: [UInt8], isFirst: Bool
  ) {
    let below = page.canonicalPath.dropFirst(root.count).drop { $0 == UInt8(ascii: "/") }
    let slash = page.canonicalPath.lastIndex(of: UInt8(ascii: "/")) ?? 0
    var known = LibraryFolder(
      path: below.isEmpty ? source : source.appendingName(below), canonicalPath: page.canonicalPath,
      identity: page.identity,
      parent: below.isEmpty ? nil : folder(Array(page.canonicalPath[..<max(1, slash)])),
      depth: below.isEmpty ? 0 : below.split(separator: UInt8(ascii: "/")).count, isHidden: page.isHidden)
    guard folder(known.key) == nil else { return }
    known.isFirstIndexed = isFirst
    let index = add(known)
    setRead(folder: index)
    if !page.files.isEmpty { add(page.segment(folder: index)) }
  }
}
