import AssetLibrary

/// Completes the terms of searches.
enum QueryCompletion {
  /// Values of the terms that have some, or examples of them.
  private static let values: [String: [String]] = [
    "type": PickerFilter.Name.allCases.map(\.rawValue), "rating": ["5", ">=4", ">=3"],
    "size": [">1MB", ">10MB", "<1MB"], "width": [">=1920", ">=3840", "<1000"],
    "height": [">=1080", ">=2160", "<1000"], "duration": ["<=10s", "<=60s", ">5min"],
    "ratio": ["landscape", "portrait", "square"], "after": ["7d", "30d"], "before": ["7d", "30d"],
    "date": ["today", "yesterday"], "ext": ["jpg", "heic", "mp4"],
  ]

  /// What a search can become.
  static func answer(_ text: String) -> CompletionAnswer {
    // Between quotes stands what nobody but its writer knows.
    guard text.count(where: { $0 == "\"" }).isMultiple(of: 2) else { return CompletionAnswer() }
    let start =
      text.lastIndex { $0.isWhitespace || $0 == "(" }.map { text.index(after: $0) } ?? text.startIndex
    let sign = text[start...].hasPrefix("-") ? "-" : ""
    let head = text[..<start] + sign
    let term = text[start...].dropFirst(sign.count)
    if let colon = term.firstIndex(of: ":") {
      let values = values[term[..<colon].lowercased()] ?? []
      let opening = head + term[...colon]
      let matches = values.filter { Candidate($0).begins(with: term[term.index(after: colon)...]) }
      return CompletionAnswer(matches.map { Candidate(opening + $0) }, continues: true)
    }
    let matches = SearchQuery.termNames.filter { Candidate($0).begins(with: term) }
    return CompletionAnswer(matches.map { Candidate("\(head)\($0):") }, continues: true)
  }
}
