import AssetLibrary
import Dispatch
import System
import SystemPackage

/// Walks folders, the last name first, and has each of them visited.
///
/// Folders and files are mostly named after dates or counted up, so that the newest come first: what the user
/// sees while the walk goes on stays where it is. Links are followed, and a folder is entered once however many
/// ways lead to it, so that loops end.
struct FolderWalk {
  private struct Step {
    var path: FilePath
    var parent: Int?
    var depth: Int
    var isHidden: Bool
    /// How much of the whole it is, from 0 to 1.
    var share: Double
  }

  private let context: ScanContext
  private let visits: VisitQueue
  private let watch: FolderWatch?
  private var visited: Set<FileIdentity> = []
  private var found: Set<Int> = []
  /// The folders to remove in the end, unless they are found.
  private var removals: Set<Int> = []
  /// Which folders the library knew when the walk began; empty where all are walked.
  private var before: [Int: FileIdentity] = [:]
  /// Where each folder was entered by this walk or, unless it was yet, known before.
  private var places: [FileIdentity: Int] = [:]
  private var model: LibraryModel { context.model }

  /// - Parameter watch: is told of each folder before it is read; nil = nobody follows what happens later.
  init(_ context: ScanContext, visits: VisitQueue, watch: FolderWatch?) {
    self.context = context
    self.visits = visits
    self.watch = watch
  }

  /// Whether a folder was walked already.
  func hasVisited(_ folder: FileIdentity) -> Bool { visited.contains(folder) }

