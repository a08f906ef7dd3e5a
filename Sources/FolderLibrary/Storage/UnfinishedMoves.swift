import CPlatform
import FoundationEssentials
import Glibc
import System
package import SystemPackage
package import Trash

/// A note on disk of the files that a change is moving to the trash or back, until the change is complete.
///
/// If the process ends in between, `finish(in:trash:stored:)` repairs the library at the next start: all files of the
/// change are at their original paths afterwards. It only ever moves files out of the trash.
package final class UnfinishedMoves {
  /// Where the files of a change are going.
  package enum Direction: String {
    /// To the trash; repaired by moving them back, unless the change is stored.
    case deleting
    /// To the trash by a change that is never stored in the ledger; repaired by moving them back, whatever the ledger
    /// says of earlier files that had the same paths in the trash at the same second.
    case deletingUnstored
    /// Back from the trash; repaired by moving the others back, too.
    case restoring
  }

  /// A file as the note names it.
  private struct Move: Hashable {
    var original: FilePath
    /// `TrashedFile.deleted`.
    var deleted: String?
  }

  private let path: FilePath
  /// Held as long as the process lives, so that no other process repairs a change that is being made.
  private let lock: FileLock

  private static let prefix = "moves-"
  private static let header = "tpick moves 1"
  /// The last text, which no path equals.
  private static let ending = "end"
  private static let longest = 256 << 20
  /// How long files are waited for whose disk is not there, in seconds.
  private static let patience: Int64 = 30 * 86_400

  private init(_ path: FilePath, _ lock: consuming FileLock) {
    self.path = path
    self.lock = lock
  }

  /// Notes files that are about to be moved.
  /// - Parameters:
  ///   - files: the files, with the dates of their notes in the trash.
  ///   - direction: where they are going.
  ///   - folder: the folder of the ledger, `LibraryLocations.data`.
  /// - Throws: `TrashError` if the note can't be written; no file must be moved then.
  package static func begin(
    _ files: [TrashedFile], _ direction: Direction, in folder: FilePath
  ) throws(TrashError) -> UnfinishedMoves {
    let number = String(UInt64.random(in: 0 ... .max), radix: 16)
    let (path, draft) = (folder.appending(prefix + number), folder.appending(PrivateFile.draftName(number)))
    do throws(Errno) {
      let file = try PrivateFile.open(draft, O_WRONLY | O_CREAT | O_EXCL)
      let moves = UnfinishedMoves(path, FileLock(owning: file))
      moves.lock.lock()
      var texts = [Array(header.utf8), Array(direction.rawValue.utf8)]
      for file in files { texts += [file.original.bytes, Array((file.deleted ?? "").utf8)] }
      texts.append(Array(ending.utf8))
      var failure = PrivateFile.write(Array(texts.map { $0 + [0] }.joined()), to: file)
      if failure == nil, fsync(file) != 0 { failure = Errno(rawValue: errno) }
      // Under the name by which it is found, it is whole and locked.
      if failure == nil,
        draft.withPlatformString({ from in path.withPlatformString { rename(from, $0) } }) != 0
      {
        failure = Errno(rawValue: errno)
      }
      if let failure {
        _ = draft.withPlatformString { unlink($0) }
        throw failure
      }
      synchronize(folder)
      return moves
    } catch {
      throw .failed(path, error)
    }
  }

  /// Removes the note, because the change is stored or all files are back.
  package func end() { _ = path.withPlatformString { unlink($0) } }

  /// Flushes the name of a new file to disk.
  private static func synchronize(_ folder: FilePath) {
    let file = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }

  // MARK: Repairing

  /// Repairs the changes of processes that ended before they were complete.
  ///
  /// Blocks on the disk; costs one look into a folder if there is nothing to repair.
  /// - Parameters:
  ///   - folder: the folder of the ledger.
  ///   - stored: reads the ledger; returns a function that tells whether the ledger has stored that a file is in the
  ///     trash, or nil if it can't be read: deletions are left to a later start then.
  /// - Returns: the errors of files that stay in the trash.
  static func finish(
    in folder: FilePath, trash: DesktopTrash, stored: () -> ((TrashedFile) -> Bool)?
  ) -> [TrashError] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    var failures: [TrashError] = []
    for name in names.sorted() where name.hasPrefix(prefix) {
      let path = folder.appending(name)
      let file = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
      guard file >= 0 else { continue }
      let lock = FileLock(owning: file)
      // Otherwise the change is being made, or another process repairs it.
      guard lock.tryLock() == .locked else { continue }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_nlink > 0,
        let bytes = PrivateFile.read(path, limit: longest)
      else { continue }
      // One of another version is left to that.
      if let (direction, moves) = parse(bytes),
        let isStored = direction == .deleting ? stored() : { _ in false }
      {
        var isDone = true
        failures += bringBack(moves, from: trash, isStored: isStored, &isDone)
        let age = Int64(time(nil)) - Int64(status.st_mtim.tv_sec)
        if isDone || age > patience { _ = path.withPlatformString { unlink($0) } }
      }
      extendLifetime(lock)
    }
    return failures
  }

  /// Returns the content of a note; nil if it is of another version, or damaged.
  private static func parse(_ bytes: [UInt8]) -> (Direction, [Move])? {
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    // The last NUL is followed by nothing.
    guard texts.count >= 4, texts.count % 2 == 0, texts.last?.isEmpty == true,
      texts[0].elementsEqual(header.utf8), texts[texts.count - 2].elementsEqual(ending.utf8),
      let direction = Direction(rawValue: String(decoding: texts[1], as: UTF8.self))
    else { return nil }
    let moves = stride(from: 2, to: texts.count - 2, by: 2).map { index in
      let date = String(decoding: texts[index + 1], as: UTF8.self)
      return Move(original: FilePath(bytes: Array(texts[index])), deleted: date.isEmpty ? nil : date)
    }
    return (direction, moves)
  }

  /// Moves files back from the trash.
  /// - Parameter isDone: set to false if a disk that may have some of the files is not there.
  /// - Returns: the errors of files that stay in the trash.
  private static func bringBack(
    _ moves: [Move], from trash: DesktopTrash, isStored: (TrashedFile) -> Bool, _ isDone: inout Bool
  ) -> [TrashError] {
    // Asked once for each folder: a change may concern thousands of files.
    var folders: [FilePath: (spellings: [FilePath], isThere: Bool)] = [:]
    var rest: Set<Move> = []
    for move in moves {
      let path = move.original.removingLastComponent()
      let folder =
        folders[path] ?? (trash.spellings(of: path), MountProbes.shared.answers(path) && path.isFolder)
      folders[path] = folder
      // The same file has another path where its disk is mounted twice.
      for spelling in folder.spellings {
        let original = spelling.appendingName(move.original.nameBytes)
        rest.insert(Move(original: original, deleted: move.deleted))
      }
    }
    let found = trash.list().filter { rest.contains(Move(original: $0.original, deleted: $0.deleted)) }
    let returning = found.filter { !isStored($0) }
    var failures: [TrashError] = []
    do throws(TrashError) {
      try trash.restore(returning)
    } catch {
      // One of them has lost its place: the others have not.
      for file in returning {
        do throws(TrashError) {
          try trash.restore([file])
        } catch {
          failures.append(error)
          if case .silent = error { isDone = false }
        }
      }
    }
    let seen = Set(found.map { Move(original: $0.original, deleted: $0.deleted) })
    let isFound = moves.allSatisfy { move in
      seen.contains(move) || folders[move.original.removingLastComponent()]?.isThere == true
    }
    if !isFound { isDone = false }
    return failures
  }
}
