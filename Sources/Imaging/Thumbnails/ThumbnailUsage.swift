import Pixels
import System
import SystemPackage

/// How many thumbnails there are, and what they take up.
package struct ThumbnailUsage: Hashable, Sendable {
  /// A number of files and their bytes.
  package struct Tally: Hashable, Sendable {
    package var files = 0
    package var bytes = 0

    mutating func add(_ bytes: Int) {
      files += 1
      self.bytes = self.bytes.addingSaturated(max(0, bytes))
    }
  }

  /// Those of every program, ours among them.
  package var all = Tally()
  /// Those that tpick wrote.
  package var own = Tally()
  /// What tpick remembers not to be able to show.
  package var failures = Tally()
}

extension ThumbnailDirectory {
  /// Counts the thumbnails; looks into each of them, which takes about ten microseconds a file.
  package func status() -> ThumbnailUsage {
    var usage = ThumbnailUsage()
    for size in ThumbnailSize.allCases {
      guard let folder = folder(of: size) else { continue }
      for name in folder.names() where ThumbnailJournal.Entry(size, fileName: name) != nil {
        guard let file = folder.file(name) else { continue }
        usage.all.add(file.size)
        if folder.isOwn(name) { usage.own.add(file.size) }
      }
    }
    for version in failureFolderNames() {
      guard let folder = failureFolder(version) else { continue }
      for name in folder.names() where ThumbnailName.isFileName(name) {
        if let file = folder.file(name) { usage.failures.add(file.size) }
      }
    }
    return usage
  }

  /// What the thumbnails of a file take up, whoever wrote them, in bytes on a disk with blocks of 4 KiB.
  func byteCount(of file: FilePath) -> Int {
    let name = ThumbnailName(file.absolute).fileName
    let sizes = ThumbnailSize.allCases.compactMap { try? path(of: $0).appending(name).stat().size }
    return sizes.lazy.map { Int($0).addingSaturated(4095) & ~4095 }.saturatedSum()
  }

  /// Removes the thumbnails that tpick wrote and the failures that it remembers, and nothing of others.
  ///
  /// Other processes may go on meanwhile; what they write stays, or is removed too.
  /// - Returns: what is gone.
  /// - Throws: `ThumbnailError` for the first file that can't be removed, once the others are.
  @discardableResult
  package func clear() throws(ThumbnailError) -> ThumbnailUsage {
    var usage = ThumbnailUsage()
    var failure: ThumbnailError?
    func remove(
      _ name: String, _ folder: borrowing ThumbnailFolder,
      _ tally: WritableKeyPath<ThumbnailUsage, ThumbnailUsage.Tally>?
    ) {
      guard let file = folder.file(name) else { return }
      do throws(ThumbnailError) {
        try folder.remove(name)
        if let tally { usage[keyPath: tally].add(file.size) }
      } catch {
        failure = failure ?? error
      }
    }
    for size in ThumbnailSize.allCases {
      guard let folder = folder(of: size) else { continue }
      for name in folder.names() {
        if PrivateFile.isDraft(name) {
          remove(name, folder, nil)
        } else if ThumbnailJournal.Entry(size, fileName: name) != nil, folder.isOwn(name) {
          remove(name, folder, \.own)
        }
      }
    }
    for version in failureFolderNames() {
      guard let folder = failureFolder(version) else { continue }
      for name in folder.names() where Self.isOwnFailure(name) {
        remove(name, folder, PrivateFile.isDraft(name) ? nil : \.failures)
      }
      removeFailureFolder(version)
    }
    if !journal.read().entries.isEmpty { try journal.compact(isComplete: true) { !hasFile($0) } }
    if let failure { throw failure }
    usage.all = usage.own
    return usage
  }
}
