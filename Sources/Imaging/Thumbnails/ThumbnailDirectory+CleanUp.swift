import Pixels
import Synchronization
import SystemPackage
import System

extension ThumbnailDirectory {
  /// The maximum total size in bytes of the thumbnails that tpick wrote.
  package static let defaultLimit = 256 << 20

  /// Removes the least recently used thumbnails if a cleanup is due: once a day, and whenever this process
  /// has written an eighth of the limit.
  ///
  /// Call it in the background after storing thumbnails. If no cleanup is due, it only checks the time of one
  /// file.
  /// - Parameters:
  ///   - limit: the maximum size of the thumbnails and failure records that tpick wrote, in bytes on disk.
  ///   - patience: the maximum duration; the rest is done the next time.
  func cleanUpIfDue(limit: Int = defaultLimit, patience: Duration = .seconds(2)) {
    var status = stat()
    // The time of a file may be some milliseconds ahead of time(2), and thus in the next second.
    let isRecent =
      stamp.withPlatformString { stat($0, &status) } == 0
      && (-1..<24 * 60 * 60).contains(time(nil) - status.st_mtim.tv_sec)
    guard !isRecent || written.withLock({ $0 >= limit / 8 }) else { return }
    cleanUp(limit: limit, patience: patience)
  }

  /// If the thumbnails exceed the limit, removes the least recently used ones until they take nine tenths of
  /// it.
  ///
  /// The thumbnails of other programs are opened at most once, to distinguish them from tpick's own. If
  /// another process is cleaning up, nothing is done.
  /// - Returns: whether this call completed a cleanup.
  @discardableResult
  func cleanUp(limit: Int = defaultLimit, patience: Duration = .seconds(2)) -> Bool {
    guard let descriptor = try? PrivateFile.open(stamp, O_RDWR | O_CREAT) else { return false }
    let file = FileLock(owning: descriptor)
    guard case .locked = file.tryLock() else { return false }
    written.withLock { $0 = 0 }
    futimens(file.descriptor, nil)
    let deadline = Deadline(end: ContinuousClock.now + patience)
    removeLeftovers(deadline)
    let isComplete = journal.read().isComplete || listOwn(deadline)
    let gone = remove(candidates(), downTo: limit, deadline)
    try? journal.compact(isComplete: isComplete) { gone.contains($0) || !hasFile($0) }
    return deadline.isOpen
  }

  private struct Deadline {
    let end: ContinuousClock.Instant
    /// Whether there is time left.
    var isOpen: Bool { ContinuousClock.now < end }
  }

  /// A file that may be removed.
  private struct Candidate {
    /// The thumbnail; nil for a failure record.
    var entry: ThumbnailJournal.Entry?
    var name: String
    var file: ThumbnailFolder.File
    /// The allocated size on a disk with blocks of 4 KiB.
    var cost: Int { file.size.addingSaturated(4095) & ~4095 }
  }

  private func candidates() -> [Candidate] {
    var found: [Candidate] = []
    for (size, entries) in Dictionary(grouping: journal.read().entries, by: \.size) {
      guard let folder = folder(of: size) else { continue }
      for entry in entries {
        guard let file = folder.file(entry.fileName) else { continue }
        found.append(Candidate(entry: entry, name: entry.fileName, file: file))
      }
    }
    guard let folder = failureFolder(failureFolderName) else { return found }
    for name in folder.names() where ThumbnailName.isFileName(name) {
      if let file = folder.file(name) { found.append(Candidate(entry: nil, name: name, file: file)) }
    }
    return found
  }

