/// The term of a search that is being typed, and what stands around it.
package struct SearchCompletion: Hashable, Sendable {
  /// Everything before the term.
  let before: String
  /// Everything after the cursor.
  let after: String
  /// Whether a minus stands before the term.
  let isExcluded: Bool
  /// What stands before the term's colon, in small letters; nil if there is none.
  let key: String?
  /// What stands after it, or the whole term, without quotes.
  let value: String

  /// What stands in a line in which nothing was typed yet.
  static let nothing = SearchCompletion()

  private init() {
    (before, after, isExcluded, key, value) = ("", "", false, nil, "")
  }

  private static let quotes: Set<Character> = ["\"", "“", "”", "„"]

  /// The term that ends at the cursor; nil if none is being typed there.
  init?(_ editor: LineEditor) {
    let (characters, cursor) = (editor.characters, editor.cursor)
    if cursor < characters.count, !characters[cursor].isWhitespace, characters[cursor] != ")" { return nil }
    var start = 0
    var isInQuotes = false
    for (index, character) in characters[..<cursor].enumerated() {
      if Self.quotes.contains(character) { isInQuotes.toggle() }
      if character.isWhitespace, !isInQuotes { start = index + 1 }
    }
    // Parentheses that are opened before the term are no part of it.
    while let opening = ["(", "-("].first(where: { characters[start..<cursor].starts(with: $0) }) {
      start += opening.count
    }
    before = String(characters[..<start])
    after = String(characters[cursor...])
    var term = characters[start..<cursor]
    isExcluded = term.first == "-"
    if isExcluded { term = term.dropFirst() }
    var key: String?
    if let colon = term.firstIndex(of: ":"), !term[..<colon].contains(where: Self.quotes.contains) {
      key = String(term[..<colon]).lowercased()
      term = term[(colon + 1)...]
    }
    self.key = key
    value = String(term.filter { !Self.quotes.contains($0) })
    if value.isEmpty, key == nil { return nil }
  }

  /// The search without the term.
  var rest: String { before + after }

  /// The line with another term in the place of this one, and the cursor after it.
  func replaced(by term: String) -> LineEditor {
    // The value of a term follows its colon; after anything else another term may.
    let blank = term.last == ":" ? "" : " "
    return LineEditor(
      before + (isExcluded ? "-" : "") + term + blank, before: String(after.drop(while: \.isWhitespace)))
  }

  /// Text as the value of a term; nil if it can't be one.
  static func quoted(_ text: String) -> String? {
    if text.isEmpty || text.contains(where: quotes.contains) { return nil }
    return text.contains { $0.isWhitespace || $0 == ":" } ? "\"\(text)\"" : text
  }
}
