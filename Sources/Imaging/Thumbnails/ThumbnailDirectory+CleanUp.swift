import Pixels
import Synchronization
import SystemPackage
import System

extension ThumbnailDirectory {
  /// How much tpick's own thumbnails may take up, in bytes.
  package static let defaultLimit = 256 << 20

  /// Removes what was not used for longest, if it is time to look: once a day, and whenever this process has
  /// written an eighth of the limit.
  ///
  /// To be called after thumbnails were kept, in the background. Where nothing is due it costs one look at a file.
  /// - Parameters:
  ///   - limit: bytes that tpick's own thumbnails and failures may take up on disk.
  ///   - patience: how long it may take; what is left is done the next time.
  func cleanUpIfDue(limit: Int = defaultLimit, patience: Duration = .seconds(2)) {
    var status = stat()
    let isRecent =
      stamp.withPlatformString { stat($0, &status) } == 0
      && (0..<24 * 60 * 60).contains(time(nil) - status.st_mtim.tv_sec)
    guard !isRecent || written.withLock({ $0 >= limit / 8 }) else { return }
    cleanUp(limit: limit, patience: patience)
  }

  /// Removes what was not used for longest until the rest takes up nine tenths of the limit, if it is more.
  ///
  /// Thumbnails of other programs are opened once at most, to tell them from ours. One process cleans up at a time; for another it is done.
  /// - Returns: whether it was done here, and to the end.
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

  /// A file that could go.
  private struct Candidate {
    /// nil for a failure.
    var entry: ThumbnailJournal.Entry?
    var name: String
    var file: ThumbnailFolder.File
    /// Bytes on a disk with blocks of 4 KiB.
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

  /// Removes the oldest.
  /// - Returns: the thumbnails that are gone, or no longer ours.
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
      // Another program may have replaced it by one of its own.
      if candidate.entry == nil || folder.isOwn(candidate.name) {
        guard (try? folder.remove(candidate.name)) != nil else { continue }
      }
      total -= candidate.cost
      if let entry = candidate.entry { gone.insert(entry) }
    }
    return gone
  }

  /// A draft that old belongs to a process that ended in the middle, in seconds.
  private static let longestDraft = 60 * 60

  /// Removes unfinished files, and the failures of other versions.
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

  /// Lists our thumbnails where the journal was lost, or began later than they did.
  ///
  /// The one time that everyone's thumbnails are opened.
  /// - Returns: whether all could be looked at in time.
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

  /// The thumbnails of a size; nil where there are none.
  func folder(of size: ThumbnailSize) -> ThumbnailFolder? { ThumbnailFolder(root, [size.folderName]) }

  /// The names of our folders of failures, those of other versions too.
  func failureFolderNames() -> [String] {
    ThumbnailFolder(root, [Self.failureParent])?.names().filter { $0.hasPrefix(Self.failurePrefix) } ?? []
  }

  /// One of our folders of failures; nil where it is a link.
  func failureFolder(_ name: String) -> ThumbnailFolder? {
    ThumbnailFolder(root, [Self.failureParent, name])
  }

  /// Removes one of our folders of failures, if it is empty.
  func removeFailureFolder(_ name: String) { ThumbnailFolder(root, [Self.failureParent])?.removeFolder(name) }

  /// Whether a file in our folders of failures has a name that we give: whatever else lies there stays.
  static func isOwnFailure(_ name: String) -> Bool {
    ThumbnailName.isFileName(name) || PrivateFile.isDraft(name)
  }

  /// Whether there is such a thumbnail, whoever wrote it.
  func hasFile(_ entry: ThumbnailJournal.Entry) -> Bool {
    path(of: entry.size).appending(entry.fileName).withPlatformString { access($0, F_OK) } == 0
  }
}
