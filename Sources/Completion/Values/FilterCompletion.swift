import AssetLibrary

/// Completes filters inside their grammar (`PickerFilter.init(parsing:)`).
enum FilterCompletion {
  private static let functions = [
    Candidate("any(", "one of these"), Candidate("all(", "all of these"), Candidate("not(", "none of these"),
  ]

  private static let names = PickerFilter.Name.allCases.map { Candidate($0.rawValue) }

  /// What a filter can become.
  ///
  /// Where one name is left it is offered with each mark that may follow, and a function with all that can stand in it: shells
  /// close quotes behind the only candidate, and this one is to go on.
  static func candidates(_ text: String) -> [Candidate] {
    let start =
      text.lastIndex { ",(!)".contains($0) || $0.isWhitespace }.map { text.index(after: $0) }
      ?? text.startIndex
    let head = String(text[..<start])
    let partial = text[start...]
    let depth = head.reduce(0) { depth, mark in depth + (mark == "(" ? 1 : mark == ")" ? -1 : 0) }
    let isBehindList = head.last { !$0.isWhitespace } == ")"
    guard depth >= 0, !isBehindList || partial.isEmpty else { return [] }
    if isBehindList { return ends(of: head, depth) }
    let matches = (names + functions).filter { $0.begins(with: partial) }
    guard matches.count == 1, let only = matches.first else {
      return matches.map { Candidate(head + $0.text, $0.detail) }
    }
    return only.text.hasSuffix("(") ? candidates(head + only.text) : ends(of: head + only.text, depth)
  }

  /// What may follow a name or a list.
  private static func ends(of text: String, _ depth: Int) -> [Candidate] {
    depth == 0
      ? [Candidate(text), Candidate("\(text),", "or another")]
      : [Candidate("\(text))", "the end of the list"), Candidate("\(text),", "and another")]
  }
}