  /// Visits a folder and all below it.
  /// - Parameter share: how much of the whole that is, from 0 to 1.
  mutating func walk(_ root: FilePath, parent: Int?, depth: Int, isHidden: Bool, share: Double = 0) {
    // Depth first with an explicit stack: a deep tree must not exhaust the thread's own.
    // Links come last: a folder that is also there under its own name is found under that.
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
      // The stack gives the last first.
      pending += entries.folders.indices.map { below(entries.folders[$0]) }
      links += entries.links.indices.map { below(entries.links[$0]) }
    }
  }

  /// Opens a folder and has its files looked at; nil when it was entered before or can't be read.
  ///
  /// `share` is what is left of the folder's share for each of those in it.
  private mutating func enter(
    _ step: Step
  ) -> (index: Int, entries: OpenFolder.Entries, isHidden: Bool, share: Double)? {
    do throws(AssetError) {
      let path = step.path
      try context.probes.check(path)
      let folder = try context.calls.answer(about: path) { () throws(AssetError) in try OpenFolder(path) }
      if visited.contains(folder.identity) { noticeMove(of: folder) }
      guard visited.insert(folder.identity).inserted else { return nil }
      let index = context.register(folder, parent: step.parent, depth: step.depth, isHidden: step.isHidden)
      places[folder.identity] = index
      if let before = before[index], before != folder.identity {
        forgetDescendants(of: index)
        // What stood here before may be found elsewhere, unless it was already.
        if places[before] == index { visited.remove(before) }
      }
      // Watched before it is read: what happens in between is noticed.
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
      // The visit writes what it finds; of a folder whose files are the same it has nothing to write.
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

  /// Keeps what is known of a folder, and of all below it, that can't be opened for the moment.
  private mutating func keep(_ step: Step) {
    // Without asking the disk, which may not answer.
    let kept = model.read { state in
      state.folders.present.filter { index in
        state.folders[index].path == step.path && state.folders[index].parent == step.parent
      }
    }
    found.formUnion(model.read { $0.folders.withDescendants(kept) })
  }

  /// Removes the folders that a walk of all sources did not find: they are gone, or no link leads there now.
  func removeUnvisited() {
    context.remove(
      model.read { state in
        state.folders.present.filter {
          !found.contains($0) && !state.folders[$0].isPartial && !state.folders[$0].isRemote
        }
      })
  }

  // MARK: Following changes

  /// Looks again at folders, and walks what is new below them.
  ///
  /// What is gone stays until `removeGone`, so that assets that moved are never missing in between.
  mutating func revisit(_ folders: Set<Int>) {
    // Their names alone: thousands of folders may have changed, more than may be open at once.
    var opened: [(index: Int, identity: FileIdentity, entries: OpenFolder.Entries)] = []
    for index in folders.sorted() {
      guard let folder = model.read({ $0.folders.present(index) }) else { continue }
      do throws(AssetError) {
        try context.probes.check(folder.path)
        let (open, entries) = try context.calls.answer(about: folder.path) { [watch] () throws(AssetError) in
          let open = try openAgain(folder.path)
          // Its watch went with it if it was removed and made again, even where it got its old inode.
          watch?.add(open, folder: index)
          return (open, try open.entries())
        }
        opened.append((index, open.identity, entries))
        if open.identity != folder.identity {
          model.change { $0.setIdentity(open.identity, folder: index) }
          forgetDescendants(of: index)
        }
      } catch {
        // What is there and can't be opened (a permission, too many open files) keeps what is known of it.
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
    // A folder that is marked for removal and exists is found from the folder around it. One that is another now, or away,
    // is looked at once more: it may come back with a folder around it, of which alone the system tells.
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
      // What is below is hidden, or shown, with it: it is looked at again.
      forgetVisits(to: model.read { $0.folders.withDescendants([index]) }.subtracting([index]))
    }
    for name in (entries.links.all + entries.folders.all).reversed() {
      walk(
        here.path.appendingName(name), parent: index, depth: here.depth + 1, isHidden: isHidden)
    }
  }

  /// Has everything below a folder that another took the place of walked as if it were new.
  private mutating func forgetDescendants(of index: Int) {
    forget(model.read { $0.folders.withDescendants([index]) }.subtracting([index]))
  }

  /// Marks a folder that moved here for removal where it was, if no event has said yet that it left.
  ///
  /// This walk itself may have found it there: that it came here is reported only where this place was watched before.
  private mutating func noticeMove(of folder: OpenFolder) {
    guard let index = places[folder.identity], let path = model.read({ $0.folders.present(index)?.path }),
      path != folder.path, context.probes.answers(path), FileIdentity(of: path) != folder.identity
    else { return }
    // What is still read of it as it stood there would be taken for other files of the same identifiers.
    visits.wait()
    forget(model.read { $0.folders.withDescendants([index]) })
  }

  /// Has folders removed in the end unless they are found from now on.
  private mutating func forget(_ folders: Set<Int>) {
    removals.formUnion(folders)
    found.subtract(folders)
    forgetVisits(to: folders)
  }

  private mutating func forgetVisits(to folders: Set<Int>) {
    let identities = model.read { state in folders.map { ($0, state.folders[$0].identity) } }
    // One that was walked elsewhere meanwhile stays walked.
    for (index, identity) in identities where places[identity] == index { visited.remove(identity) }
  }

  /// Has folders removed in the end with all below them, unless they are found after all.
  private mutating func markForRemoval(_ folders: [Int]) {
    if !folders.isEmpty { removals.formUnion(model.read { $0.folders.withDescendants(folders) }) }
  }

  /// Removes the folders that `revisit` did not find, once the visits to the others are over.
  func removeGone() { context.remove(Array(removals.subtracting(found))) }
}

/// Opens a folder that was there before: what is moved away and back while it is opened is not gone.
private func openAgain(_ path: FilePath) throws(AssetError) -> OpenFolder {
  do throws(AssetError) {
    return try OpenFolder(path)
  } catch {
    guard !error.isTransient, path.isFolder else { throw error }
    return try OpenFolder(path)
  }
}

/// Looks at the files of folders in the background, several pieces at once.
final class VisitQueue: Sendable {
  /// More readers than cores: cold disks answer several questions in the time of one.
  ///
  /// Each holds a folder and files open; where few may be open at all, they take turns.
  private static let readers = min(8, max(1, (DescriptorLimit.count - 32) / 8))

  private let context: ScanContext
  private let reading = WorkQueue(width: readers)
  private let tickets = DispatchSemaphore(value: readers)
  private let work = DispatchGroup()

  init(_ context: ScanContext) {
    self.context = context
  }

  /// Looks at the files of a folder; waits while all readers are busy.
  /// - Parameters:
  ///   - share: how much of the whole that is, from 0 to 1.
  ///   - ended: called on any thread once what was found is known.
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

  /// Waits until everything that was enqueued is looked at.
  func wait() { work.wait() }
}
