import AssetLibrary
import Dispatch
import Synchronization
import SystemPackage
import System

/// Lists a remote source, several folders at once, the last names first, and adds new files to the library.
///
/// An unchanged folder is not listed again. No file is read: files are in the library by name and date until
/// `RemoteReader` has read their headers. If some of them are already visible, reading those has priority.
///
/// Servers provide no inodes by which a folder could be recognized. A folder that contains itself is detected
/// by its contents, and limits ensure that the walk ends whatever a server reports.
final class RemoteWalk: Sendable {
  private struct Step {
    /// The path relative to the source.
    var folder: [UInt8]
    var parent: Int?
    var depth: Int
    var isHidden: Bool
    /// The modification time as listed in its parent.
    var modified: Int64?
    /// The fingerprints of the contents of its ancestors, from the source on.
    var ancestors: Set<UInt64> = []
  }

  /// The limits of a walk.
  struct Limits {
    /// The maximum depth: deeper folders are a loop, or not a photo library.
    var depth = 64
    /// The maximum number of folders.
    var folders = 100_000
  }

  private struct State {
    /// The number of folders listed or pending.
    var folders = 0
    /// The messages about limits that were already reported.
    var exceeded: Set<String> = []
    /// Sorted by path: the last one is listed first, whichever thread found it.
    var pending: [Step] = []
    /// The number of folders being listed, and its maximum.
    var busy = 0
    var most = RemoteWalk.firstConnections
    /// The number of threads waiting because of that maximum.
    var held = 0
    var found: Set<Int> = []
    /// The folders that had subfolders before.
    var parents: Set<Int> = []

    /// Adds the subfolders of one folder, which are sorted.
    mutating func add(_ below: [Step]) {
      guard let first = below.first?.folder else { return }
      // Mostly at the end, since the last folder was listed.
      let place = pending.lastIndex { $0.folder.lexicographicallyPrecedes(first) }.map { $0 + 1 } ?? 0
      pending.insert(contentsOf: below, at: place)
    }
  }

  /// The number of concurrent listings: servers answer several requests in the time of one.
  private static let connections = 6
  /// The number of concurrent listings until the first files are known, so that those have more bandwidth.
  private static let firstConnections = 2
  /// The interval at which pending notifications are sent.
  private static let pause = DispatchTimeInterval.milliseconds(40)
  /// The longest that a listing waits for reads of visible files.
  private static let patience = Duration.seconds(1)
  /// The longest that listing pauses after the first files are known, until some of them are visible.
  private static let firstLook = Duration.milliseconds(200)

