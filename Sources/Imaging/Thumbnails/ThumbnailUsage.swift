import Pixels
import System
import SystemPackage

/// The number of thumbnails and their size on disk.
package struct ThumbnailUsage: Hashable, Sendable {
  /// A number of files and their total size in bytes.
  package struct Tally: Hashable, Sendable {
    package var files = 0
    package var bytes = 0

    mutating func add(_ bytes: Int) {
      files += 1
      self.bytes = self.bytes.addingSaturated(max(0, bytes))
    }
  }

  /// The thumbnails of all programs, including tpick's own.
  package var all = Tally()
  /// The thumbnails that tpick wrote.
  package var own = Tally()
  /// The failure records of tpick.
  package var failures = Tally()
}

extension ThumbnailDirectory {
  /// Counts the thumbnails.
  ///
  /// Opens each of them, which takes about ten microseconds per file.
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

  /// Returns the allocated size of a file's thumbnails from all programs, on a disk with blocks of 4 KiB.
  func byteCount(of file: FilePath) -> Int {
    let name = ThumbnailName(file.absolute).fileName
    let sizes = ThumbnailSize.allCases.compactMap { try? path(of: $0).appending(name).stat().size }
    return sizes.lazy.map { Int($0).addingSaturated(4095) & ~4095 }.saturatedSum()
  }

  /// Removes the thumbnails and failure records that tpick wrote; those of other programs stay.
  ///
  /// Other processes may continue meanwhile; what they write may or may not be removed.
  /// - Returns: what was removed.
  /// - Throws: `ThumbnailError` for the first file that can't be removed, after removing the others.
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
