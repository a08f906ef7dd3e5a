import AssetLibrary
import Dispatch
import System
import SystemPackage

/// Walks folders, the last name first, and queues a visit for each.
///
/// Folders and files are mostly named by date or counter, so the newest come first, and what users see during
/// the walk stays in place. Links are followed. A folder is entered only once however many paths lead to it,
/// so that loops end.
struct FolderWalk {
  private struct Step {
    var path: FilePath
    var parent: Int?
    var depth: Int
    var isHidden: Bool
    /// Its share of the whole walk, from 0 to 1.
    var share: Double
  }

  private let context: ScanContext
  private let visits: VisitQueue
  private let watch: FolderWatch?
  private var visited: Set<FileIdentity> = []
  private var found: Set<Int> = []
  /// Folders to remove at the end, unless they are found.
  private var removals: Set<Int> = []
  /// The folders of disks that are not mounted: they leave the library, and stay in the index.
  private var unmounted: Set<Int> = []
  /// The identity that each known folder had when `revisit` began; empty in a walk of all folders.
  private var before: [Int: FileIdentity] = [:]
  /// The index of the folder with each identity: where this walk entered it, or else where it was known.
  private var places: [FileIdentity: Int] = [:]
  private var model: LibraryModel { context.model }

  /// - Parameter watch: watches each folder before it is read; nil = changes are not followed.
  init(_ context: ScanContext, visits: VisitQueue, watch: FolderWatch?) {
    self.context = context
    self.visits = visits
    self.watch = watch
  }

  /// Whether a folder has already been walked.
  func hasVisited(_ folder: FileIdentity) -> Bool { visited.contains(folder) }

  /// Visits a folder and all its descendants.
  /// - Parameter share: the share of the whole walk, from 0 to 1.
  mutating func walk(_ root: FilePath, parent: Int?, depth: Int, isHidden: Bool, share: Double = 0) {
    // Depth first with an explicit stack, since a deep tree must not exhaust the thread's stack. Links come
    // last: a folder that also exists under its own name is found under that name.
    var pending = [Step(path: root, parent: parent, depth: depth, isHidden: isHidden, share: share)]
    var links: [Step] = []
    while let step = pending.popLast() ?? links.popLast(), !context.control.isCancelled {
      guard let (index, entries, isHidden, share) = enter(step) else {
        model.progress.advance(by: step.share)
        continue
      }
      let below = { (name: ArraySlice<UInt8>) in
        Step(
          path: step.path.appendingName(name), parent: index, depth: step.depth + 1, isHidden: isHidden,
          share: share)
      }
      // The stack is last in, first out.
      pending += entries.folders.indices.map { below(entries.folders[$0]) }
      links += entries.links.indices.map { below(entries.links[$0]) }
    }
  }

  /// Opens a folder and queues a visit of its files; nil if it was entered before or can't be read.
  ///
  /// The returned `share` is the progress share of each subfolder.
  private mutating func enter(
    _ step: Step
  ) -> (index: Int, entries: OpenFolder.Entries, isHidden: Bool, share: Double)? {
    do throws(AssetError) {
      let path = step.path
      try context.probes.check(path)
      let folder = try context.calls.answer(about: path) { () throws(AssetError) in try OpenFolder(path) }
      if visited.contains(folder.identity) { noticeMove(of: folder) }
      guard visited.insert(folder.identity).inserted else { return nil }
      let known = knownFolder(of: folder, source: step.parent == nil ? step.path : nil)
      if let known, try isUnmounted(known, folder) {
        leaveOut(known)
        throw AssetError.unmounted(path)
      }
      let index = context.register(folder, parent: step.parent, depth: step.depth, isHidden: step.isHidden)
      places[folder.identity] = index
      if let before = before[index], before != folder.identity {
        forgetDescendants(of: index)
        // Another folder has this path now. The previous one may have moved: let the walk enter it
        // elsewhere, unless it has already done so.
        if places[before] == index { visited.remove(before) }
      }
      // Watch the folder before reading it, so that changes in between are noticed.
      let entries = try context.calls.answer(about: path) { [watch] () throws(AssetError) in
        watch?.add(folder, folder: index)
        return try folder.entries()
      }
      let isHidden = step.isHidden || entries.asksToBeHidden
      let isNews = model.change { state in
        state.issues[index] = nil
        return state.setHidden(isHidden, folder: index)
      }
      found.insert(index)
      let below = entries.folders.indices.count + entries.links.indices.count
      let share = step.share / Double(below + (entries.files.indices.isEmpty && below > 0 ? 0 : 1))
      visits.visit(index, folder, entries.files, share: step.share - share * Double(below))
      // The visit saves what it finds, but has nothing to save if only the hidden state changed.
      if isNews { context.save(index) }
      return (index, entries, isHidden, share)
    } catch {
      let key = step.parent
      if error.isTransient { keep(step) }
      model.change { state in
        if key == nil { state.addFailedSource(error) } else { state.issues[key, default: []].append(error) }
      }
      return nil
    }
  }

