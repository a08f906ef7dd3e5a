import AssetLibrary
import FolderLibrary
import PhotoPicker
import Sandbox
import SystemPackage
import System

/// The folder of `--writable`, which must not expose what the sandbox hides from the command.
struct WritableFolder {
  /// Its full path.
  let path: [UInt8]
  /// Its identity when it was checked.
  let bound: SandboxLauncher.Bound
  private let word: String

  /// O_PATH, which Swift's import of the C library lacks.
  private static let O_PATH_ONLY: Int32 = 0o10000000

  /// System folders, which hold sockets of the session, processes and settings rather than files of the user.
  private static let system = [
    "/proc", "/sys", "/dev", "/run", "/var/run", "/etc", "/usr", "/boot", "/tmp", "/var/tmp",
  ]

  /// - Parameter sources: the sources of the photos.
  /// - Throws: `Failure` if it is on a server or not a folder, or if it would expose a source, a folder of tpick, or a system folder.
  init(_ word: String, sources: [FilePath]) throws(Failure) {
    self.word = word
    let given = try RemoteWord.writtenPath(word, of: "--writable")
    guard MountProbes.shared.answers(given) else {
      throw .error("--writable: \(Wording.name(word)): does not answer")
    }
    var facts = stat()
    let opened = given.withPlatformString { open($0, Self.O_PATH_ONLY | O_CLOEXEC) }
    defer { if opened >= 0 { close(opened) } }
    guard opened >= 0, fstat(opened, &facts) == 0 else {
      throw .error("--writable: \(Wording.name(word)): \(Errno(rawValue: errno))")
    }
    // Uses the path of the open folder, because another one may have its name by now.
    guard facts.st_mode & S_IFMT == S_IFDIR,
      let resolved = FilePath("/proc/self/fd/\(opened)").resolved
    else { throw .error("--writable: \(Wording.name(word)): is not a folder") }
    path = resolved.bytes
    bound = SandboxLauncher.Bound(facts, at: Array(SandboxPlace.results.utf8))
    var ownFolders = [
      UserDirectories.cache, UserDirectories.state, UserDirectories.data, UserDirectories.configuration,
      UserDirectories.thumbnails,
    ]
    if let runtime = UserDirectories.environment("XDG_RUNTIME_DIR"), runtime.isAbsolute {
      ownFolders.append(runtime)
    }
    for place in ownFolders where holds(Self.place(of: place)) || lies(in: Self.place(of: place)) {
      throw refusal("the command would see what tpick keeps in", place.bytes)
    }
    for place in Self.system {
      // The user's folders below a temporary one are allowed.
      let isTemporary = place.hasSuffix("/tmp")
      if holds(Array(place.utf8)) || !isTemporary && lies(in: Array(place.utf8)) {
        throw refusal("the command would see what the machine keeps in", Array(place.utf8))
      }
    }
    for source in sources {
      let full = Self.place(of: source)
      if holds(full) { throw refusal("the command would see all of", source.bytes) }
      if lies(in: full), !Self.isEmpty(path) {
        throw refusal("it is among the photos and not empty:", source.bytes)
      }
    }
  }

  /// - Throws: `Failure` if one of the photos is in the folder under any name, because the command would see its
  ///   neighbors.
  func check(_ photos: some Collection<[UInt8]>) throws(Failure) {
    for photo in photos where holds(photo) || holds(Self.place(of: FilePath(bytes: photo))) {
      throw refusal("the command would see the files beside", photo)
    }
  }

  private func refusal(_ reason: String, _ place: [UInt8]) -> Failure {
    .error("--writable: \(Wording.name(word)): \(reason) \(String(decoding: place, as: UTF8.self))")
  }

  /// Whether a path is this folder or below it.
  private func holds(_ other: [UInt8]) -> Bool { Self.contains(path, other) }

  private func lies(in other: [UInt8]) -> Bool { Self.contains(other, path) }

  private static func contains(_ folder: [UInt8], _ other: [UInt8]) -> Bool {
    folder == Array("/".utf8) || other == folder || other.starts(with: folder + [UInt8(ascii: "/")])
  }

  /// The resolved path; of a path that does not exist, the existing part is resolved.
  private static func place(of path: FilePath) -> [UInt8] {
    var (existing, rest) = (path.isAbsolute ? path : FilePath(".").pushing(path), [FilePath.Component]())
    while existing.resolved == nil, let last = existing.lastComponent {
      rest.insert(last, at: 0)
      existing = existing.removingLastComponent()
    }
    var full = existing.resolved ?? existing
    for component in rest { full.append(component) }
    return full.bytes
  }

  private static func isEmpty(_ path: [UInt8]) -> Bool { SandboxStage.entries(of: path).isEmpty }
}