  private let context: ScanContext
  private let visits: VisitQueue
  private let source: any RemoteSource
  private let reader: RemoteReader
  private let isInteractive: Bool
  private let limits: Limits
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)
  private var model: LibraryModel { context.model }

  /// - Parameters:
  ///   - reader: reads the files.
  ///   - isInteractive: whether the library is used interactively.
  init(
    _ context: ScanContext, visits: VisitQueue, _ source: any RemoteSource, _ reader: RemoteReader,
    isInteractive: Bool, limits: Limits = Limits()
  ) {
    (self.context, self.visits, self.source) = (context, visits, source)
    (self.reader, self.isInteractive, self.limits) = (reader, isInteractive, limits)
  }

  /// Lists everything below the source; returns when that is done.
  func run() {
    let parents = model.read { state in Set(state.folders.present.compactMap { state.folders[$0].parent }) }
    state.withLock { state in
      state.pending = [Step(folder: [], parent: nil, depth: 0, isHidden: false, modified: nil)]
      state.parents = parents
    }
    news.signal()
    let ended = DispatchGroup()
    for _ in 0..<Self.connections {
      ended.enter()
      let isStarted = WorkerThread.start { [self] in
        work()
        ended.leave()
      }
      if !isStarted { ended.leave() }
    }
    // Listings arrive at long intervals, so send pending notifications in between.
    while ended.wait(timeout: .now() + Self.pause) == .timedOut { model.announce() }
    // Also works on this thread, in case no other could be started.
    work()
    visits.wait()
    if !context.control.isCancelled { removeUnlisted() }
  }

  private enum Next {
    case step(Step)
    case wait
    case end
  }

  private func work() {
    while true {
      news.wait()
      let next = state.withLock { state -> Next in
        guard !context.control.isCancelled, let last = state.pending.last else { return .end }
        guard state.busy < state.most else {
          state.held += 1
          return .wait
        }
        state.pending.removeLast()
        state.busy += 1
        return .step(last)
      }
      switch next {
      case .wait: continue
      case .end:
        // Everything is listed; wake the next thread, so that it ends too.
        news.signal()
        return
      case .step(let step):
        let (below, hasFiles) = list(step)
        if hasFiles, isInteractive, state.withLock({ $0.most < Self.connections }) {
          reader.wait(for: .firstLook, atMost: Self.firstLook) { [context] in context.control.isCancelled }
        }
        let count = state.withLock { state in
          state.busy -= 1
          state.add(below)
          if hasFiles { state.most = Self.connections }
          defer { state.held = 0 }
          return state.busy == 0 && state.pending.isEmpty ? 1 : below.count + state.held
        }
        for _ in 0..<count { news.signal() }
      }
    }
  }

  /// Lists a folder.
  /// - Returns: its subfolders, the last to be listed first, and whether it contains files.
  private func list(_ step: Step) -> (below: [Step], hasFiles: Bool) {
    let known = model.read { $0.folders.index(of: source.canonicalPath(of: step.folder)) }
    let isLeaf = known.map { known in state.withLock { !$0.parents.contains(known) } } ?? false
    let control = context.control
    reader.wait(for: .read, atMost: Self.patience) { control.isCancelled }
    do throws(AssetError) {
      let isNamed = source.names != nil && step.parent == nil
      let listing = try source.list(
        step.folder, modified: step.modified, isLeaf: isLeaf && !isNamed,
        isCancelled: { control.isCancelled })
      guard var listing else {
        if let known { keep([known]) }
        // The folder is unchanged, and its files are already known.
        return ([], true)
      }
      let contents = listing.contents
      if let contents, step.ancestors.contains(contents) {
        note(
          AssetError(
            source.subject(step.folder),
            "skipped: it has the same contents as one of its parent folders (a loop)"), step.parent)
        return ([], false)
      }
      if isNamed, let names = source.names { listing.keep(only: names, of: source) }
      let index = visit(step, listing)
      if isNamed, listing.files.isEmpty, listing.folders.isEmpty, let issue = listing.issues.first {
        // None of the named entries exists.
        model.change { state in
          state.issues[index] = Array(listing.issues.dropFirst())
          state.addFailedSource(issue)
        }
      }
      let folders = folders(within: listing.folders, step, index)
      let ancestors = contents.map { step.ancestors.union([$0]) } ?? step.ancestors
      let below = folders.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map { folder in
        Step(
          folder: step.folder + (step.folder.isEmpty ? [] : [UInt8(ascii: "/")]) + folder.name,
          parent: index, depth: step.depth + 1, isHidden: step.isHidden || listing.asksToBeHidden,
          modified: folder.modified, ancestors: ancestors)
      }
      return (below, !listing.files.isEmpty)
    } catch {
      if let known { keep(Array(model.read { $0.folders.withDescendants([known]) })) }
      if control.isCancelled { return ([], false) }
      if step.parent == nil {
        model.change { $0.addFailedSource(error) }
        model.announce()
      } else {
        note(error, step.parent)
      }
      return ([], false)
    }
  }

  /// Returns the subfolders to list; reports the first one that is skipped.
  private func folders(
    within all: [RemoteListing.Entry], _ step: Step, _ index: Int
  ) -> [RemoteListing.Entry] {
    guard !all.isEmpty else { return [] }
    guard step.depth < limits.depth else {
      exceed("folders more than \(limits.depth) levels deep are skipped", step, all[0], index)
      return []
    }
    let count = state.withLock { state in
      let count = min(all.count, limits.folders - state.folders)
      state.folders += count
      return count
    }
    if count < all.count {
      exceed(
        "there are more than \(limits.folders) folders; the others are skipped", step, all[count], index)
    }
    return Array(all.prefix(count))
  }

  /// Reports that a folder is skipped because of a limit, once per limit.
  private func exceed(_ reason: String, _ step: Step, _ folder: RemoteListing.Entry, _ index: Int) {
    guard state.withLock({ $0.exceeded.insert(reason).inserted }) else { return }
    let name = RemoteFolderName.joined(source.subject(step.folder), folder.name)
    note(AssetError(name, reason), index)
  }

  private func note(_ issue: AssetError, _ folder: Int?) {
    model.change { $0.issues[folder, default: []].append(issue) }
    model.announce()
  }

  private func keep(_ folders: [Int]) { state.withLock { $0.found.formUnion(folders) } }

  /// Adds a listed folder to the library.
  /// - Returns: its index.
  private func visit(_ step: Step, _ listing: RemoteListing) -> Int {
    let path = source.path(of: step.folder)
    let identity = source.identity(of: step.folder)
    let names = step.parent == nil ? source.names : nil
    let index = context.register(
      ScanContext.NewFolder(
        path: path, canonicalPath: source.canonicalPath(of: step.folder), identity: identity,
        parent: step.parent, depth: step.depth, isHidden: step.isHidden,
        remoteName: RemoteFolderName(of: step.folder, in: source), namesOfSource: names))
    keep([index])
    let isHidden = step.isHidden || listing.asksToBeHidden
    let isNews = model.change { state in
      state.issues[index] = listing.issues.isEmpty ? nil : listing.issues
      return state.setHidden(isHidden, folder: index)
    }
    let folder = RemoteFolder(
      path, called: source.subject(step.folder), identity: identity, listing.files)
    visits.visit(index, folder, folder.names) { [source] in
      if names == nil {
        source.finishedListing(step.folder, modified: step.modified, asked: listing.asked)
      }
    }
    if isNews { context.save(index) }
    return index
  }

  /// Removes the source's folders that no longer exist.
  private func removeUnlisted() {
    let found = state.withLock { $0.found }
    // If the source itself could not be listed, nothing is known to be gone.
    guard !found.isEmpty else { return }
    context.remove(
      model.read { state in
        state.folders.present.filter { index in
          state.folders[index].isRemote && !found.contains(index)
            && source.folder(at: state.folders[index].canonicalPath).map(source.includes) ?? false
        }
      })
  }
}

extension RemoteListing {
  /// Removes entries that were not named and don't belong to a named file.
  ///
  /// Named entries that don't exist become issues.
  fileprivate mutating func keep(only names: Set<[UInt8]>, of source: any RemoteSource) {
    let stems = Set(names.map { FileName($0).stem })
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where !files.contains(where: { $0.name == name }) && !folders.contains(where: { $0.name == name }) {
      issues.append(AssetError(source.subject(name), "no such file or folder", code: .notFound))
    }
    files.removeAll { !stems.contains(FileName($0.name).stem) }
    folders.removeAll { !names.contains($0.name) }
  }
}