  /// Returns the index of a folder that the library has already, from this run or from the index; nil if there is
  /// none.
  /// - Parameter source: its path if it is a source, whose links may lead to another folder than before.
  private func knownFolder(of folder: OpenFolder, source: FilePath?) -> Int? {
    let path = folder.canonicalPath.bytes
    return model.read { state -> Int? in
      let known = state.folders.index(of: path).flatMap { state.folders.present($0) == nil ? nil : $0 }
      guard known == nil, let source else { return known }
      return state.folders.present.first { index in
        state.folders[index].parent == nil && state.folders[index].path == source
          && !state.folders[index].isPartial && !state.folders[index].isRemote
      }
    }
  }

  /// Whether a folder is the empty mount point of a disk on which the library has photos or folders.
  ///
  /// The disk's own folder has another device and another inode than the mount point. A device alone may get another
  /// number when the system starts.
  private func isUnmounted(_ known: Int, _ folder: OpenFolder) throws(AssetError) -> Bool {
    let before = model.read { state -> FileIdentity? in
      let hasContents =
        !state.folders[known].segments.isEmpty || state.folders.withDescendants([known]).count > 1
      return hasContents ? state.folders[known].identity : nil
    }
    guard let before, before.device != folder.identity.device, before.inode != folder.identity.inode else {
      return false
    }
    return try context.calls.answer(about: folder.path) { () throws(AssetError) in
      try folder.entries().isEmpty
    }
  }

  /// Removes a folder and its descendants from the library, and keeps them in the index, so that they are back at once
  /// with their disk.
  private mutating func leaveOut(_ folder: Int) {
    let all = model.read { $0.folders.withDescendants([folder]) }
    unmounted.formUnion(all)
    removals.formUnion(all)
    found.subtract(all)
  }

  /// Keeps the data of a folder that can't be opened for the moment, and of its descendants.
  private mutating func keep(_ step: Step) {
    // Without accessing the disk, which may not respond.
    let kept = model.read { state in
      state.folders.present.filter { index in
        state.folders[index].path == step.path && state.folders[index].parent == step.parent
      }
    }
    found.formUnion(model.read { $0.folders.withDescendants(kept) })
  }

  /// Removes the folders that a walk of all sources did not find: they are gone, or no link leads there any
  /// more.
  func removeUnvisited() {
    remove(
      model.read { state in
        state.folders.present.filter {
          !found.contains($0) && !state.folders[$0].isPartial && !state.folders[$0].isRemote
        }
      })
  }

  private func remove(_ folders: [Int]) {
    context.remove(folders.filter { !unmounted.contains($0) })
    context.remove(folders.filter(unmounted.contains), keepsIndex: true)
  }

  // MARK: Following changes

