import AssetLibrary
import CPlatform
package import System
package import SystemPackage

/// A file in the trash of the desktop.
package struct TrashedFile: Hashable, Sendable {
  /// Where it was.
  package var original: FilePath
  /// When it went, local time (`2026-11-26T15:10:00`); nil where its note does not say.
  package var deleted: String?
  /// Where it lies now.
  package var file: FilePath
  /// The trash that it lies in.
  package var trash: FilePath
  /// Bytes; of a folder its own.
  package var size: Int64
  /// Its name in the trash.
  let name: [UInt8]

  fileprivate init(
    original: FilePath, deleted: String?, file: FilePath, trash: FilePath, size: Int64, name: [UInt8]
  ) {
    (self.original, self.deleted, self.file, self.trash) = (original, deleted, file, trash)
    (self.size, self.name) = (size, name)
  }

  /// A file that would be thrown away, and lies in no trash.
  package init(original: FilePath) {
    self.init(original: original, deleted: nil, file: "", trash: "", size: 0, name: [])
  }
}

/// Why something could not be thrown away, brought back or erased.
///
/// Each case names the file.
package enum TrashError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing of that name.
  case missing(FilePath)
  /// Only files and symbolic links are thrown away.
  case notAFile(FilePath)
  /// It lies in a trash.
  case inTrash(FilePath)
  /// It can't be moved because its file system is read-only.
  case readOnly(FilePath)
  /// This user may not move it.
  case denied(FilePath)
  /// Its file system has no trash, and none can be made at `trash`.
  case noTrash(FilePath, trash: FilePath, Errno)
  /// What should be the trash is a link, no folder, or another user's.
  case untrusted(FilePath, trash: FilePath)
  /// There is no room for the note of where it was.
  case full(FilePath)
  /// Where it was, something else is now.
  case occupied(FilePath)
  /// Where it was is on another disk than the trash: files are moved, never copied.
  case otherFileSystem(FilePath)
  /// It is not in the trash any more, or something else of that name is.
  case gone(FilePath)
  /// The disk does not answer.
  case silent(FilePath)
  case failed(FilePath, Errno)

  /// The file, or where it was.
  package var path: FilePath {
    switch self {
    case .missing(let path), .notAFile(let path), .inTrash(let path), .readOnly(let path), .denied(let path),
      .noTrash(let path, _, _), .untrusted(let path, _), .full(let path), .occupied(let path),
      .otherFileSystem(let path), .gone(let path), .silent(let path), .failed(let path, _):
      path
    }
  }

  /// Why, without the file.
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
      "\(trash.displayString) is not used: it is a link, or another user's"
    case .full: "no room to note where it was"
    case .occupied: "something else is there now"
    case .otherFileSystem: "is on another disk than its trash"
    case .gone: "is not in the trash any more"
    case .silent: "does not answer"
    case .failed(_, let error): "\(error)"
    }
  }

  package var description: String { "\(path.displayString): \(reason)" }

  /// What the failure of a move means.
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

  /// With links and dots resolved; nil where it is not there.
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

  /// Whether it lies in a folder, or below.
  fileprivate func isWithin(_ folder: FilePath) -> Bool { starts(with: folder) }
}

