import AssetLibrary
import Dispatch
import Synchronization
import SystemPackage

/// One pass over the sources of a library: a walker that finds files, readers that look into them.
final class FolderScan: Sendable {
  /// What has been found since the last news.
  struct News: Sendable {
    var folders: [(index: Int, folder: FolderSnapshot.Folder)] = []
    var entries: [FolderSnapshot.Entry] = []
    var issues: [AssetError] = []
    var isLast = false
  }

  /// Files looked into as one piece of work: enough to outweigh the hand-over.
  private static let batchSize = 64
  /// More readers than cores: cold disks answer several questions in the time of one.
  private static let readers = 8
  /// Between the first two news; then twice as long each time, up to the longest, so that a large library
  /// does not drown its observers.
  private static let shortestInterval = Duration.milliseconds(40)
  private static let longestInterval = Duration.milliseconds(640)

  private struct State {
    var news = News()
    var next = ContinuousClock.now
    var interval = shortestInterval
  }

  private let sources: [FilePath]
  private let state = Mutex(State())
  private let isCancelled = Atomic(false)
  private let walking = DispatchQueue(label: "tpick.scan")
  private let reading = DispatchQueue(label: "tpick.scan.readers", attributes: .concurrent)

  init(sources: [FilePath]) {
    self.sources = sources
  }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Runs the pass in the background; `report` is called from one thread at a time, last with `isLast`.
  func start(_ report: @escaping @Sendable (News) -> Void) {
    walking.async { [self] in
      let tickets = DispatchSemaphore(value: Self.readers)
      let work = DispatchGroup()
      var walker = DirectoryWalker()
      var indexes: [LocalIdentifier: Int] = [:]
      let number = { [self] (folder: FolderSnapshot.Folder) -> Int in
        if let known = indexes[folder.identifier] { return known }
        let index = indexes.count
        indexes[folder.identifier] = index
        state.withLock { $0.news.folders.append((index, folder)) }
        return index
      }
      let visit = { [self] (folder: DirectoryWalker.Folder) in
        let index = number(folder.snapshotFolder)
        for start in stride(from: 0, to: folder.files.count, by: Self.batchSize) {
          let batch = Array(folder.files[start..<min(start + Self.batchSize, folder.files.count)])
          tickets.wait()
          reading.async(group: work) { [self] in
            look(at: batch, folder: index, named: false)
            tickets.signal()
          }
          publish(report, force: false)
        }
      }
      // Files that were named come first: one that a folder holds too keeps the path that the user gave it.
      for source in sources where !source.isFolder {
        look(at: [source], folder: number(source.parentSnapshotFolder), named: true)
      }
      for source in sources where source.isFolder {
        walker.walk(source, isCancelled: { isCancelled.load(ordering: .relaxed) }, visit: visit) { issue in
          state.withLock { $0.news.issues.append(issue) }
        }
      }
      work.wait()
      publish(report, force: true)
    }
  }

  /// Looks into files.
  ///
  /// A file that the user named is worth a word when it is no picture.
  private func look(at files: [FilePath], folder: Int, named: Bool) {
    var entries: [FolderSnapshot.Entry] = []
    var issues: [AssetError] = []
    for file in files where !isCancelled.load(ordering: .relaxed) {
      do throws(AssetError) {
        switch try AssetReader.read(file) {
        case .asset(let asset): entries.append(FolderSnapshot.Entry(asset: asset, folder: folder))
        case .somethingElse:
          if named { issues.append(AssetError(file.displayString, "not a JPEG picture")) }
        }
      } catch {
        issues.append(error)
      }
    }
    state.withLock { state in
      state.news.entries.append(contentsOf: entries)
      state.news.issues.append(contentsOf: issues)
    }
  }

  private func publish(_ report: (News) -> Void, force: Bool) {
    let news: News? = state.withLock { state in
      let now = ContinuousClock.now
      guard force || (now >= state.next && !state.news.entries.isEmpty) else { return nil }
      state.next = now + state.interval
      state.interval = min(state.interval * 2, Self.longestInterval)
      defer { state.news = News() }
      return state.news
    }
    guard var news else { return }
    news.isLast = force
    report(news)
  }
}

extension FolderSnapshot {
  mutating func apply(_ news: FolderScan.News) {
    // Folders are reported in the order of their indexes, before the first of their assets.
    for (index, folder) in news.folders {
      let added = add(folder)
      assert(added == index)
    }
    merge(news.entries)
    issues.append(contentsOf: news.issues)
    if news.isLast { isComplete = true }
  }
}

extension FilePath {
  /// The folder around a file that was named by itself.
  fileprivate var parentSnapshotFolder: FolderSnapshot.Folder {
    let parent = removingLastComponent()
    let folder = parent.isEmpty ? FilePath(".") : parent
    // The same name as the walker gives it, so that the folder is one album by whatever way it is found.
    let identity = (try? folder.stat()).map { FileIdentity($0).folderIdentifier }
    return FolderSnapshot.Folder(
      identifier: identity ?? LocalIdentifier("folder." + folder.albumTitle), title: folder.albumTitle,
      depth: 0, order: folder.hierarchicalOrder)
  }

  /// Bytes that sort a folder directly before what is below it, whatever its neighbours are called.
  fileprivate var hierarchicalOrder: [UInt8] { bytes.map { $0 == UInt8(ascii: "/") ? 0 : $0 } }

  /// The folder's own name, also for "." and "..".
  fileprivate var albumTitle: String {
    let name = [".", ".."].contains(lastComponent?.string ?? ".") ? (resolved ?? self) : self
    return name.lastComponent == nil ? "/" : String(decoding: name.nameBytes, as: UTF8.self)
  }
}

extension DirectoryWalker.Folder {
  fileprivate var snapshotFolder: FolderSnapshot.Folder {
    FolderSnapshot.Folder(
      identifier: identity.folderIdentifier, title: path.albumTitle,
      depth: depth, order: path.hierarchicalOrder)
  }
}
