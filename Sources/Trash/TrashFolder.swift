import AssetLibrary
import CPlatform
import System
import SystemPackage

/// An open trash: its folder `files` contains the files, and `info` a note for each of them.
struct TrashFolder: Sendable {
  /// Why a volume has no trash.
  enum Refusal: Error {
    /// The folder is a symbolic link, not a folder, owned by another user, or lacks the required sticky bit.
    case untrusted(FilePath)
    case failed(Errno)

    /// Creates the reason why a folder of a trash could not be opened.
    init(opening trash: FilePath, _ error: Errno) {
      self =
        error == .notDirectory || error == .tooManySymbolicLinkLevels ? .untrusted(trash) : .failed(error)
    }
  }

  /// The path of the trash.
  let path: FilePath
  /// The folder to which relative paths in its notes are relative.
  let base: FilePath
  /// Whether it is the trash in the user's home, whose notes contain absolute paths.
  let isHome: Bool
  let files: HeldFolder
  private let notes: HeldFolder
  /// Device and inode number, which identify the folder under any path.
  let number: [UInt64]
  private let calls: TrashCalls

  private init(
    _ path: FilePath, base: FilePath, isHome: Bool, _ folder: HeldFolder, makes: Bool, _ calls: TrashCalls
  ) throws(Refusal) {
    (self.path, self.base, self.isHome, self.calls) = (path, base, isHome, calls)
    let status = folder.status
    number = [UInt64(status.st_dev), UInt64(status.st_ino)]
    if makes {
      for name in ["files", "info"] { try Self.make(Array(name.utf8), in: folder, calls) }
    }
    do throws(Errno) {
      files = try HeldFolder(Array("files".utf8), in: folder)
      notes = try HeldFolder(Array("info".utf8), in: folder)
    } catch {
      throw Refusal(opening: path, error)
    }
  }

  private static func make(_ name: [UInt8], in folder: HeldFolder, _ calls: TrashCalls) throws(Refusal) {
    if folder.status(of: name) != nil { return }
    let failure = calls.failure(.makeFolder) { name.withCName { mkdirat(folder.descriptor, $0, 0o700) } }
    if let failure, failure != .fileExists { throw .failed(failure) }
  }

  /// Opens the trash in the user's home.
  /// - Parameter makes: whether to create what is missing.
  static func home(_ path: FilePath, makes: Bool, _ calls: TrashCalls) throws(Refusal) -> TrashFolder {
    let folder: HeldFolder
    do throws(Errno) {
      var status = stat()
      if makes, path.withPlatformString({ stat($0, &status) }) != 0 {
        var failure: Errno?
        let refused = calls.failure(.makeFolder) {
          do throws(Errno) { try PrivateFolder.make(path) } catch { failure = error }
          return 0
        }
        if let failure = refused ?? failure { throw failure }
      }
      folder = try HeldFolder(path)
    } catch {
      throw Refusal(opening: path, error)
    }
    return try TrashFolder(
      path, base: path.removingLastComponent(), isHome: true, folder, makes: makes, calls)
  }

  /// Opens this user's trash on a volume: inside `.Trash`, which an administrator has created for all users,
  /// otherwise `.Trash-<uid>`.
  static func volume(_ top: FilePath, makes: Bool, _ calls: TrashCalls) throws(Refusal) -> TrashFolder {
    if let shared = try? volume(top, isShared: true, makes: makes, calls) { return shared }
    return try volume(top, isShared: false, makes: makes, calls)
  }

  /// Opens one of the two trashes that a user can have on a volume.
  /// - Parameters:
  ///   - isShared: whether to open the one inside `.Trash`, which must have the sticky bit.
  ///   - makes: whether to create what is missing, except `.Trash`.
  static func volume(
    _ top: FilePath, isShared: Bool, makes: Bool, _ calls: TrashCalls
  ) throws(Refusal) -> TrashFolder {
    let user = geteuid()
    let names = isShared ? [".Trash", "\(user)"] : [".Trash-\(user)"]
    let path = names.reduce(top) { $0.appending($1) }
    let name = Array((names.last ?? "").utf8)
    var folder = try open(path) { () throws(Errno) in try HeldFolder(top) }
    if isShared {
      let own = folder
      folder = try open(path) { () throws(Errno) in try HeldFolder(Array(".Trash".utf8), in: own) }
      guard folder.status.st_mode & S_ISVTX != 0 else { throw .untrusted(top.appending(".Trash")) }
    }
    if makes { try make(name, in: folder, calls) }
    let around = folder
    folder = try open(path) { () throws(Errno) in try HeldFolder(name, in: around) }
    guard folder.status.st_uid == user else { throw .untrusted(path) }
    return try TrashFolder(path, base: top, isHome: false, folder, makes: makes, calls)
  }