/// The trash of the desktop, as version 1.0 of freedesktop.org's specification has it: one in the user's home, and one on each
/// other file system.
///
/// Files are moved by their names and in no other way: no byte of them is copied, and nothing outside of a trash is removed. Several
/// processes may use it at once.
package struct DesktopTrash: Sendable {
  private let home: FilePath
  private let mounts: @Sendable () -> [MountPoint]
  private let answers: @Sendable (FilePath) -> Bool
  private let calls: TrashCalls

  /// - Parameters:
  ///   - home: the trash in the user's home, `$XDG_DATA_HOME/Trash`.
  ///   - answers: whether a path that lies on a network disk may be touched; asked before each is.
  ///   - mounts: the file systems there are.
  ///   - calls: how the trash is changed; tests have calls fail.
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

  /// A file on its way into the trash.
  private struct Item {
    /// Where it is, as it was named.
    var path: FilePath
    /// The same without links on the way.
    var original: FilePath
    var name: [UInt8]
    var folder: HeldFolder
    var size: Int64
    var trash: TrashFolder
    /// The name of its note, once that is written, which is its own in the trash.
    var noteName: [UInt8]
    var isMoved = false
  }

  /// Moves files into the trash, all of them or none: where one can't be moved, those before it go back.
  ///
  /// A symbolic link is moved itself.
  /// - Throws: `TrashError` that names the file that could not be moved.
  @discardableResult
  package func put(_ files: [FilePath]) throws(TrashError) -> [TrashedFile] {
    let mounts = mounts()
    let moment = TrashNote.moment()
    var items: [Item] = []
    do throws(TrashError) {
      var folders: [FilePath: (HeldFolder, FilePath)] = [:]
      // By the folder that a file is in; folders of one volume share the open trash.
      var trashes: [FilePath: TrashFolder] = [:]
      for path in files {
        try items.append(item(path, mounts, moment, &folders, &trashes))
      }
      // The notes are to be on the disk before the files are gone from their places.
      for trash in trashes.values { trash.synchronizeNotes() }
      for index in items.indices { try move(&items[index], moment, mounts) }
      for trash in trashes.values { trash.synchronizeFiles() }
      for (folder, _) in folders.values { _ = calls.failure(.synchronize) { fsync(folder.descriptor) } }
    } catch {
      takeBack(items)
      throw error
    }
    return items.map { item in
      TrashedFile(
        original: item.original, deleted: moment,
        file: item.trash.path.appending("files").entry(item.noteName), trash: item.trash.path,
        size: item.size, name: item.noteName)
    }
  }

  /// Looks whether a file can be thrown away, without doing it.
  /// - Returns: the place that its note would tell.
  @discardableResult
  package func check(_ path: FilePath) throws(TrashError) -> FilePath {
    var folders: [FilePath: (HeldFolder, FilePath)] = [:]
    return try facts(path, &folders).original
  }

  private func facts(
    _ path: FilePath, _ folders: inout [FilePath: (HeldFolder, FilePath)]
  ) throws(TrashError) -> (folder: HeldFolder, original: FilePath, name: [UInt8], facts: stat) {
    guard path.lastComponent?.kind == .regular else { throw .notAFile(path) }
    let name = path.nameBytes
    var around = path.removingLastComponent()
    if around.isEmpty { around = "." }
    if folders[around] == nil {
      guard answers(around) else { throw .silent(path) }
      guard let resolved = around.resolvedPath else { throw .missing(path) }
      do throws(Errno) {
        folders[around] = (try HeldFolder(resolved), resolved)
      } catch {
        throw TrashError(moving: path, error)
      }
    }
    guard let (folder, resolved) = folders[around], let facts = folder.status(of: name) else {
      throw .missing(path)
    }
    guard facts.st_mode & S_IFMT == S_IFREG || facts.st_mode & S_IFMT == S_IFLNK else {
      throw .notAFile(path)
    }
    let original = resolved.entry(name)
    let user = geteuid()
    let isInVolumeTrash = resolved.components.contains {
      $0.string == ".Trash-\(user)" || $0.string == ".Trash"
    }
    if isInVolumeTrash || original.isWithin(home.resolvedPath ?? home) { throw .inTrash(path) }
    return (folder, original, name, facts)
  }

  private func item(
    _ path: FilePath, _ mounts: [MountPoint], _ moment: String,
    _ folders: inout [FilePath: (HeldFolder, FilePath)], _ trashes: inout [FilePath: TrashFolder]
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
        path: path, original: original, name: name, folder: folder, size: Int64(facts.st_size), trash: trash,
        noteName: try trash.addNote(note, for: name))
    } catch {
      throw TrashError(moving: path, error)
    }
  }

  /// The trash that files of a folder go to.
  private func trash(
    for path: FilePath, _ folder: FilePath, _ mounts: [MountPoint]
  ) throws(TrashError) -> TrashFolder {
    let (top, hasOwnMount) = Self.top(of: folder, mounts)
    var trash = home
    do throws(TrashFolder.Refusal) {
      // Two places of one disk that are mounted apart can't be moved between.
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

  /// The nearest folder on the way to a path that is there, without links.
  private func existing(_ path: FilePath) -> FilePath {
    var path = path
    while true {
      if let resolved = path.resolvedPath { return resolved }
      let above = path.removingLastComponent()
      if above == path || above.isEmpty { return "/" }
      path = above
    }
  }

  /// Where the file system of a folder begins.
  /// - Parameter folder: without links.
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

  private func move(_ item: inout Item, _ moment: String, _ mounts: [MountPoint]) throws(TrashError) {
    while true {
      let (name, target, noteName) = (item.name, item.trash.files, item.noteName)
      let folder = item.folder
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
        // Something without a note came there meanwhile.
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

  /// Puts back what was moved, and takes the notes of what is not in the trash.
  private func takeBack(_ items: [Item]) {
    for item in items.reversed() {
      if item.isMoved {
        let failure = calls.failure(.move) {
          item.noteName.withCName { from in
            item.name.withCName { file_move(item.trash.files.descriptor, from, item.folder.descriptor, $0) }
          }
        }
        // Something else took its place: it stays in the trash, with its note.
        if failure != nil { continue }
      }
      item.trash.removeNote(of: item.noteName)
    }
  }

  // MARK: In the trash

  /// The trashes that there are.
  private func trashes() -> [TrashFolder] {
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
    // One disk may be seen at two places.
    var known: Set<[UInt64]> = []
    return trashes.filter { known.insert($0.number).inserted }
  }

  /// What lies in the trashes of this user, in the order in which it went; what has no note that can be read is left out.
  package func list() -> [TrashedFile] {
    trashes().flatMap { trash in
      trash.names().compactMap { name in
        guard let note = trash.note(of: name), let original = trash.original(note),
          let facts = trash.files.status(of: name)
        else { return nil }
        return TrashedFile(
          original: original, deleted: note.deleted,
          file: trash.path.appending("files").entry(name), trash: trash.path, size: Int64(facts.st_size),
          name: name)
      }
    }.sorted { one, other in
      let (moment, otherMoment) = (one.deleted ?? "", other.deleted ?? "")
      return moment == otherMoment
        ? one.original.bytes.lexicographicallyPrecedes(other.original.bytes) : moment < otherMoment
    }
  }

  /// The trash of a file that was listed, if the file is still there.
  private func trash(
    of file: TrashedFile, _ known: inout [FilePath: TrashFolder]
  ) throws(TrashError) -> TrashFolder {
    if known[file.trash] == nil {
      for trash in trashes() { known[trash.path] = trash }
    }
    guard let trash = known[file.trash], trash.files.status(of: file.name) != nil,
      let note = trash.note(of: file.name), trash.original(note) == file.original
    else { throw .gone(file.original) }
    return trash
  }

  // MARK: Out of the trash

  /// A file on its way back.
  private struct Return {
    var file: TrashedFile
    var trash: TrashFolder
    var folder: HeldFolder
    var name: [UInt8]
  }

  /// Moves files back to where they were, all of them or none; folders that are gone are made again, and nothing is overwritten.
  /// - Throws: `TrashError` that names where the file was that could not be brought back.
  package func restore(_ files: [TrashedFile]) throws(TrashError) {
    var known: [FilePath: TrashFolder] = [:]
    var returned: [Return] = []
    var made: [FilePath] = []
    var folders: [FilePath: HeldFolder] = [:]
    do throws(TrashError) {
      var all: [Return] = []
      for file in files {
        let trash = try trash(of: file, &known)
        guard answers(file.original.removingLastComponent()) else { throw .silent(file.original) }
        let around = file.original.removingLastComponent()
        let folder = try folders[around] ?? folder(for: file, trash, &made)
        folders[around] = folder
        all.append(Return(file: file, trash: trash, folder: folder, name: file.original.nameBytes))
      }
      for item in all {
        let failure = calls.failure(.move) {
          item.file.name.withCName { from in
            item.name.withCName { file_move(item.trash.files.descriptor, from, item.folder.descriptor, $0) }
          }
        }
        if let failure {
          throw TrashError(moving: item.file.original, failure)
        }
        returned.append(item)
      }
    } catch {
      for item in returned.reversed() {
        _ = calls.failure(.move) {
          item.name.withCName { from in
            item.file.name.withCName {
              file_move(item.folder.descriptor, from, item.trash.files.descriptor, $0)
            }
          }
        }
      }
      // Only those that are empty go.
      for path in made.reversed() { _ = path.withPlatformString { rmdir($0) } }
      throw error
    }
    for folder in folders.values { _ = calls.failure(.synchronize) { fsync(folder.descriptor) } }
    for item in returned { item.trash.removeNote(of: item.file.name) }
  }

  /// The folder that a file was in, made again where it is gone.
  ///
  /// On a volume no link is followed: whoever wrote the notes of a disk that came from elsewhere leads nowhere else by one.
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

  /// Deletes files of the trash for good, folders with all in them.
  ///
  /// Nothing is deleted that does not lie in the trash: links are not followed.
  /// - Returns: of each file why it could not be deleted; nil if it was.
  package func erase(_ files: [TrashedFile]) -> [TrashError?] {
    var known: [FilePath: TrashFolder] = [:]
    return files.map { file in
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
  }

  private func erase(_ name: [UInt8], in folder: HeldFolder, device: dev_t) -> Errno? {
    guard let facts = folder.status(of: name) else { return nil }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      return calls.failure(.erase) { name.withCName { unlinkat(folder.descriptor, $0, 0) } }
    }
    do throws(Errno) {
      // What is mounted there is not in the trash.
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
