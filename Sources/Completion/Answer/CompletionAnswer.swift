/// What a shell is to offer for the word at the cursor.
package struct CompletionAnswer: Hashable, Sendable {
  /// What the shell completes itself.
  package enum ShellsOwn: Hashable, Sendable {
    case files, directories
    /// Files that end in one of these, and the folders on the way to them.
    case filesEnding([String])
    /// A command, of which so many words stand before the one at the cursor.
    case command(before: Int)
  }

  /// Values, without the prefix.
  package var candidates: [Candidate] = []
  /// What stands before the value in the word: `--sort=`, or nothing.
  package var prefix = ""
  /// What the shell adds to the candidates.
  package var own: ShellsOwn?
  /// Whether more is expected behind the only candidate, so that no blank follows.
  package var continues = false

  package init() {}

  init(_ candidates: [Candidate], continues: Bool = false) {
    self.candidates = candidates
    self.continues = continues
  }

  init(own: ShellsOwn) { self.own = own }
}
