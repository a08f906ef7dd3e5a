import AssetLibrary
import Dispatch
import Synchronization
import SystemPackage
import WorkerThreads

/// Lists a source on a server, several folders at once, the last names first, and has what is new put into the library.
///
/// A folder that has not changed is not listed again. Nothing is read of files: they are in the library by their names and
/// dates, until `RemoteReader` has read their beginnings.
final class RemoteWalk: Sendable {
  private struct Step {
    /// Below the source.
    var folder: [UInt8]
    var parent: Int?
    var depth: Int
    var isHidden: Bool
    /// As the folder around it told it.
    var modified: Int64?
  }

  private struct State {
    /// In the order of their paths: the last is listed first, whichever thread found it.
    var pending: [Step] = []
    /// Folders that are being listed.
    var busy = 0
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
  /// How often it is looked whether something is to be told.
  private static let pause = DispatchTimeInterval.milliseconds(40)

  private let context: ScanContext
  private let visits: VisitQueue
  private let source: any RemoteSource
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)
  private var model: LibraryModel { context.model }

  init(_ context: ScanContext, visits: VisitQueue, _ source: any RemoteSource) {
    (self.context, self.visits, self.source) = (context, visits, source)
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

  private func work() {
    while true {
      news.wait()
      let step = state.withLock { state -> Step? in
        guard !context.control.isCancelled, let step = state.pending.popLast() else { return nil }
        state.busy += 1
        return step
      }
      guard let step else {
        // All is listed, which the next thread is to hear too.
        news.signal()
        return
      }
      let below = list(step)
      let count = state.withLock { state in
        state.busy -= 1
        state.add(below)
        return state.busy == 0 && state.pending.isEmpty ? 1 : below.count
      }
      for _ in 0..<count { news.signal() }
    }
  }

  /// Lists a folder.
  /// - Returns: the folders in it, the last to be listed first.
  private func list(_ step: Step) -> [Step] {
    let known = model.read { $0.folders.index(of: source.canonicalPath(of: step.folder)) }
    let isLeaf = known.map { known in state.withLock { !$0.parents.contains(known) } } ?? false
    let control = context.control
    do throws(AssetError) {
      let listing = try source.list(
        step.folder, modified: step.modified, isLeaf: isLeaf,
        isCancelled: { control.isCancelled })
      guard let listing else {
        if let known { keep([known]) }
        return []
      }
      let index = visit(step, listing)
      return listing.folders.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map { folder in
        Step(
          folder: step.folder + (step.folder.isEmpty ? [] : [UInt8(ascii: "/")]) + folder.name,
          parent: index, depth: step.depth + 1, isHidden: step.isHidden || listing.asksToBeHidden,
          modified: folder.modified)
      }
    } catch {
      if let known { keep(Array(model.read { $0.folders.withDescendants([known]) })) }
      if !control.isCancelled {
        model.change { $0.issues[step.parent, default: []].append(error) }
        model.announce()
      }
      return []
    }
  }

  private func keep(_ folders: [Int]) { state.withLock { $0.found.formUnion(folders) } }

  /// Makes a folder known as it was listed.
  /// - Returns: its index.
  private func visit(_ step: Step, _ listing: RemoteListing) -> Int {
    let path = source.path(of: step.folder)
    let identity = source.identity(of: step.folder)
    let index = context.register(
      ScanContext.NewFolder(
        path: path, canonicalPath: source.canonicalPath(of: step.folder), identity: identity,
        parent: step.parent, depth: step.depth, isHidden: step.isHidden,
        remoteName: RemoteName.appending(step.folder, to: source.name)))
    keep([index])
    let isHidden = step.isHidden || listing.asksToBeHidden
    let isNews = model.change { state in
      state.issues[index] = listing.issues.isEmpty ? nil : listing.issues
      return state.setHidden(isHidden, folder: index)
    }
    let folder = RemoteFolder(path, identity: identity, listing.files)
    visits.visit(index, folder, folder.names) { [source] in
      source.finishedListing(step.folder, modified: step.modified)
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
            && source.folder(at: state.folders[index].canonicalPath) != nil
        }
      })
  }
}
