import AssetLibrary
import Dispatch
import Synchronization
import SystemPackage
import System

/// Lists a source on a server, several folders at once, the last names first, and has what is new put into the library.
///
/// A folder that has not changed is not listed again. Nothing is read of files: they are in the library by their names and
/// dates, until `RemoteReader` has read their beginnings. Where somebody looks at some of them already, these go first.
///
/// Servers have no numbers by which a folder is known again: one that holds itself is told by its contents, and whatever a
/// server says, the walk ends.
final class RemoteWalk: Sendable {
  private struct Step {
    /// Below the source.
    var folder: [UInt8]
    var parent: Int?
    var depth: Int
    var isHidden: Bool
    /// As the folder around it told it.
    var modified: Int64?
    /// What is in the folders around it, from the source on.
    var ancestors: Set<UInt64> = []
  }

  /// How far a walk goes.
  struct Limits {
    /// Folders in one another: more are a loop, or no library of photos.
    var depth = 64
    /// Folders in all.
    var folders = 100_000
  }

  private struct State {
    /// Folders that were listed or are to be.
    var folders = 0
    /// What was said of limits, which is said once.
    var exceeded: Set<String> = []
    /// In the order of their paths: the last is listed first, whichever thread found it.
    var pending: [Step] = []
    /// Folders that are being listed, and how many may be.
    var busy = 0
    var most = RemoteWalk.firstConnections
    /// Folders that wait for others.
    var held = 0
    var found: Set<Int> = []
    /// Which folders had others in them before.
    var parents: Set<Int> = []

    /// Adds the folders of one folder, in their order.
    mutating func add(_ below: [Step]) {
      guard let first = below.first?.folder else { return }
      // Mostly behind all others: what was listed was the last.
      let place = pending.lastIndex { $0.folder.lexicographicallyPrecedes(first) }.map { $0 + 1 } ?? 0
      pending.insert(contentsOf: below, at: place)
    }
  }

  /// Folders listed at once: servers answer several questions in the time of one.
  private static let connections = 6
  /// The same until there is something to look at: what comes of the last names must not share the way with all others.
  private static let firstConnections = 2
  /// How often it is looked whether something is to be told.
  private static let pause = DispatchTimeInterval.milliseconds(40)
  /// How long a folder waits at most for what somebody looks at.
  private static let patience = Duration.seconds(1)
  /// How long it takes at most until somebody looks at the first that is known.
  private static let firstLook = Duration.milliseconds(200)

  private let context: ScanContext
  private let visits: VisitQueue
  private let source: any RemoteSource
  private let reader: RemoteReader
  private let isLookedAt: Bool
  private let limits: Limits
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)
  private var model: LibraryModel { context.model }

  /// - Parameters:
  ///   - reader: reads the files.
  ///   - isLookedAt: whether somebody looks at a screen.
  init(
    _ context: ScanContext, visits: VisitQueue, _ source: any RemoteSource, _ reader: RemoteReader,
    isLookedAt: Bool, limits: Limits = Limits()
  ) {
    (self.context, self.visits, self.source) = (context, visits, source)
    (self.reader, self.isLookedAt, self.limits) = (reader, isLookedAt, limits)
  }

  /// Lists everything below the source; returns when all is known that can be.
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
    // Folders come far from each other: what is told of one does not wait for the next.
    while ended.wait(timeout: .now() + Self.pause) == .timedOut { model.announce() }
    // Where the system has nothing left for a thread.
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
        // All is listed, which the next thread is to hear too.
        news.signal()
        return
      case .step(let step):
        let (below, hasFiles) = list(step)
        if hasFiles, isLookedAt, state.withLock({ $0.most < Self.connections }) {
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
  /// - Returns: the folders in it, the last to be listed first, and whether there is something in it to look at.
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
        // It is as it is known: what is in it can be looked at already.
        return ([], true)
      }
      let contents = listing.contents
      if let contents, step.ancestors.contains(contents) {
        note(
          AssetError(
            source.subject(step.folder),
            "it has the same contents as a folder around it: a loop, which is not followed"), step.parent)
        return ([], false)
      }
      if isNamed, let names = source.names { listing.keep(only: names, of: source) }
      let index = visit(step, listing)
      if isNamed, listing.files.isEmpty, listing.folders.isEmpty, let issue = listing.issues.first {
        // Not one of them is there.
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

  /// The folders in a folder that are to be listed; what is left out is said once.
  private func folders(
    within all: [RemoteListing.Entry], _ step: Step, _ index: Int
  ) -> [RemoteListing.Entry] {
    guard !all.isEmpty else { return [] }
    guard step.depth < limits.depth else {
      exceed("folders more than \(limits.depth) levels deep are left out", step, all[0], index)
      return []
    }
    let count = state.withLock { state in
      let count = min(all.count, limits.folders - state.folders)
      state.folders += count
      return count
    }
    if count < all.count {
      exceed(
        "there are more than \(limits.folders) folders: the others are left out", step, all[count], index)
    }
    return Array(all.prefix(count))
  }

  /// Says that a folder is left out, and why, unless that was said of another one.
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

  /// Makes a folder known as it was listed.
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

  /// Removes the folders of the source that are there no more.
  private func removeUnlisted() {
    let found = state.withLock { $0.found }
    // Where not even the source could be listed nothing is known to be gone.
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
  /// Leaves out what was not named, but for the files that belong to one that was; what is not there is an issue.
  fileprivate mutating func keep(only names: Set<[UInt8]>, of source: any RemoteSource) {
    let stems = Set(names.map { FileName($0).stem })
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where !files.contains(where: { $0.name == name }) && !folders.contains(where: { $0.name == name }) {
      issues.append(AssetError(source.subject(name), "no such file or folder"))
    }
    files.removeAll { !stems.contains(FileName($0.name).stem) }
    folders.removeAll { !names.contains($0.name) }
  }
}
