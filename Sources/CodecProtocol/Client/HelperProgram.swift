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

  /// Returns the path named by the environment; otherwise the helper beside the running program, or the installed
  /// one at `../libexec/tpick` relative to it.
  /// - Returns: nil if there is no executable.
  package func find() -> String? {
    if let named = getenv(variable) {
      let path = String(cString: named)
      return ProcessEnvironment.isProgram(path) ? path : nil
    }
    guard let folder = Self.folderOfThisProgram() else { return nil }
    return ["\(folder)/\(rawValue)", "\(folder)/../libexec/tpick/\(rawValue)"].first(
      where: ProcessEnvironment.isProgram)
  }

  /// The message for a helper that is missing or does not start, with a remedy.
  package var missingMessage: String {
    if let named = getenv(variable) {
      let path = String(cString: named)
      return ProcessEnvironment.isProgram(path)
        ? "\(path), named by \(variable), does not start as \(rawValue)"
        : "\(variable) names '\(path)', which is not a program: unset it, or name \(rawValue)"
    }
    return find() == nil
      ? "\(rawValue) not found: reinstall tpick with all of its programs"
      : "\(rawValue) does not start: reinstall tpick with all of its programs"
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