  /// Reads folders again, and walks what is new below them.
  ///
  /// Removed folders stay until `removeGone`, so that moved assets are never missing in between.
  mutating func revisit(_ folders: Set<Int>) {
    // Keep only names, not descriptors: thousands of folders may have changed, more than may be open at once.
    var opened: [(index: Int, identity: FileIdentity, entries: OpenFolder.Entries)] = []
    for index in folders.sorted() {
      guard let folder = model.read({ $0.folders.present(index) }) else { continue }
      do throws(AssetError) {
        try context.probes.check(folder.path)
        let (open, entries) = try context.calls.answer(about: folder.path) { [watch] () throws(AssetError) in
          let open = try openAgain(folder.path)
          // If the folder was removed and created again, its watch is gone, even if the inode is the same.
          watch?.add(open, folder: index)
          return (open, try open.entries())
        }
        if entries.isEmpty, try isUnmounted(index, open) {
          leaveOut(index)
          // A source is reported by the updater, which also notices its return.
          if let parent = folder.parent {
            model.change { $0.issues[parent, default: []].append(.unmounted(folder.path)) }
          }
          continue
        }
        opened.append((index, open.identity, entries))
        if open.identity != folder.identity {
          model.change { $0.setIdentity(open.identity, folder: index) }
          forgetDescendants(of: index)
        }
      } catch {
        // A folder that exists but can't be opened (permissions, limit of open files) keeps its data.
        if error.isTransient || folder.path.isFolder {
          model.change { $0.issues[index] = [error] }
        } else {
          removals.insert(index)
        }
      }
    }
    let names = Dictionary(
      opened.map { ($0.index, Set(($0.entries.folders.all + $0.entries.links.all).map { Array($0) })) },
      uniquingKeysWith: { first, _ in first })
    let gone = model.read { state in
      state.folders.present.filter { index in
        let folder = state.folders[index]
        guard let parent = folder.parent, let names = names[parent] else { return false }
        return !names.contains(folder.path.nameBytes)
      }
    }
    markForRemoval(gone + removals)
    let known = model.read { state in
      state.folders.present.filter { !state.folders[$0].isPartial && !removals.contains($0) }
        .map { ($0, state.folders[$0]) }
    }
    visited = Set(known.map(\.1.identity))
    before = Dictionary(known.map { ($0.0, $0.1.identity) }, uniquingKeysWith: { first, _ in first })
    places = Dictionary(known.map { ($0.1.identity, $0.0) }, uniquingKeysWith: { first, _ in first })
    // Skip folders that are marked for removal: if they exist after all, the walk of their parent enters
    // them. A folder that was replaced or has disappeared meanwhile is reported to the watch, and so
    // revisited: it may come back with its parent, and then the system reports only the parent.
    for (index, identity, entries) in opened where !removals.contains(index) && !context.control.isCancelled {
      guard let path = model.read({ $0.folders.present(index)?.path }) else { continue }
      do throws(AssetError) {
        try context.probes.check(path)
        let folder = try context.calls.answer(about: path) { () throws(AssetError) in try OpenFolder(path) }
        if folder.identity == identity {
          revisit(index, folder, entries)
        } else {
          watch?.report(index)
        }
      } catch {
        model.change { $0.issues[index] = [error] }
        watch?.report(index)
      }
    }
  }

  private mutating func revisit(
    _ index: Int, _ folder: OpenFolder, _ entries: OpenFolder.Entries
  ) {
    guard let here = model.read({ $0.folders.present(index) }) else { return }
    let (isHidden, isNews) = model.change { state in
      state.issues[index] = nil
      let isHidden = entries.asksToBeHidden || here.parent.map { state.folders[$0].isHidden } ?? false
      return (isHidden, state.setHidden(isHidden, folder: index))
    }
    visits.visit(index, folder, entries.files)
    if isNews {
      context.save(index)
      // The descendants inherit the hidden state, so enter them again.
      forgetVisits(to: model.read { $0.folders.withDescendants([index]) }.subtracting([index]))
    }
    for name in (entries.links.all + entries.folders.all).reversed() {
      walk(
        here.path.appendingName(name), parent: index, depth: here.depth + 1, isHidden: isHidden)
    }
  }

  /// Lets the walk enter all descendants of a replaced folder again; those that it does not find are removed.
  private mutating func forgetDescendants(of index: Int) {
    forget(model.read { $0.folders.withDescendants([index]) }.subtracting([index]))
  }

