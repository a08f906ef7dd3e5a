import SystemPackage

/// Asks a file or folder in the place of this process, which could not end while a call of its own hangs.
///
/// Used by one thread at a time, for one question after the other.
protocol Probe: Sendable {
  /// Asks about a path; called when the last question has its answer.
  /// - Returns: false where nobody can be asked.
  func ask(_ question: ProbeQuestion, about path: FilePath) -> Bool

  /// Waits for the answer to the last question.
  func wait(for time: Duration) -> ProbeOutcome
}

/// What is asked about a path.
enum ProbeQuestion {
  /// What there is.
  case status
  /// The names in a folder, or the first bytes of a file.
  case content
  /// How much room there is, of the file system itself: what is there may be known from memory.
  case room
}

/// What became of a question.
enum ProbeOutcome {
  case answered
  /// Not yet.
  case silent
  /// Who was asked has died.
  case gone
}
