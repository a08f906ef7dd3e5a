import CPlatform
import Synchronization
import System

/// The helpers, and where they are.
package enum HelperProgram: String, Sendable {
  /// Reads what heavy libraries know.
  case codecs = "tpick-codecs"
  /// Makes pictures of light formats.
  case reader = "tpick-reader"

  /// The environment variable that names its path.
  private var variable: String {
    switch self {
    case .codecs: "TPICK_CODECS"
    case .reader: "TPICK_READER"
    }
  }

  /// The first argument with which the helper confines itself and becomes another program, whose path and arguments
  /// follow.
  package static let launching = "--confine"
  /// The same for users who allow it where the kernel can't confine.
  package static let launchingAnyway = "--confine-if-possible"
  /// The status with which the helper ends in place of becoming a program that would not be confined.
  package static let unconfinedStatus: Int32 = 125
  /// The argument, before all others, with which the helper gives up nothing: so that tests can see what tpick does then.
  package static let unconfined = "--unconfined"
  /// Addresses that a helper may have, in bytes.
  package static let memory: UInt64 = 4 << 30

  /// The path that the environment names; without one the helper beside the running program, else the one that
  /// an installation puts at `../libexec/tpick` seen from there.
  /// - Returns: nil where no program is.
  package func find() -> String? {
    if let named = getenv(variable) {
      let path = String(cString: named)
      return ProcessEnvironment.isProgram(path) ? path : nil
    }
    guard let folder = Self.folderOfThisProgram() else { return nil }
    return ["\(folder)/\(rawValue)", "\(folder)/../libexec/tpick/\(rawValue)"].first(
      where: ProcessEnvironment.isProgram)
  }

  /// What is said where it is not there, or does not start, and what helps.
  package var absence: String {
    if let named = getenv(variable) {
      let path = String(cString: named)
      return ProcessEnvironment.isProgram(path)
        ? "\(path), which \(variable) names, does not start as \(rawValue)"
        : "\(variable) names '\(path)', which is no program: unset it, or name \(rawValue)"
    }
    return find() == nil
      ? "\(rawValue) is not beside tpick: install tpick again, with all of its programs"
      : "\(rawValue) does not start: install tpick again, with all of its programs"
  }

  private static func folderOfThisProgram() -> String? {
    // Where nothing is mounted at /proc, the path with which the program was started.
    guard let resolved = realpath("/proc/self/exe", nil) ?? process_program().flatMap({ realpath($0, nil) })
    else { return nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}

/// What of its confinement is in force in a helper, as it says before it is given a file.
package struct HelperConfinement: Hashable, Sendable {
  /// Whether the kernel filters its system calls (seccomp(2)).
  package var hasFilter: Bool
  /// The version of Landlock that closes files, ports and other processes to it (landlock(7)); 0 = none.
  package var landlock: Int32

  package init(hasFilter: Bool, landlock: Int32) {
    self.hasFilter = hasFilter
    self.landlock = landlock
  }

  /// Whether it may be given files: the filter alone leaves a helper that was taken over nothing to reach for.
  package var isConfined: Bool { hasFilter }
}

extension HelperConfinement {
  /// Words for a report.
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
/// One for the process, as the user's configuration is: whoever starts a helper anywhere in it keeps to it.
package enum ConfinementPolicy {
  private static let isRelaxed = Atomic(false)

  /// Whether helpers and converters may work unconfined; false unless the user says so.
  package static var allowsUnconfined: Bool {
    get { isRelaxed.load(ordering: .relaxed) }
    set { isRelaxed.store(newValue, ordering: .relaxed) }
  }

  /// The setting of the configuration with which users allow it, as messages name it.
  package static let setting = "unconfined-decoding = true"
}
