import AssetLibrary
import FolderLibrary

/// The amount of messages about skipped files on standard error.
///
/// Errors that end the program are always printed.
enum Verbosity {
  case quiet, normal, verbose

  /// - Throws: `Failure` if both options are given.
  init(isQuiet: Bool, isVerbose: Bool) throws(Failure) {
    if isQuiet, isVerbose { throw .usage("--quiet and --verbose: can't be used together") }
    self = isQuiet ? .quiet : isVerbose ? .verbose : .normal
  }

  /// The maximum number of files named per reason; if more were skipped, only their number is printed.
  var mostNamed: Int {
    switch self {
    case .quiet: 0
    case .normal: 3
    case .verbose: .max
    }
  }

  /// Warns about files and folders that were skipped.
  func report(_ issues: [AssetError]) {
    var tally = IssueTally(namesKept: mostNamed)
    for issue in issues { tally.add(issue) }
    report(tally)
  }

  /// Warns about skipped files, in the order in which the reasons occurred.
  /// - Parameter tally: must keep as many names as are printed.
  func report(_ tally: IssueTally) {
    for line in lines(for: tally) { Messages.warn(line) }
  }

  private func lines(for tally: IssueTally) -> [String] {
    let counts = tally.counts
    var told: Set<String> = []
    return tally.issues.compactMap { issue in
      let count = counts[issue.reason] ?? 0
      if count <= mostNamed { return issue.description }
      return told.insert(issue.reason).inserted
        ? "\(Wording.count(count, "file")): \(issue.reason) (--verbose names them)" : nil
    }
  }
}
