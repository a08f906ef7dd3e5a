import CPlatform
import Export
import Sandbox
import SystemPackage
import System

/// The photos in the sandbox, by their names there.
struct GrantedPhotos {
  private let stage: SandboxStage
  /// The names of granted files, by their paths outside.
  private var names: [[UInt8]: [UInt8]] = [:]
  private var taken: Set<[UInt8]> = []
  /// The next number for files of the same name.
  private var numbers: [[UInt8]: Int] = [:]
  /// All names, in the order in which they were granted.
  private(set) var all: [[UInt8]] = []
  /// Files that are bound over empty ones when the sandbox is made.
  private(set) var bindings: [SandboxView.Binding] = []
  /// The identities of these files when they were checked.
  private(set) var bound: [SandboxLauncher.Bound] = []

  init(_ stage: SandboxStage) { self.stage = stage }

  /// The paths inside the sandbox.
  var paths: [[UInt8]] { all.map(Self.path) }

  static func path(_ name: [UInt8]) -> [UInt8] { Array("\(SandboxPlace.photos)/".utf8) + name }

  /// The files outside that were granted, in place or as copies.
  var originals: some Collection<[UInt8]> { names.keys }

  /// The path inside of a file that was already granted; nil for others.
  func path(ofOriginal original: [UInt8]) -> [UInt8]? { names[original].map(Self.path) }

  /// Whether a file can be bound in place: processes of root in a sandbox have no more rights than the file gives, and
  /// a file with several names could be written through another one.
  static func canBeBound(_ original: [UInt8]) -> Bool {
    var facts = stat()
    guard SandboxStage.call(original, { stat($0, &facts) }) == 0 else { return true }
    return canBeBound(facts)
  }

  private static func canBeBound(_ facts: stat) -> Bool {
    if facts.st_nlink > 1 { return false }
    guard geteuid() == 0 else { return true }
    return facts.st_uid == 0 || facts.st_mode & S_IROTH != 0
  }

  /// Adds files in place, before the sandbox is made: their blocks are shared if the file system supports that, else
  /// they are bound.
  /// - Throws: `Failure` if a file is missing, or if more must be bound than bubblewrap accepts.
  mutating func addOriginals(_ originals: [[UInt8]]) throws(Failure) {
    for original in originals where names[original] == nil {
      let name = freeName(for: original)
      let source = SandboxStage.call(original) { open($0, O_RDONLY | O_CLOEXEC) }
      guard source >= 0 else { throw SandboxStage.failure(original) }
      defer { close(source) }
      let place = stage.photos + [UInt8(ascii: "/")] + name
      let file = SandboxStage.call(place) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
      guard file >= 0 else { throw SandboxStage.failure(place) }
      defer { close(file) }
      var facts = stat()
      guard fstat(source, &facts) == 0 else { throw SandboxStage.failure(original) }
      if file_clone(source, file) == 0 {
        _ = futimens(file, [facts.st_atim, facts.st_mtim])
      } else {
        guard facts.st_mode & S_IFMT == S_IFREG, Self.canBeBound(facts) else {
          throw .error("run: \(String(decoding: original, as: UTF8.self)): changed in the meantime")
        }
        bindings.append(SandboxView.Binding(original, at: Self.path(name)))
        bound.append(SandboxLauncher.Bound(facts, at: Self.path(name)))
      }
      note(name, of: original)
    }
    guard bindings.count <= SandboxView.maximumGranted else {
      throw .error(
        "run: \(bindings.count) photos are too many for a sandbox on this file system: "
          + "pick at most \(SandboxView.maximumGranted), or use copies (--strip location)")
    }
  }

  /// Adds files made in the incoming folder of the stage; they appear atomically.
  /// - Parameter originals: the files they were made from, in the same number, or unknown.
  mutating func addMade(_ files: [[UInt8]], of originals: [[UInt8]]) throws(Failure) -> [[UInt8]] {
    var paths: [[UInt8]] = []
    for (index, file) in files.enumerated() {
      let name = freeName(for: file)
      let place = stage.photos + [UInt8(ascii: "/")] + name
      let linked = SandboxStage.call(file) { from in SandboxStage.call(place) { link(from, $0) } }
      guard linked == 0 else { throw SandboxStage.failure(place) }
      _ = SandboxStage.call(file) { unlink($0) }
      note(name, of: files.count == originals.count ? originals[index] : nil)
      paths.append(Self.path(name))
    }
    return paths
  }

  private mutating func note(_ name: [UInt8], of original: [UInt8]?) {
    if let original { names[original] = name }
    all.append(name)
  }

  private mutating func freeName(for path: [UInt8]) -> [UInt8] {
    let last = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
    let cleaned = GrantedName.cleaned(last)
    var number = numbers[cleaned] ?? 1
    while true {
      let name = ExportName(cleaned).bytes(number: number)
      number += 1
      guard taken.insert(name).inserted else { continue }
      numbers[cleaned] = number
      return name
    }
  }
}
