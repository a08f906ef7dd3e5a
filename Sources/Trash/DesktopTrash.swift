import AssetLibrary
import CPlatform
package import System
package import SystemPackage

/// A file in a trash of the desktop.
package struct TrashedFile: Hashable, Sendable {
  /// The path before it was moved to the trash.
  package var original: FilePath
  /// When it was moved to the trash, local time (`2026-11-26T15:10:00`); nil if its note has no valid date.
  package var deleted: String?
  /// The current path, inside the trash.
  package var file: FilePath
  /// The folder of the trash that contains it.
  package var trash: FilePath
  /// The size in bytes; for a folder that of its own entry, without its contents.
  package var size: Int64
  /// The inode number, which the file keeps while it is moved.
  package var inode: UInt64
  /// When the content was last modified, in nanoseconds since 1970, UTC.
  package var modified: Int64
  /// Whether it is a regular file, rather than a folder or a symbolic link.
  package var isRegular: Bool
  /// Whether it is a folder.
  package var isFolder: Bool
  /// The name in the trash, which can differ from the original one.
  let name: [UInt8]

  fileprivate init(
    original: FilePath, deleted: String?, file: FilePath, trash: FilePath, facts: stat, name: [UInt8]
  ) {
    (self.original, self.deleted, self.file, self.trash) = (original, deleted, file, trash)
    (size, inode) = (Int64(facts.st_size), UInt64(facts.st_ino))
    modified = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
    isRegular = facts.st_mode & S_IFMT == S_IFREG
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
    self.name = name
  }

  /// Creates the entry of a file that is not in the trash yet, as a dry run lists it.
  package init(original: FilePath) {
    self.init(original: original, deleted: nil, file: "", trash: "", facts: stat(), name: [])
  }

  /// Returns those of an asset's files that were moved to the trash first.
  ///
  /// All files of an asset are moved at once: one that was moved later has taken the name of a file that another
  /// program has removed from the trash since.
  package static func deletedFirst(_ files: [TrashedFile]) -> [TrashedFile] {
    let first = files.lazy.compactMap(\.deleted).min()
    return files.filter { $0.deleted == first }
  }
}

/// Why a file could not be moved to the trash, restored or erased.
///
/// The first value of every case is the file, or for a file in the trash its original path.
package enum TrashError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not exist.
  case missing(FilePath)
  /// It is neither a regular file nor a symbolic link; nothing else is moved to the trash.
  case notAFile(FilePath)
  /// It is in a trash already.
  case inTrash(FilePath)
  /// It can't be moved because its file system is read-only.
  case readOnly(FilePath)
  /// This user lacks the permission to move it.
  case denied(FilePath)
  /// Its file system has no trash, and none can be created at `trash`.
  case noTrash(FilePath, trash: FilePath, Errno)
  /// `trash` is not used because it is a symbolic link, not a folder, or owned by another user.
  case untrusted(FilePath, trash: FilePath)
  /// The disk is full, or the user's quota: there is no room for the note with the original path.
  case full(FilePath)
  /// Another file has the original path now, or that of one of its folders.
  case occupied(FilePath)
  /// The original path is on another file system than the trash: files are renamed, never copied.
  case otherFileSystem(FilePath)
  /// It is no longer in the trash, or another file has its name there.
  case gone(FilePath)
  /// Its disk does not respond.
  case silent(FilePath)
  case failed(FilePath, Errno)

  /// The file; for one in the trash, its original path.
  package var path: FilePath {
    switch self {
    case .missing(let path), .notAFile(let path), .inTrash(let path), .readOnly(let path), .denied(let path),
      .noTrash(let path, _, _), .untrusted(let path, _), .full(let path), .occupied(let path),
      .otherFileSystem(let path), .gone(let path), .silent(let path), .failed(let path, _):
      path
    }
  }

  /// The reason as words to follow the path and a colon.
  package var reason: String {
    switch self {
    case .missing: "\(Errno.noSuchFileOrDirectory)"
    case .notAFile: "is no file"
    case .inTrash: "lies in the trash already"
    case .readOnly: "lies on a read-only file system"
    case .denied: "may not be moved: its folder can't be written to"
    case .noTrash(_, let trash, let error):
      "its disk has no trash, and none can be made at \(trash.displayString): \(error)"
    case .untrusted(_, let trash):
      "\(trash.displayString) is not used: it is a link, not a folder, or another user's"
    case .full: "no room to note where it was"
    case .occupied: "something else is there now"
    case .otherFileSystem: "is on another disk than its trash"
    case .gone: "is not in the trash any more"
    case .silent: "does not answer"
    case .failed(_, let error): "\(error)"
    }
  }

  package var description: String { "\(path.displayString): \(reason)" }

  /// Creates the error for a failed call while `path` is moved or erased.
  fileprivate init(moving path: FilePath, _ error: Errno) {
    self =
      switch error {
      case .readOnlyFileSystem: .readOnly(path)
      case .permissionDenied, .notPermitted: .denied(path)
      case .noSpace, .diskQuotaExceeded: .full(path)
      case .noSuchFileOrDirectory: .missing(path)
      case .fileExists: .occupied(path)
      case .improperLink: .otherFileSystem(path)
      default: .failed(path, error)
      }
  }
}