  /// If a folder was moved here, marks its old path for removal, so that the folder is entered again here.
  ///
  /// The move may have no event: this walk may have entered the folder at its old path shortly before, and
  /// the system reports the arrival only if the new parent was already watched.
  private mutating func noticeMove(of folder: OpenFolder) {
    guard let index = places[folder.identity], let path = model.read({ $0.folders.present(index)?.path }),
      path != folder.path, context.probes.answers(path), FileIdentity(of: path) != folder.identity
    else { return }
    // Let visits to the old path end first: they would take its files for other files that have the same
    // identifiers.
    visits.wait()
    forget(model.read { $0.folders.withDescendants([index]) })
  }

  /// Marks folders for removal, unless they are found from now on.
  private mutating func forget(_ folders: Set<Int>) {
    removals.formUnion(folders)
    found.subtract(folders)
    forgetVisits(to: folders)
  }

  private mutating func forgetVisits(to folders: Set<Int>) {
    let identities = model.read { state in folders.map { ($0, state.folders[$0].identity) } }
    // A folder that was walked elsewhere in the meantime stays visited.
    for (index, identity) in identities where places[identity] == index { visited.remove(identity) }
  }

  /// Marks folders and their descendants for removal, unless they are still found.
  private mutating func markForRemoval(_ folders: [Int]) {
    if !folders.isEmpty { removals.formUnion(model.read { $0.folders.withDescendants(folders) }) }
  }

  /// Removes the folders that `revisit` did not find, after the visits to the others have ended.
  func removeGone() { remove(Array(removals.subtracting(found))) }
}

extension AssetError {
  /// The error for a folder on a disk that is not mounted.
  static func unmounted(_ folder: FilePath) -> AssetError {
    AssetError(folder.displayString, "its disk is not mounted; its photos reappear when it is")
  }
}

/// Reopens a known folder.
///
/// Retries once, since it may be moved away and back in between.
private func openAgain(_ path: FilePath) throws(AssetError) -> OpenFolder {
  do throws(AssetError) {
    return try OpenFolder(path)
  } catch {
    guard !error.isTransient, path.isFolder else { throw error }
    return try OpenFolder(path)
  }
}

/// Visits the files of folders in the background, several batches at once.
final class VisitQueue: Sendable {
  /// More readers than cores: cold disks answer several requests in the time of one.
  ///
  /// Each reader holds a folder and files open; with a low limit of open files, fewer run.
  private static let readers = min(8, max(1, (DescriptorLimit.count - 32) / 8))

  private let context: ScanContext
  private let reading = WorkQueue(width: readers)
  private let tickets = DispatchSemaphore(value: readers)
  private let work = DispatchGroup()

  init(_ context: ScanContext) {
    self.context = context
  }

  /// Queues a visit to a folder's files; blocks while all readers are busy.
  /// - Parameters:
  ///   - share: the share of the whole scan, from 0 to 1.
  ///   - ended: called on any thread once the results are in the library.
  func visit(
    _ index: Int, _ folder: any FolderContents, _ names: NameTable, share: Double = 0,
    ended: @escaping @Sendable () -> Void = {}
  ) {
    let visit = FolderVisit(context, index: index, folder: folder, names: names)
    let progress = context.model.progress
    if visit.isKnown {
      enqueue {
        visit.check()
        progress.advance(by: share)
        ended()
      }
    } else {
      let batches = visit.batches()
      for batch in batches {
        enqueue {
          if visit.read(batch) { ended() }
          progress.advance(by: share / Double(batches.count))
        }
      }
    }
    context.model.announce()
  }

  private func enqueue(_ body: @escaping @Sendable () -> Void) {
    tickets.wait()
    work.enter()
    reading.async { [context, tickets, work] in
      if !context.control.isCancelled { OpenFileLimit.takingTurns(body) }
      tickets.signal()
      work.leave()
    }
  }

  /// Waits until all queued visits have ended.
  func wait() { work.wait() }
}
