import System
package import SystemPackage

/// Makes the system calls that change a trash; tests can let each kind of call fail.
package struct TrashCalls: Sendable {
  /// The purpose of a call.
  package enum Step: Hashable, Sendable, CaseIterable {
    case makeFolder
    /// Writes the content of a note.
    case writeNote
    case nameNote
    case removeNote
    /// Moves a file to the trash or back.
    case move
    case erase
    /// Flushes a file or folder to disk, so that the changes survive a crash of the system.
    case synchronize
  }

  private let refusal: @Sendable (Step) -> Errno?

  /// - Parameter refusal: called before each call; an error that it returns replaces the call.
  package init(refusal: @escaping @Sendable (Step) -> Errno? = { _ in nil }) { self.refusal = refusal }

  /// Makes a call that returns -1 and sets `errno` on failure.
  /// - Returns: the error; nil on success.
  func failure(_ step: Step, _ call: () -> Int32) -> Errno? {
    if let refused = refusal(step) { return refused }
    return call() < 0 ? Errno(rawValue: errno) : nil
  }

  /// Makes a call that returns a descriptor, or -1 and sets `errno`.
  func descriptor(_ step: Step, _ call: () -> Int32) throws(Errno) -> Int32 {
    if let refused = refusal(step) { throw refused }
    let descriptor = call()
    if descriptor < 0 { throw Errno(rawValue: errno) }
    return descriptor
  }
}

/// An open folder; closed with the last reference.
final class HeldFolder: Sendable {
  let descriptor: Int32

  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Opens a folder by its path.
  convenience init(_ path: FilePath) throws(Errno) {
    self.init(owning: try Self.checked(path.withPlatformString { open($0, Self.flags) }))
  }

  /// Opens a folder inside an open one; fails for a symbolic link.
  convenience init(_ name: [UInt8], in folder: borrowing HeldFolder) throws(Errno) {
    let descriptor = folder.descriptor
    self.init(
      owning: try Self.checked(name.withCName { openat(descriptor, $0, Self.flags | O_NOFOLLOW) }))
  }

  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  private static func checked(_ descriptor: Int32) throws(Errno) -> Int32 {
    if descriptor < 0 { throw Errno(rawValue: errno) }
    return descriptor
  }

  /// The status of the folder (fstat(2)).
  var status: stat {
    var status = stat()
    fstat(descriptor, &status)
    return status
  }

  /// Returns the status of an entry, for a symbolic link that of the link; nil if there is no such entry.
  func status(of name: [UInt8]) -> stat? {
    var status = stat()
    return name.withCName { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0 ? status : nil
  }

  /// Returns the names of the entries, without `.` and `..`.
  func names() throws(Errno) -> [[UInt8]] {
    // Opened again, because closedir(3) also closes the stream's descriptor.
    let own = ".".withCString { openat(descriptor, $0, Self.flags) }
    guard own >= 0, let stream = fdopendir(own) else {
      let failure = Errno(rawValue: errno)
      if own >= 0 { close(own) }
      throw failure
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }
}

/// Folders from and into which files are moved, of which a bounded number is open at once.
///
/// A call may concern more folders than a process may open files.
struct HeldFolders {
  /// A folder that has been opened once, recognized when it is opened again.
  struct Place: Hashable, Sendable {
    let path: FilePath
    fileprivate let device: UInt64
    fileprivate let inode: UInt64
  }

  /// The folders by the paths under which they were added.
  private(set) var places: [FilePath: Place] = [:]
  private var open: [Place: HeldFolder] = [:]

  /// The number of folders that are open at once.
  private static let mostOpen = 64

  /// Adds an open folder.
  /// - Parameters:
  ///   - path: its path.
  ///   - name: the path by which the caller finds it again.
  mutating func add(_ folder: HeldFolder, at path: FilePath, as name: FilePath) -> Place {
    let status = folder.status
    let place = Place(path: path, device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    places[name] = place
    keep(folder, at: place)
    return place
  }

  /// Returns an added folder, and opens it again if necessary.
  /// - Throws: an error also if another folder is at its path now.
  mutating func folder(at place: Place) throws(Errno) -> HeldFolder {
    if let folder = open[place] { return folder }
    let folder = try HeldFolder(place.path)
    let status = folder.status
    guard UInt64(status.st_dev) == place.device, UInt64(status.st_ino) == place.inode else {
      throw .noSuchFileOrDirectory
    }
    keep(folder, at: place)
    return folder
  }

  private mutating func keep(_ folder: HeldFolder, at place: Place) {
    if open.count >= Self.mostOpen { open = [:] }
    open[place] = folder
  }
}

extension [UInt8] {
  /// Calls `body` with the name as a C string.
  func withCName<Answer>(_ body: (UnsafePointer<CChar>) -> Answer) -> Answer {
    (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
      // Never empty: it contains at least the terminating NUL.
      body(name.baseAddress.unsafelyUnwrapped)
    }
  }
}
