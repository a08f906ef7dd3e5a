import CPlatform
import Synchronization
import System

/// The helper programs and how they are found.
package enum HelperProgram: String, Sendable {
  /// Reads formats that need heavy libraries.
  case codecs = "tpick-codecs"
  /// Decodes pictures of light formats and reads metadata.
  case reader = "tpick-reader"

  /// The environment variable that overrides the path.
  private var variable: String {
    switch self {
    case .codecs: "TPICK_CODECS"
    case .reader: "TPICK_READER"
    }
  }

  /// First argument that makes the helper confine itself and then execute another program, whose path and arguments
  /// follow.
  package static let launching = "--confine"
  /// Like `launching`, but executes the program unconfined if the kernel cannot confine it; used if the
  /// user's configuration allows that.
  package static let launchingAnyway = "--confine-if-possible"
  /// Exit status of a helper that refuses to execute a program unconfined.
  package static let unconfinedStatus: Int32 = 125
  /// First argument that turns confinement off, so that tests can see how tpick reacts.
  package static let unconfined = "--unconfined"
  /// Address space limit of a helper, in bytes.
  package static let memory: UInt64 = 4 << 30

  /// The environment variable that names the folder of all helpers.
  package static let folderVariable = "TPICK_HELPERS"

  /// Returns the path of the helper.
  ///
  /// It is the path that the helper's own variable names; otherwise the helper in the folder that `TPICK_HELPERS`
  /// names; otherwise the first one that exists beside the running program, at `../libexec/tpick` relative to it, or
  /// in a build folder.
  /// - Returns: nil if there is no executable.
  package func find() -> String? {
    if let named = Self.environment(variable) { return ProcessEnvironment.isProgram(named) ? named : nil }
    if let folder = Self.environment(Self.folderVariable) {
      let path = "\(folder)/\(rawValue)"
      return ProcessEnvironment.isProgram(path) ? path : nil
    }
    guard let folder = Self.folderOfThisProgram() else { return nil }
    let built = Self.buildFolders(of: folder, package: Self.package).filter(Self.isSafe)
    let folders = ["\(folder)", "\(folder)/../libexec/tpick"] + built
    return folders.lazy.map { "\($0)/\(rawValue)" }.first(where: ProcessEnvironment.isProgram)
  }

  /// The message for a helper that is missing or does not start, with a remedy.
  /// - Parameter path: the path that the program gave for the helper; nil if it was searched for.
  package func missingMessage(at path: String? = nil) -> String {
    if let path {
      return ProcessEnvironment.isProgram(path)
        ? "\(path) does not start as \(rawValue)" : "'\(path)' is not a program: name \(rawValue)"
    }
    if let named = Self.environment(variable) {
      return ProcessEnvironment.isProgram(named)
        ? "\(named), named by \(variable), does not start as \(rawValue)"
        : "\(variable) names '\(named)', which is not a program: unset it, or name \(rawValue)"
    }
    if find() != nil { return "\(rawValue) does not start: reinstall tpick with all of its programs" }
    if let folder = Self.environment(Self.folderVariable) {
      return "\(rawValue) is not in '\(folder)', which \(Self.folderVariable) names"
    }
    // Only a program of another package is in a build folder without the helpers.
    return Self.folderOfThisProgram().map(Self.isBuildFolder) ?? false
      ? "\(rawValue) not found: run `swift build --product \(rawValue)`, or set \(Self.folderVariable) to its folder"
      : "\(rawValue) not found: reinstall tpick with all of its programs"
  }

  /// The message for a helper that is missing or does not start, with a remedy.
  package var missingMessage: String { missingMessage() }

  /// Whether there is a program to start.
  /// - Parameter path: the path that the program gave for the helper; nil searches for it.
  package func exists(at path: String? = nil) -> Bool {
    path.map(ProcessEnvironment.isProgram) ?? (find() != nil)
  }

  /// Returns the value of an environment variable; nil if it is not set, or if the program has more rights than the
  /// user who set it (setuid).
  private static func environment(_ name: String) -> String? {
    guard getuid() == geteuid(), getgid() == getegid() else { return nil }
    return getenv(name).map { String(cString: $0) }
  }

  /// Whether only this user or root can put programs into a folder that was not installed.
  ///
  /// A build folder in /tmp could have got a neighbor from someone else.
  static func isSafe(_ folder: String) -> Bool {
    var facts = stat()
    return stat(folder, &facts) == 0 && (facts.st_uid == geteuid() || facts.st_uid == 0)
      && facts.st_mode & S_IWOTH == 0
  }

  /// The folder of this package's sources on the machine that built the program.
  ///
  /// Only in debug builds: an installed program must not run what is in a folder that its builder had.
  private static var package: String? {
    #if DEBUG
      // Sources/CodecProtocol/Client/HelperProgram.swift
      return #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/\($1)" }
    #else
      return nil
    #endif
  }

  /// Whether SwiftPM builds programs into this folder.
  private static func isBuildFolder(_ folder: String) -> Bool {
    !buildFolders(of: folder, package: nil).isEmpty
  }

  /// Returns the folders that may hold the helpers of a program that was built but not installed.
  ///
  /// These are the build folder of the program, in other configurations, and the one of this package, which differs
  /// if the program belongs to another package.
  /// - Parameters:
  ///   - folder: the program's folder.
  ///   - package: the folder of this package; nil if unknown.
  static func buildFolders(of folder: String, package: String?) -> [String] {
    // SwiftPM builds into SCRATCH/TRIPLE/CONFIGURATION; SCRATCH/CONFIGURATION is a link to it.
    let configurations = ["release", "debug"]
    let parts = folder.split(separator: "/")
    var folders: [String] = []
    if let last = parts.last, configurations.contains(String(last)) {
      let triple = parts.dropLast().reduce(into: "") { $0 += "/\($1)" }
      folders += configurations.filter { $0 != last }.map { "\(triple)/\($0)" }
    }
    guard let package else { return folders }
    let scratch = "\(package)/.build"
    let triple = parts.dropLast().last.map { "\(scratch)/\($0)" }
    return folders
      + ([scratch] + (triple.map { [$0] } ?? [])).flatMap { root in configurations.map { "\(root)/\($0)" } }
  }

  private static func folderOfThisProgram() -> String? {
    // If /proc is not mounted, fall back to the path with which the program was started.
    guard let resolved = realpath("/proc/self/exe", nil) ?? process_program().flatMap({ realpath($0, nil) })
    else { return nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}

/// The confinement in force in a helper, reported in its greeting before it is given a file.
package struct HelperConfinement: Hashable, Sendable {
  /// Whether a system call filter is installed (seccomp(2)).
  package var hasFilter: Bool
  /// ABI version of Landlock, which denies files, ports and other processes (landlock(7)); 0 means none.
  package var landlock: Int32

  package init(hasFilter: Bool, landlock: Int32) {
    self.hasFilter = hasFilter
    self.landlock = landlock
  }

  /// Whether the helper may be given files.
  ///
  /// Landlock is not required, because the filter alone keeps a compromised helper from everything but its
  /// own memory and descriptors.
  package var isConfined: Bool { hasFilter }
}

extension HelperConfinement {
  /// A description for reports.
  package var words: String {
    guard hasFilter || landlock > 0 else { return "not confined" }
    return (hasFilter ? "seccomp" : "no seccomp") + ", "
      + (landlock > 0 ? "Landlock \(landlock)" : "no Landlock")
  }

  func write(to wire: inout WireWriter) {
    wire.put(hasFilter)
    wire.put(landlock)
  }

  init(from wire: inout WireReader) throws(WireError) {
    hasFilter = try wire.bool()
    landlock = try wire.integer()
  }
}

/// Whether files may be given to helpers that the kernel does not confine.
///
/// One setting for the process, as the user's configuration is: every place that starts a helper honors it.
package enum ConfinementPolicy {
  private static let isRelaxed = Atomic(false)

  /// Whether helpers and converters may run unconfined; false unless the user's configuration allows it.
  package static var allowsUnconfined: Bool {
    get { isRelaxed.load(ordering: .relaxed) }
    set { isRelaxed.store(newValue, ordering: .relaxed) }
  }

  /// The configuration setting that allows it, as messages name it.
  package static let setting = "unconfined-decoding = true"
}