  private static func open(
    _ trash: FilePath, _ folder: () throws(Errno) -> HeldFolder
  ) throws(Refusal) -> HeldFolder {
    do throws(Errno) { return try folder() } catch { throw Refusal(opening: trash, error) }
  }

  /// Returns the form of a file's path in a note: absolute in the home trash, otherwise relative to `base`.
  func notedPath(_ path: FilePath) -> [UInt8] {
    if isHome { return path.bytes }
    let base = base.bytes
    return Array(path.bytes.dropFirst(base.last == UInt8(ascii: "/") ? base.count : base.count + 1))
  }

  /// Returns the original path from a note; nil for a path that this trash must not contain.
  func original(_ note: TrashNote) -> FilePath? {
    guard note.path.first == UInt8(ascii: "/") else {
      return FilePath(bytes: base.bytes + [UInt8(ascii: "/")] + note.path)
    }
    // Notes on a foreign disk must not place files outside of that disk.
    return isHome ? FilePath(bytes: note.path) : nil
  }

  /// Writes a note for a file, under a name that is still free in the trash.
  /// - Parameters:
  ///   - wanted: the original name of the file.
  ///   - isFlushed: whether the note is flushed to disk; otherwise call `flushNotes` before the file is moved.
  /// - Returns: the name for the file in the trash.
  func addNote(_ note: TrashNote, for wanted: [UInt8], isFlushed: Bool = true) throws(Errno) -> [UInt8] {
    var number = 1
    while true {
      let name = TrashName.name(wanted, number)
      // Looked up first: writing a note only to find its name taken would flush each attempt to disk.
      if files.status(of: name) == nil, notes.status(of: name + TrashNote.suffix) == nil,
        try write(note, for: name, isFlushed)
      {
        return name
      }
      // Random after the first 20: with a thousand files of one name, trying every number would be slow.
      number = number < 20 ? number + 1 : Int.random(in: 20...Int(Int32.max))
    }
  }

  /// Writes a note atomically: without a name first, so that other programs never see an incomplete one.
  /// - Returns: false if a note with that name exists.
  private func write(
    _ note: TrashNote, for name: [UInt8], _ isFlushed: Bool
  ) throws(Errno) -> Bool {
    let noteName = name + TrashNote.suffix
    let unnamed = file_open_unnamed(notes.descriptor, 0o600)
    guard unnamed >= 0 else { return try writeNamed(note, noteName, isFlushed) }
    defer { close(unnamed) }
    if let failure = fill(unnamed, note, isFlushed) { throw failure }
    let failure = calls.failure(.nameNote) {
      noteName.withCName { file_name_unnamed(unnamed, notes.descriptor, $0) }
    }
    if let failure, failure != .fileExists {
      // The file system may lack the call that names an unnamed file.
      if file_lacks_call(failure.rawValue) != 0 {
        return try writeNamed(note, noteName, isFlushed)
      }
      throw failure
    }
    return failure == nil
  }

