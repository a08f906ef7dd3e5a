extension PickerFilter {
  /// Reads an expression: `a,b` and `any(a,b)` = or, `all(a,b)` = and, `not(a)` and `!a` = not.
  ///
  /// Names in any capitals, blanks anywhere between words.
  public init(parsing expression: String) throws(PickerFilterError) {
    var parser = PickerFilterParser(expression)
    self = try parser.expression()
  }
}

/// A recursive-descent parser of filter expressions.
private struct PickerFilterParser {
  /// Deeper nesting than any human writes; bounds the recursion.
  private static let deepest = 64

  private var rest: Substring

  init(_ text: String) {
    rest = Substring(text)
  }

  mutating func expression() throws(PickerFilterError) -> PickerFilter {
    let filters = try list(depth: 0)
    skipBlanks()
    guard rest.isEmpty else { throw .unexpected("'\(rest)'", expected: "a comma or the end") }
    return filters.count == 1 ? filters[0] : .any(filters)
  }

  private mutating func list(depth: Int) throws(PickerFilterError) -> [PickerFilter] {
    var filters: [PickerFilter] = []
    repeat {
      filters.append(try item(depth: depth))
    } while take(",")
    return filters
  }

  private mutating func item(depth: Int) throws(PickerFilterError) -> PickerFilter {
    guard depth < Self.deepest else { throw .unexpected("'('", expected: "less nesting") }
    if take("!") { return .not(try item(depth: depth + 1)) }
    skipBlanks()
    let word = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    rest = rest.dropFirst(word.count)
    guard !word.isEmpty else {
      guard let next = rest.first, next != ",", next != ")" else { throw .emptyList }
      throw .unexpected("'\(next)'", expected: "a filter")
    }
    if take("(") {
      let inner = try list(depth: depth + 1)
      guard take(")") else {
        throw .unexpected(rest.isEmpty ? "the end" : "'\(rest)'", expected: "')'")
      }
      switch word.lowercased() {
      case "any": return .any(inner)
      case "all": return .all(inner)
      case "not": return .not(inner.count == 1 ? inner[0] : .any(inner))
      default: throw .unexpected("'\(word)('", expected: "any(…), all(…) or not(…)")
      }
    }
    guard let name = Name.allCases.first(where: { $0.rawValue.lowercased() == word.lowercased() }) else {
      throw .unknownName(word)
    }
    return .matching(name)
  }

  private typealias Name = PickerFilter.Name

  private mutating func take(_ mark: Character) -> Bool {
    skipBlanks()
    guard rest.first == mark else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipBlanks() {
    rest = rest.drop { $0.isWhitespace }
  }
}
