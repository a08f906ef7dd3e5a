import AssetLibrary
import FolderLibrary
import PhotoPicker
import Sandbox
import SystemPackage
import System

/// The folder of `--writable`: one that shows nothing which the sandbox is to keep from the command.
struct WritableFolder {
  /// Its full path.
  let path: [UInt8]
  /// What was checked.
  let bound: SandboxLauncher.Bound
  private let word: String

  /// O_PATH, which is not in Swift's view of the C library.
  private static let O_PATH_ONLY: Int32 = 0o10000000

  /// What the machine keeps there is not files of the user: sockets of the session, processes, settings.
  private static let system = [
    "/proc", "/sys", "/dev", "/run", "/var/run", "/etc", "/usr", "/boot", "/tmp", "/var/tmp",
  ]

  /// - Parameter sources: where the photos come from.
  /// - Throws: `Failure` where it is no folder, or a source, a folder of tpick's or of the machine would be seen in it.
  init(_ word: String, sources: [FilePath]) throws(Failure) {
    self.word = word
    let given = PathArgument.path(word)
    guard MountProbes.shared.answers(given) else {
      throw .error("--writable: \(Wording.name(word)): does not answer")
    }
    var facts = stat()
    let opened = given.withPlatformString { open($0, Self.O_PATH_ONLY | O_CLOEXEC) }
    defer { if opened >= 0 { close(opened) } }
    guard opened >= 0, fstat(opened, &facts) == 0 else {
      throw .error("--writable: \(Wording.name(word)): \(Errno(rawValue: errno))")
    }
    // By where the open folder lies, and not by what has its name by now.
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
      // A folder of the user's below a temporary one is theirs.
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

  /// - Throws: `Failure` where one of these photos lies in it, by whatever name, whose neighbours the command would see.
  func check(_ photos: some Collection<[UInt8]>) throws(Failure) {
    for photo in photos where holds(photo) || holds(Self.place(of: FilePath(bytes: photo))) {
      throw refusal("the command would see the files beside", photo)
    }
  }

  private func refusal(_ reason: String, _ place: [UInt8]) -> Failure {
    .error("--writable: \(Wording.name(word)): \(reason) \(String(decoding: place, as: UTF8.self))")
  }

  /// Whether something is this folder, or lies in it or below.
  private func holds(_ other: [UInt8]) -> Bool { Self.contains(path, other) }

  private func lies(in other: [UInt8]) -> Bool { Self.contains(other, path) }

  private static func contains(_ folder: [UInt8], _ other: [UInt8]) -> Bool {
    folder == Array("/".utf8) || other == folder || other.starts(with: folder + [UInt8(ascii: "/")])
  }

  /// Where a path leads: of what is not there yet, the part that is there is followed.
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