  /// Writes a note on a file system without unnamed files.
  private func writeNamed(
    _ note: TrashNote, _ noteName: [UInt8], _ isFlushed: Bool
  ) throws(Errno) -> Bool {
    let file: Int32
    do throws(Errno) {
      file = try calls.descriptor(.nameNote) {
        noteName.withCName {
          openat(notes.descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
      }
    } catch {
      if error == .fileExists { return false }
      throw error
    }
    defer { close(file) }
    guard let failure = fill(file, note, isFlushed) else { return true }
    _ = calls.failure(.removeNote) { noteName.withCName { unlinkat(notes.descriptor, $0, 0) } }
    throw failure
  }

  private func fill(_ file: Int32, _ note: TrashNote, _ isFlushed: Bool) -> Errno? {
    var failure: Errno?
    let refused = calls.failure(.writeNote) {
      failure = PrivateFile.write(note.bytes, to: file)
      return 0
    }
    if let failure = refused ?? failure { return failure }
    return isFlushed ? calls.failure(.synchronize) { fsync(file) } : nil
  }

  /// Removes the note of a file that is no longer in the trash.
  @discardableResult
  func removeNote(of name: [UInt8]) -> Errno? {
    calls.failure(.removeNote) {
      (name + TrashNote.suffix).withCName { unlinkat(notes.descriptor, $0, 0) }
    }
  }

  /// Returns the note of a file; nil if there is none or it is unreadable.
  func note(of name: [UInt8]) -> TrashNote? {
    let file = (name + TrashNote.suffix).withCName {
      openat(notes.descriptor, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= TrashNote.longest
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: TrashNote.longest)
    var count = 0
    while count < bytes.count {
      let found = bytes.withUnsafeMutableBytes { buffer in
        read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if found < 0, errno == EINTR { continue }
      if found <= 0 { break }
      count += found
    }
    return TrashNote(Array(bytes[..<count]))
  }

  /// Returns the names of the files that exist and have a note.
  func names() -> [[UInt8]] {
    let names = (try? notes.names()) ?? []
    return names.filter {
      $0.count > TrashNote.suffix.count && $0.suffix(TrashNote.suffix.count) == TrashNote.suffix[...]
    }
    .map { Array($0.dropLast(TrashNote.suffix.count)) }.filter { files.status(of: $0) != nil }
  }

  /// The folders' identities and times of change, and the later of these times in nanoseconds since 1970, UTC.
  var stamp: (value: [UInt64], changed: Int64) {
    var value = number
    var changed: Int64 = 0
    for facts in [files.status, notes.status] {
      let time = Int64(facts.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_ctim.tv_nsec)
      value += [UInt64(facts.st_dev), UInt64(facts.st_ino), UInt64(bitPattern: time)]
      changed = max(changed, time)
    }
    return (value, changed)
  }

  /// Flushes the folder of notes to disk.
  func synchronizeNotes() { _ = calls.failure(.synchronize) { fsync(notes.descriptor) } }

  /// Flushes notes that `addNote` did not flush, and their folder, all at once if the file system can do that.
  /// - Parameter names: the names of their files in the trash.
  func flushNotes(of names: [[UInt8]]) throws(Errno) {
    guard let failure = flushFileSystem() else { return }
    if failure != Errno(rawValue: EOPNOTSUPP), failure != Errno(rawValue: ENOSYS) { throw failure }
    for name in names {
      let file = (name + TrashNote.suffix).withCName {
        openat(notes.descriptor, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      }
      guard file >= 0 else { throw Errno(rawValue: errno) }
      defer { close(file) }
      if let failure = calls.failure(.synchronize, { fsync(file) }) { throw failure }
    }
    synchronizeNotes()
  }

  /// Flushes the whole file system of the trash to disk.
  ///
  /// All files that are moved into the trash or out of it are on this file system.
  /// - Returns: the error; nil on success. EOPNOTSUPP or ENOSYS if only files and folders can be flushed.
  func flushFileSystem() -> Errno? {
    calls.failure(.synchronize) { file_system_flush(notes.descriptor) }
  }

  /// Flushes the folder of files to disk.
  func synchronizeFiles() { _ = calls.failure(.synchronize) { fsync(files.descriptor) } }
}

/// The names of files in a trash.
private enum TrashName {
  /// The maximum length of a file name in bytes.
  private static let longest = 255

  /// Returns the name for the `number`th file called `wanted`, counted from 1, as `a.jpg`, `a.2.jpg`.
  ///
  /// A long name is shortened, so that its note's name with the suffix still fits.
  static func name(_ wanted: [UInt8], _ number: Int) -> [UInt8] {
    let room = longest - TrashNote.suffix.count
    let mark = number == 1 ? [] : Array(".\(number)".utf8)
    // A leading dot starts no extension, nor does one more than 16 bytes before the end.
    let dot = wanted.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 && wanted.count - $0 <= 16 ? $0 : nil }
    let ending = Array(wanted[(dot ?? wanted.count)...])
    return Array(wanted[..<(dot ?? wanted.count)].prefix(room - mark.count - ending.count)) + mark + ending
  }
}
