import AssetLibrary

/// How much is told on standard error of what was skipped.
///
/// Errors that end the program are always told.
enum Verbosity {
  case quiet, normal, verbose

  /// - Throws: `Failure` if both options are given.
  init(isQuiet: Bool, isVerbose: Bool) throws(Failure) {
    if isQuiet, isVerbose { throw .usage("--quiet and --verbose: one or the other") }
    self = isQuiet ? .quiet : isVerbose ? .verbose : .normal
  }

  /// So many files are named that were skipped for one reason; of more only the number is told.
  private static let mostNamed = 3

  /// Warns about files and folders that were skipped.
  func report(_ issues: [AssetError]) {
    for line in lines(for: issues) { Messages.warn(line) }
  }

  /// The warnings about files and folders, in the order in which their reasons came up.
  func lines(for issues: [AssetError]) -> [String] {
    if self == .quiet { return [] }
    if self == .verbose { return issues.map(\.description) }
    var counts: [String: Int] = [:]
    for issue in issues { counts[issue.reason, default: 0] += 1 }
    var told: Set<String> = []
    return issues.compactMap { issue in
      let count = counts[issue.reason] ?? 0
      if count <= Self.mostNamed { return issue.description }
      return told.insert(issue.reason).inserted
        ? "\(count) files: \(issue.reason) (--verbose names them)" : nil
    }
  }
}