extension FilePath {
  fileprivate var displayString: String { String(decoding: bytes, as: UTF8.self) }

  fileprivate func entry(_ name: [UInt8]) -> FilePath {
    FilePath(bytes: bytes.last == UInt8(ascii: "/") ? bytes + name : bytes + [UInt8(ascii: "/")] + name)
  }

  /// The absolute path without symbolic links, `.` and `..`; nil if it does not exist.
  fileprivate var resolvedPath: FilePath? {
    withPlatformString { path in
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return FilePath(platformString: real)
    }
  }

  fileprivate var device: UInt64? {
    var status = file_status()
    return withPlatformString { file_status_at(AT_FDCWD, $0, 1, &status) } == 0 ? status.device : nil
  }

  /// Whether the path is `folder` or is inside it at any depth.
  fileprivate func isWithin(_ folder: FilePath) -> Bool { starts(with: folder) }
}

/// The trash of the desktop: one in the user's home, and one on every other file system.
///
/// Format: freedesktop.org's Trash specification, version 1.0. Files are only renamed: their bytes are never
/// copied, and no file outside of a trash is removed. Several processes may use it at once.
package struct DesktopTrash: Sendable {
  private let home: FilePath
  private let mounts: @Sendable () -> [MountPoint]
  private let answers: @Sendable (FilePath) -> Bool
  private let calls: TrashCalls

  /// - Parameters:
  ///   - home: the trash in the user's home, `$XDG_DATA_HOME/Trash`.
  ///   - answers: returns whether the disk of a path responds; called before the path is accessed, because
  ///     accessing a dead network disk blocks.
  ///   - mounts: returns the mounted file systems.
  ///   - calls: makes the system calls that change the trash; tests let them fail.
  package init(
    home: FilePath, answers: @escaping @Sendable (FilePath) -> Bool = { _ in true },
    mounts: @escaping @Sendable () -> [MountPoint] = {
      MountPoint.points(mountInfo: MountPoint.information())
    },
    calls: TrashCalls = TrashCalls()
  ) {
    (self.home, self.mounts, self.answers, self.calls) = (home, mounts, answers, calls)
  }

  // MARK: Into the trash

  /// A file that is being moved to the trash.
  private struct Item {
    /// The path as the caller named it.
    var path: FilePath
    /// The same path with the symbolic links of its folders resolved.
    var original: FilePath
    var name: [UInt8]
    var folder: HeldFolders.Place
    var facts: stat
    var trash: TrashFolder
    /// Its name in the trash, which is also the name of its note without the suffix.
    var noteName: [UInt8]
    var isMoved = false
  }

  /// Moves files to the trash, all or none: if one can't be moved, those before it are moved back.
  ///
  /// Of a symbolic link, the link is moved and not its target.
  /// - Parameters:
  ///   - files: the files.
  ///   - deleted: the deletion date that their notes get, as `TrashedFile.deleted`; nil = now.
  ///   - willMove: called once, when all notes are written and before the first file is moved. If it throws, nothing
  ///     is moved. A file may get another name in the trash than the one it is called with.
  /// - Throws: `TrashError` that names the file that could not be moved.
  @discardableResult
  package func put(
    _ files: [FilePath], deleted: String? = nil,
    willMove: ([TrashedFile]) throws(TrashError) -> Void = { _ in }
  ) throws(TrashError) -> [TrashedFile] {
    let mounts = mounts()
    let moment = deleted ?? TrashNote.moment()
    var items: [Item] = []
    var folders = HeldFolders()
    do throws(TrashError) {
      // By the folder that a file is in; folders of one volume share the open trash.
      var trashes: [FilePath: TrashFolder] = [:]
      let isFlushedAtOnce = files.count > Self.mostFlushes
      for path in files {
        try items.append(item(path, mounts, moment, isFlushed: !isFlushedAtOnce, &folders, &trashes))
      }
      // The notes must be on disk before any file is moved: after a crash, every moved file has its note.
      if isFlushedAtOnce {
        try flushNotes(of: items)
      } else {
        for trash in Self.distinct(trashes.values) { trash.synchronizeNotes() }
      }
      try willMove(items.map { Self.trashed($0, moment) })
      for index in items.indices { try move(&items[index], moment, &folders) }
      synchronize(Set(items.map(\.folder)), Array(trashes.values), &folders)
    } catch {
      rollBack(items, &folders)
      throw error
    }
    return items.map { Self.trashed($0, moment) }
  }

  private static func trashed(_ item: Item, _ moment: String) -> TrashedFile {
    TrashedFile(
      original: item.original, deleted: moment,
      file: item.trash.path.appending("files").entry(item.noteName), trash: item.trash.path,
      facts: item.facts, name: item.noteName)
  }

  /// Checks that a file can be moved to the trash, without moving it.
  ///
  /// The trash itself is not checked.
  /// - Returns: the original path that its note would contain.
  @discardableResult
  package func check(_ path: FilePath) throws(TrashError) -> FilePath {
    var folders = HeldFolders()
    return try facts(path, &folders).original
  }

  private func facts(
    _ path: FilePath, _ folders: inout HeldFolders
  ) throws(TrashError) -> (folder: HeldFolders.Place, original: FilePath, name: [UInt8], facts: stat) {
    guard path.lastComponent?.kind == .regular else { throw .notAFile(path) }
    let name = path.nameBytes
    var around = path.removingLastComponent()
    if around.isEmpty { around = "." }
    let place: HeldFolders.Place
    let status: stat?
    if let known = folders.places[around] {
      place = known
    } else {
      guard answers(around) else { throw .silent(path) }
      guard let resolved = around.resolvedPath else { throw .missing(path) }
      do throws(Errno) {
        place = folders.add(try HeldFolder(resolved), at: resolved, as: around)
      } catch {
        throw TrashError(moving: path, error)
      }
    }
    do throws(Errno) {
      status = try folders.folder(at: place).status(of: name)
    } catch {
      throw TrashError(moving: path, error)
    }
    guard let facts = status else { throw .missing(path) }
    let resolved = place.path
    guard facts.st_mode & S_IFMT == S_IFREG || facts.st_mode & S_IFMT == S_IFLNK else {
      throw .notAFile(path)
    }
    let original = resolved.entry(name)
    let user = geteuid()
    let isInVolumeTrash = resolved.components.contains {
      $0.string == ".Trash-\(user)" || $0.string == ".Trash"
    }
    if isInVolumeTrash || original.isWithin(home.resolvedPath ?? home) { throw .inTrash(path) }
    return (place, original, name, facts)
  }

  private func item(
    _ path: FilePath, _ mounts: [MountPoint], _ moment: String, isFlushed: Bool,
    _ folders: inout HeldFolders, _ trashes: inout [FilePath: TrashFolder]
  ) throws(TrashError) -> Item {
    let (folder, original, name, facts) = try facts(path, &folders)
    let around = original.removingLastComponent()
    let trash: TrashFolder
    if let known = trashes[around] {
      trash = known
    } else {
      let found = try self.trash(for: path, around, mounts)
      trash = trashes.values.first { $0.path == found.path } ?? found
      trashes[around] = trash
    }
    let note = TrashNote(path: trash.notedPath(original), deleted: moment)
    do throws(Errno) {
      return Item(
        path: path, original: original, name: name, folder: folder, facts: facts, trash: trash,
        noteName: try trash.addNote(note, for: name, isFlushed: isFlushed))
    } catch {
      throw TrashError(moving: path, error)
    }
  }

  /// Returns the trash for the files of a folder, which is created if needed.
  private func trash(
    for path: FilePath, _ folder: FilePath, _ mounts: [MountPoint]
  ) throws(TrashError) -> TrashFolder {
    let (top, hasOwnMount) = Self.top(of: folder, mounts)
    var trash = home
    do throws(TrashFolder.Refusal) {
      // Files can't be renamed between two mounts, even of the same disk.
      if !hasOwnMount || Self.top(of: existing(home), mounts).top == top,
        folder.device == existing(home).device
      {
        return try TrashFolder.home(home, makes: true, calls)
      }
      trash = top.appending(".Trash-\(geteuid())")
      return try TrashFolder.volume(top, makes: true, calls)
    } catch {
      switch error {
      case .untrusted(let trash): throw .untrusted(path, trash: trash)
      case .failed(.readOnlyFileSystem): throw .readOnly(path)
      case .failed(.noSpace), .failed(.diskQuotaExceeded): throw .full(path)
      case .failed(let error): throw .noTrash(path, trash: trash, error)
      }
    }
  }

  /// Returns the path or the nearest parent that exists, without symbolic links.
  private func existing(_ path: FilePath) -> FilePath {
    var path = path
    while true {
      if let resolved = path.resolvedPath { return resolved }
      let above = path.removingLastComponent()
      if above == path || above.isEmpty { return "/" }
      path = above
    }
  }

  /// Returns the top folder of a folder's file system, and whether it is a listed mount point.
  /// - Parameter folder: without symbolic links.
  private static func top(of folder: FilePath, _ mounts: [MountPoint]) -> (top: FilePath, isKnown: Bool) {
    let places = mounts.map { FilePath(bytes: $0.place) }.filter(folder.isWithin)
    if let place = places.max(by: { $0.bytes.count < $1.bytes.count }) { return (place, true) }
    var top = folder
    while true {
      let above = top.removingLastComponent()
      if above == top || above.isEmpty || above.device != folder.device { return (top, false) }
      top = above
    }
  }

  private func move(_ item: inout Item, _ moment: String, _ folders: inout HeldFolders) throws(TrashError) {
    let folder: HeldFolder
    do throws(Errno) {
      folder = try folders.folder(at: item.folder)
    } catch {
      throw TrashError(moving: item.path, error)
    }
    while true {
      let (name, target, noteName) = (item.name, item.trash.files, item.noteName)
      let failure = calls.failure(.move) {
        name.withCName { from in
          noteName.withCName { file_move(folder.descriptor, from, target.descriptor, $0) }
        }
      }
      switch failure {
      case nil:
        item.isMoved = true
        return
      case .fileExists?:
        // Another process has put a file without a note there meanwhile: take another name.
        let note = TrashNote(path: item.trash.notedPath(item.original), deleted: moment)
        let before = item.noteName
        do throws(Errno) {
          item.noteName = try item.trash.addNote(note, for: item.name)
        } catch {
          throw TrashError(moving: item.path, error)
        }
        item.trash.removeNote(of: before)
      case .improperLink?: throw .noTrash(item.path, trash: item.trash.path, .improperLink)
      case let error?: throw TrashError(moving: item.path, error)
      }
    }
  }

  /// Moves files back to their original paths, and removes the notes of all that are not in the trash then.
  private func rollBack(_ items: [Item], _ folders: inout HeldFolders) {
    for item in items.reversed() {
      if item.isMoved {
        // If its folder is gone, it stays in the trash, with its note.
        guard let folder = try? folders.folder(at: item.folder) else { continue }
        let failure = calls.failure(.move) {
          item.noteName.withCName { from in
            item.name.withCName { file_move(item.trash.files.descriptor, from, folder.descriptor, $0) }
          }
        }
        // It can't be moved back, for example because its path is taken: it stays there, with its note.
        if failure != nil { continue }
      }
      item.trash.removeNote(of: item.noteName)
    }
  }

  /// The most files or folders that are flushed to disk one by one.
  ///
  /// The files of one photo are flushed alone, so that they needn't wait for what other programs write. Each flush
  /// waits for the disk, so thousands are flushed together, with all else on their file system.
  private static let mostFlushes = 8

  /// Flushes the notes of files to disk.
  /// - Throws: `TrashError` that names one of the files.
  private func flushNotes(of items: [Item]) throws(TrashError) {
    for items in Dictionary(grouping: items, by: \.trash.path).values {
      guard let first = items.first else { continue }
      do throws(Errno) {
        try first.trash.flushNotes(of: items.map(\.noteName))
      } catch {
        throw TrashError(moving: first.path, error)
      }
    }
  }

  private static func distinct(_ trashes: some Sequence<TrashFolder>) -> [TrashFolder] {
    Array(Dictionary(trashes.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first }).values)
  }

  /// Flushes folders and trashes to disk between which files were moved; one that is gone has nothing to flush.
  private func synchronize(
    _ places: Set<HeldFolders.Place>, _ trashes: [TrashFolder], _ folders: inout HeldFolders
  ) {
    let trashes = Self.distinct(trashes)
    if places.count > Self.mostFlushes {
      // Files are never moved to another file system, so those of the trashes are those of the folders.
      var isFlushed = true
      for trash in trashes where trash.flushFileSystem() != nil { isFlushed = false }
      if isFlushed { return }
    }
    for trash in trashes { trash.synchronizeFiles() }
    for place in places {
      guard let folder = try? folders.folder(at: place) else { continue }
      _ = calls.failure(.synchronize) { fsync(folder.descriptor) }
    }
  }

  // MARK: In the trash

  /// Returns the existing trashes of this user, each once.
  private func trashes() -> [TrashFolder] {
    // A disk may be mounted twice.
    var known: Set<[UInt64]> = []
    return mountedTrashes().filter { known.insert($0.number).inserted }
  }

  /// Returns the existing trashes of this user; that of a disk which is mounted at several places, at each of them.
  private func mountedTrashes() -> [TrashFolder] {
    var trashes: [TrashFolder] = []
    if let home = try? TrashFolder.home(home, makes: false, calls) { trashes.append(home) }
    for place in Set(mounts().filter { $0.type != "autofs" }.map(\.place)).sorted(by: {
      $0.lexicographicallyPrecedes($1)
    }) {
      let top = FilePath(bytes: place)
      guard answers(top) else { continue }
      for isShared in [true, false] {
        if let trash = try? TrashFolder.volume(top, isShared: isShared, makes: false, calls) {
          trashes.append(trash)
        }
      }
    }
    return trashes
  }

  /// Returns a path, and the paths that the same file has where its disk is mounted, too.
  ///
  /// `list` names the files of such a disk at one of the places only.
  package func spellings(of path: FilePath) -> [FilePath] {
    let volumes = mountedTrashes().filter { !$0.isHome }
    var spellings = [path]
    for volume in volumes where path.isWithin(volume.base) {
      let rest = path.components.dropFirst(volume.base.components.count)
      for other in volumes where other.number == volume.number && other.base != volume.base {
        spellings.append(other.base.pushing(FilePath(root: nil, rest)))
      }
    }
    return spellings
  }

  /// Returns a function that turns a path in a trash into the one by which `list` names the file.
  package func listedPaths() -> (FilePath) -> FilePath {
    var known: [[UInt64]: FilePath] = [:]
    var others: [(path: FilePath, listed: FilePath)] = []
    for trash in mountedTrashes() {
      if let listed = known[trash.number] {
        others.append((trash.path, listed))
      } else {
        known[trash.number] = trash.path
      }
    }
    return { path in
      guard let other = others.first(where: { path.isWithin($0.path) }) else { return path }
      let rest = path.components.dropFirst(other.path.components.count)
      return other.listed.pushing(FilePath(root: nil, rest))
    }
  }

  /// Returns the contents of this user's trashes, oldest first, without files that have no readable note.
  package func list() -> [TrashedFile] {
    trashes().flatMap { trash in
      trash.names().compactMap { name -> (file: TrashedFile, changed: Int64)? in
        guard let note = trash.note(of: name), let original = trash.original(note),
          let facts = trash.files.status(of: name)
        else { return nil }
        let file = TrashedFile(
          original: original, deleted: note.deleted,
          file: trash.path.appending("files").entry(name), trash: trash.path, facts: facts, name: name)
        return (file, Int64(facts.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_ctim.tv_nsec))
      }
    }.sorted { one, other in
      let (moment, otherMoment) = (one.file.deleted ?? "", other.file.deleted ?? "")
      if moment != otherMoment { return moment < otherMoment }
      let (path, otherPath) = (one.file.original.bytes, other.file.original.bytes)
      if path != otherPath { return path.lexicographicallyPrecedes(otherPath) }
      // Dates are in full seconds, but the move itself has changed the file's time of change.
      if one.changed != other.changed { return one.changed < other.changed }
      return one.file.file.bytes.lexicographicallyPrecedes(other.file.file.bytes)
    }.map { $0.file }
  }

  /// Returns a value that differs from an earlier one if files were moved into or out of this user's trashes
  /// between the two calls, and the time of the last change.
  ///
  /// Much faster than `list()`: it reads no note. Two changes within one tick of the system's clock, of at most 10 ms,
  /// may have equal values.
  package func stamp() -> (value: [[UInt64]], changed: Int64) {
    let stamps = trashes().map(\.stamp)
    return (stamps.map(\.value), stamps.map(\.changed).max() ?? 0)
  }

  /// Returns the trash of a listed file.
  /// - Throws: `TrashError.gone` if the file is no longer there, or another one has its name.
  private func trash(
    of file: TrashedFile, _ known: inout [FilePath: TrashFolder]
  ) throws(TrashError) -> TrashFolder {
    if known[file.trash] == nil {
      for trash in mountedTrashes() { known[trash.path] = trash }
    }
    guard let trash = known[file.trash], trash.files.status(of: file.name) != nil,
      let note = trash.note(of: file.name), trash.original(note) == file.original,
      // A new file at the same path may have been deleted since.
      note.deleted == file.deleted
    else { throw .gone(file.original) }
    return trash
  }

  // MARK: Out of the trash

  /// A file that is being restored.
  private struct Return {
    var file: TrashedFile
    var trash: TrashFolder
    var folder: HeldFolders.Place
    var name: [UInt8]
  }

  /// Moves files back to their original paths, all or none.
  ///
  /// Missing folders are created, and nothing is overwritten.
  /// - Throws: `TrashError` with the original path of the file that could not be restored.
  package func restore(_ files: [TrashedFile]) throws(TrashError) {
    var known: [FilePath: TrashFolder] = [:]
    var returned: [Return] = []
    var made: [FilePath] = []
    var folders = HeldFolders()
    do throws(TrashError) {
      var all: [Return] = []
      for file in files {
        let trash = try trash(of: file, &known)
        guard answers(file.original.removingLastComponent()) else { throw .silent(file.original) }
        let around = file.original.removingLastComponent()
        let folder: HeldFolders.Place
        if let known = folders.places[around] {
          folder = known
        } else {
          folder = folders.add(try self.folder(for: file, trash, &made), at: around, as: around)
        }
        all.append(Return(file: file, trash: trash, folder: folder, name: file.original.nameBytes))
      }
      for item in all {
        let folder: HeldFolder
        do throws(Errno) {
          folder = try folders.folder(at: item.folder)
        } catch {
          throw TrashError(moving: item.file.original, error)
        }
        let failure = calls.failure(.move) {
          item.file.name.withCName { from in
            item.name.withCName { file_move(item.trash.files.descriptor, from, folder.descriptor, $0) }
          }
        }
        if let failure {
          throw TrashError(moving: item.file.original, failure)
        }
        returned.append(item)
      }
    } catch {
      for item in returned.reversed() {
        // If its folder is gone, the file is where that is now, and keeps its note.
        guard let folder = try? folders.folder(at: item.folder) else { continue }
        _ = calls.failure(.move) {
          item.name.withCName { from in
            item.file.name.withCName {
              file_move(folder.descriptor, from, item.trash.files.descriptor, $0)
            }
          }
        }
      }
      // rmdir(2) removes only those that are still empty.
      for path in made.reversed() { _ = path.withPlatformString { rmdir($0) } }
      throw error
    }
    synchronize(Set(returned.map(\.folder)), returned.map(\.trash), &folders)
    for item in returned { item.trash.removeNote(of: item.file.name) }
  }

  /// Returns the original folder of a file; creates it if it is missing.
  ///
  /// On a volume, symbolic links are not followed: the notes and links of a foreign disk must not lead
  /// outside of it.
  private func folder(
    for file: TrashedFile, _ trash: TrashFolder, _ made: inout [FilePath]
  ) throws(TrashError) -> HeldFolder {
    let around = file.original.removingLastComponent()
    do throws(Errno) {
      if trash.isHome, let folder = try? HeldFolder(around) { return folder }
      var path: FilePath = trash.isHome ? "/" : trash.base
      var folder = try HeldFolder(path)
      for component in around.components.dropFirst(path.components.count) {
        let name = FilePath(root: nil, [component]).bytes
        path = path.entry(name)
        if folder.status(of: name) == nil {
          let (place, parent) = (path, folder)
          let failure = calls.failure(.makeFolder) {
            name.withCName { mkdirat(parent.descriptor, $0, 0o777) }
          }
          if let failure, failure != Errno.fileExists { throw failure }
          if failure == nil { made.append(place) }
        }
        folder = trash.isHome ? try HeldFolder(path) : try HeldFolder(name, in: folder)
      }
      return folder
    } catch {
      switch error {
      case .notDirectory, .tooManySymbolicLinkLevels: throw .occupied(around)
      default: throw TrashError(moving: file.original, error)
      }
    }
  }

  /// Deletes files in the trash for good; folders with their contents.
  ///
  /// Symbolic links are not followed, so nothing outside of the trash is deleted.
  /// - Returns: for each file the reason why it could not be deleted; nil if it was deleted.
  package func erase(_ files: [TrashedFile]) -> [TrashError?] {
    var known: [FilePath: TrashFolder] = [:]
    return files.map { erase($0, &known) }
  }

  /// Deletes groups of files in the trash for good, each up to the first file that can't be deleted.
  ///
  /// Put the file that the others belong to last: as long as one of those can't be deleted, it stays.
  /// - Returns: for each group the error of the file that could not be deleted; nil if all were deleted.
  package func erase(groups: [[TrashedFile]]) -> [TrashError?] {
    var known: [FilePath: TrashFolder] = [:]
    return groups.map { files in
      for file in files { if let error = erase(file, &known) { return error } }
      return nil
    }
  }

  private func erase(_ file: TrashedFile, _ known: inout [FilePath: TrashFolder]) -> TrashError? {
    do throws(TrashError) {
      let trash = try trash(of: file, &known)
      if let failure = erase(file.name, in: trash.files, device: trash.files.status.st_dev) {
        return TrashError(moving: file.original, failure)
      }
      trash.removeNote(of: file.name)
      return nil
    } catch {
      return error
    }
  }

  private func erase(_ name: [UInt8], in folder: HeldFolder, device: dev_t) -> Errno? {
    guard let facts = folder.status(of: name) else { return nil }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      return calls.failure(.erase) { name.withCName { unlinkat(folder.descriptor, $0, 0) } }
    }
    do throws(Errno) {
      // Another file system is mounted here: its contents are not part of the trash.
      if facts.st_dev != device { throw .resourceBusy }
      if facts.st_mode & 0o700 != 0o700 {
        _ = name.withCName { fchmodat(folder.descriptor, $0, facts.st_mode & 0o777 | 0o700, 0) }
      }
      let inner = try HeldFolder(name, in: folder)
      for entry in try inner.names() {
        if let failure = erase(entry, in: inner, device: device) { throw failure }
      }
    } catch {
      return error
    }
    return calls.failure(.erase) { name.withCName { unlinkat(folder.descriptor, $0, Int32(AT_REMOVEDIR)) } }
  }
}
