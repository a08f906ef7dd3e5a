package import AssetLibrary

/// A key that runs a program of the caller's.
package struct ProgramKey: Hashable, Sendable {
  /// What becomes of the picker while the program runs.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The program has the terminal, and gives it back.
    case execute
    /// The program runs behind the picker, without the terminal.
    case executeSilently = "execute-silent"
    /// The program takes the picker's place.
    case become
  }

  package var key: Key
  package var kind: Kind
  /// Which of the caller's programs it is.
  package var index: Int
  /// What the help says of it.
  package var title: String
  /// Whether the program takes the asset under the cursor.
  package var needsCurrent: Bool
  /// Whether the program takes the picks.
  package var needsPicks: Bool

  package init(
    _ key: Key, _ kind: Kind, index: Int, title: String, needsCurrent: Bool, needsPicks: Bool
  ) {
    self.key = key
    self.kind = kind
    self.index = index
    self.title = title
    self.needsCurrent = needsCurrent
    self.needsPicks = needsPicks
  }
}

/// A program with what it is run on.
package struct ProgramRun: Hashable, Sendable {
  package var program: ProgramKey
  /// The asset under the cursor; nil where the program takes none.
  package var current: Asset?
  /// What is picked in the order of the results, or else the asset under the cursor; empty where the program takes none.
  package var picks: [Asset]

  package init(_ program: ProgramKey, current: Asset?, picks: [Asset]) {
    self.program = program
    self.current = current
    self.picks = picks
  }
}
