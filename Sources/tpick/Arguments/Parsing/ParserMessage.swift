/// What the parser says of wrong values, in the words of this program.
enum ParserMessage {
  /// The parser's message, with the option first where a value is at fault: "--sort: unknown value 'nwest'; did you mean
  /// newest? Values are newest, oldest".
  static func restated(_ text: String) -> String {
    // "The value 'nwest' is invalid for '--sort <order>'", then ": " and the reason, or ". " and the values.
    let (opening, middle) = ("The value '", "' is invalid for '")
    guard text.hasPrefix(opening), let split = text.firstRange(of: middle) else { return oneLine(text) }
    let value = text[text.index(text.startIndex, offsetBy: opening.count)..<split.lowerBound]
    let rest = text[split.upperBound...]
    guard let quote = rest.firstIndex(of: "'") else { return oneLine(text) }
    let option = rest[..<quote].prefix { $0 != " " }
    let reason = rest[quote...].dropFirst()
    if reason.hasPrefix(": ") { return oneLine("\(option): \(reason.dropFirst(2))") }
    return "\(option): \(ArgumentProblem(value, isNoneOf: values(in: reason)))"
  }

  /// A message of several lines in one: the parser lists what it may mean, "   or: " before each but the first.
  private static func oneLine(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      String(line.drop(while: \.isWhitespace))
    }
    return lines.dropFirst().reduce(lines.first ?? "") { text, line in
      line.hasPrefix("or: ") ? "\(text); or: \(line.dropFirst(4))" : "\(text) \(line)"
    }
  }

  /// The values in a sentence of the parser: "Please provide one of 'a', 'b' or 'c'.", or a list of lines "  - a".
  private static func values(in sentence: Substring) -> [String] {
    let lines = sentence.split(separator: "\n").filter { $0.hasPrefix("  - ") }.map {
      String($0.dropFirst(4))
    }
    return lines.isEmpty
      ? sentence.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter {
        $0.offset % 2 == 1
      }
      .map { String($0.element) }
      : lines
  }
}
