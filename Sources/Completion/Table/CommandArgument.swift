/// An option, a flag or an argument of a command.
package struct CommandArgument: Decodable, Sendable {
  package enum Kind: String, Decodable, Sendable {
    case positional, option, flag
  }

  struct Name: Decodable, Sendable {
    let kind: String
    let name: String

    var spelling: String { (kind == "long" ? "--" : "-") + name }
  }

  /// What the declaration says of its values.
  struct Values: Decodable, Sendable {
    struct Words: Decodable, Sendable {
      let values: [String]
    }

    struct Paths: Decodable, Sendable {}

    let list: Words?
    let file: Paths?
    let directory: Paths?
  }

  package let kind: Kind
  let names: [Name]?
  let abstract: String?
  let isRepeating: Bool
  let shouldDisplay: Bool
  let allValues: [String]?
  let completionKind: Values?
}

extension CommandArgument {
  /// How it may be written, as `-n` and `--limit`.
  package var spellings: [String] { (names ?? []).map(\.spelling) }

  /// The long name without its dashes; empty for an argument.
  package var longName: String { names?.first { $0.kind == "long" }?.name ?? "" }

  /// The first sentence of its help, in short.
  var summary: String {
    var text = Substring(abstract ?? "")
    // When it counts is less than what it does.
    if text.hasPrefix("With "), let colon = text.firstRange(of: ": ") { text = text[colon.upperBound...] }
    let end = text.indices.first { index in
      let next = text.index(after: index)
      return ".;:".contains(text[index]) && (next == text.endIndex || text[next] == " ") || text[index] == "("
    }
    let sentence = text[..<(end ?? text.endIndex)]
    guard sentence.count > 60, let blank = sentence.prefix(60).lastIndex(of: " ") else {
      return sentence.trimmingBlanks()
    }
    return sentence[..<blank].trimmingBlanks() + "…"
  }

  /// The values of an enumeration, or those that the declaration lists.
  package var words: [String] { allValues ?? completionKind?.list?.values ?? [] }
}

extension Substring {
  fileprivate func trimmingBlanks() -> String {
    var text = drop { $0 == " " }
    while text.last == " " || text.last == "," { text.removeLast() }
    return String(text)
  }
}