  /// Removes the oldest files.
  /// - Returns: the thumbnails that were removed, or that other programs replaced.
  private func remove(
    _ candidates: [Candidate], downTo limit: Int, _ deadline: Deadline
  ) -> Set<ThumbnailJournal.Entry> {
    var gone: Set<ThumbnailJournal.Entry> = []
    var total = candidates.lazy.map(\.cost).saturatedSum()
    guard total > limit else { return gone }
    for candidate in candidates.sorted(by: { $0.file.lastUse < $1.file.lastUse }) {
      guard total > limit / 10 * 9, deadline.isOpen else { break }
      let names = candidate.entry.map { [$0.size.folderName] } ?? [Self.failureParent, failureFolderName]
      guard let folder = ThumbnailFolder(root, names) else { continue }
      // Another program may have replaced the thumbnail with its own.
      if candidate.entry == nil || folder.isOwn(candidate.name) {
        guard (try? folder.remove(candidate.name)) != nil else { continue }
      }
      total -= candidate.cost
      if let entry = candidate.entry { gone.insert(entry) }
    }
    return gone
  }

  /// The age in seconds after which a draft must belong to a process that crashed.
  private static let longestDraft = 60 * 60

  /// Removes unfinished files, and the failure records of other versions.
  private func removeLeftovers(_ deadline: Deadline) {
    let now = time(nil)
    let failures = [Self.failureParent, failureFolderName]
    for names in ThumbnailSize.allCases.map({ [$0.folderName] }) + [failures] {
      guard deadline.isOpen, let folder = ThumbnailFolder(root, names) else { continue }
      for name in folder.names() where PrivateFile.isDraft(name) {
        guard let file = folder.file(name), now - file.lastUse > Self.longestDraft else { continue }
        try? folder.remove(name)
      }
    }
    for version in failureFolderNames() where version != failureFolderName {
      guard deadline.isOpen, let folder = failureFolder(version) else { continue }
      for name in folder.names() where Self.isOwnFailure(name) && folder.file(name) != nil {
        try? folder.remove(name)
      }
      removeFailureFolder(version)
    }
  }

  /// Adds tpick's thumbnails that are missing in the journal, because it was lost or did not exist when they
  /// were made.
  ///
  /// Only this function opens the thumbnails of all programs.
  /// - Returns: whether all were checked within the deadline.
  private func listOwn(_ deadline: Deadline) -> Bool {
    let known = Set(journal.read().entries)
    for size in ThumbnailSize.allCases {
      guard let folder = folder(of: size) else { continue }
      for name in folder.names() {
        guard deadline.isOpen else { return false }
        guard let entry = ThumbnailJournal.Entry(size, fileName: name), !known.contains(entry),
          folder.isOwn(name)
        else { continue }
        guard (try? journal.announce(entry)) != nil else { return false }
      }
    }
    return true
  }

  // MARK: Common to cleaning up and clearing

  /// Opens the folder of a size; nil if it does not exist.
  func folder(of size: ThumbnailSize) -> ThumbnailFolder? { ThumbnailFolder(root, [size.folderName]) }

  /// Returns the names of the failure folders that tpick made, including those of other versions.
  func failureFolderNames() -> [String] {
    ThumbnailFolder(root, [Self.failureParent])?.names().filter { $0.hasPrefix(Self.failurePrefix) } ?? []
  }

  /// Opens a failure folder that tpick made; nil if it is a symbolic link.
  func failureFolder(_ name: String) -> ThumbnailFolder? {
    ThumbnailFolder(root, [Self.failureParent, name])
  }

  /// Removes a failure folder that tpick made, if it is empty.
  func removeFailureFolder(_ name: String) { ThumbnailFolder(root, [Self.failureParent])?.removeFolder(name) }

  /// Whether tpick uses such names for files in its failure folders; other files are not touched.
  static func isOwnFailure(_ name: String) -> Bool {
    ThumbnailName.isFileName(name) || PrivateFile.isDraft(name)
  }

  /// Whether a thumbnail exists, regardless of which program wrote it.
  func hasFile(_ entry: ThumbnailJournal.Entry) -> Bool {
    path(of: entry.size).appending(entry.fileName).withPlatformString { access($0, F_OK) } == 0
  }
}
