import AssetLibrary
import CPlatform
import System
import SystemPackage

/// A trash that is open: `files` with what was thrown away, `info` with a note for each.
struct TrashFolder: Sendable {
  /// Why a volume has no trash.
  enum Refusal: Error {
    /// What should be the trash is a link, no folder, or another user's.
    case untrusted(FilePath)
    case failed(Errno)

    /// Why a folder of a trash could not be opened.
    init(opening trash: FilePath, _ error: Errno) {
      self =
        error == .notDirectory || error == .tooManySymbolicLinkLevels ? .untrusted(trash) : .failed(error)
    }
  }

  /// Where it is.
  let path: FilePath
  /// The folder that paths of its notes count from.
  let base: FilePath
  /// Whether it is the one in the user's home, whose notes have absolute paths.
  let isHome: Bool
  let files: HeldFolder
  private let notes: HeldFolder
  /// Which folder it is, whatever its name.
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

  /// The trash in the user's home.
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

  /// The trash of this user on a volume: below the one that an administrator made for all, else one of its own.
  static func volume(_ top: FilePath, makes: Bool, _ calls: TrashCalls) throws(Refusal) -> TrashFolder {
    if let shared = try? volume(top, isShared: true, makes: makes, calls) { return shared }
    return try volume(top, isShared: false, makes: makes, calls)
  }

  /// One of the two trashes that a user may have on a volume.
  /// - Parameter isShared: whether it is the one in `.Trash`, which has to be a folder with the sticky bit.
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

  /// How the path of a file is written into a note.
  func notedPath(_ path: FilePath) -> [UInt8] {
    if isHome { return path.bytes }
    let base = base.bytes
    return Array(path.bytes.dropFirst(base.last == UInt8(ascii: "/") ? base.count : base.count + 1))
  }

  /// Where a file was, by its note; nil where the note may not say that.
  func original(_ note: TrashNote) -> FilePath? {
    guard note.path.first == UInt8(ascii: "/") else {
      return FilePath(bytes: base.bytes + [UInt8(ascii: "/")] + note.path)
    }
    // A disk that comes from elsewhere does not say what is put into other folders.
    return isHome ? FilePath(bytes: note.path) : nil
  }

  /// Writes a note under a name that neither a note nor a file of the trash has.
  /// - Parameter wanted: the name of the file.
  /// - Returns: the name that it has in the trash.
  func addNote(_ note: TrashNote, for wanted: [UInt8]) throws(Errno) -> [UInt8] {
    var number = 1
    while true {
      let name = TrashName.name(wanted, number)
      if files.status(of: name) == nil, try write(note, for: name) { return name }
      // What is thrown away a thousand times is not counted a thousand times.
      number = number < 20 ? number + 1 : Int.random(in: 20...Int(Int32.max))
    }
  }

  /// - Returns: false where there is a note of that name.
  private func write(_ note: TrashNote, for name: [UInt8]) throws(Errno) -> Bool {
    let noteName = name + TrashNote.suffix
    let unnamed = file_open_unnamed(notes.descriptor, 0o600)
    guard unnamed >= 0 else { return try writeNamed(note, noteName) }
    defer { close(unnamed) }
    if let failure = fill(unnamed, note) { throw failure }
    let failure = calls.failure(.nameNote) {
      noteName.withCName { file_name_unnamed(unnamed, notes.descriptor, $0) }
    }
    if let failure, failure != .fileExists {
      // It may be that the file system names nothing later.
      if file_lacks_call(failure.rawValue) != 0 { return try writeNamed(note, noteName) }
      throw failure
    }
    return failure == nil
  }

  /// The same where no file can be without a name.
  private func writeNamed(_ note: TrashNote, _ noteName: [UInt8]) throws(Errno) -> Bool {
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
    guard let failure = fill(file, note) else { return true }
    _ = calls.failure(.removeNote) { noteName.withCName { unlinkat(notes.descriptor, $0, 0) } }
    throw failure
  }

  private func fill(_ file: Int32, _ note: TrashNote) -> Errno? {
    var failure: Errno?
    let refused = calls.failure(.writeNote) {
      failure = PrivateFile.write(note.bytes, to: file)
      return 0
    }
    return refused ?? failure ?? calls.failure(.synchronize) { fsync(file) }
  }

  /// Removes the note of a file that is not in the trash any more.
  @discardableResult
  func removeNote(of name: [UInt8]) -> Errno? {
    calls.failure(.removeNote) {
      (name + TrashNote.suffix).withCName { unlinkat(notes.descriptor, $0, 0) }
    }
  }

  /// The note of a file; nil where there is none that can be read.
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

  /// The names of the files that have a note and are there.
  func names() -> [[UInt8]] {
    let names = (try? notes.names()) ?? []
    return names.filter {
      $0.count > TrashNote.suffix.count && $0.suffix(TrashNote.suffix.count) == TrashNote.suffix[...]
    }
    .map { Array($0.dropLast(TrashNote.suffix.count)) }.filter { files.status(of: $0) != nil }
  }

  /// Has the notes last.
  func synchronizeNotes() { _ = calls.failure(.synchronize) { fsync(notes.descriptor) } }

  /// Has the names of the files last.
  func synchronizeFiles() { _ = calls.failure(.synchronize) { fsync(files.descriptor) } }
}

/// The names that files have in a trash.
private enum TrashName {
  /// The longest name of a file.
  private static let longest = 255

  /// The name of the first, second, third file that was called so, with room for what the name of its note ends with.
  static func name(_ wanted: [UInt8], _ number: Int) -> [UInt8] {
    let room = longest - TrashNote.suffix.count
    let mark = number == 1 ? [] : Array(".\(number)".utf8)
    // A dot at the beginning begins no extension, and neither does one far from the end.
    let dot = wanted.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 && wanted.count - $0 <= 16 ? $0 : nil }
    let ending = Array(wanted[(dot ?? wanted.count)...])
    return Array(wanted[..<(dot ?? wanted.count)].prefix(room - mark.count - ending.count)) + mark + ending
  }
}
