extension PickerFilter: CustomStringConvertible {
  /// The filter in plain words, for the screen: "images only".
  public var description: String { "\(words(nested: false)) only" }

  private func words(nested: Bool) -> String {
    switch self {
    case .matching(let name): name.words
    case .any(let filters): Self.join(filters, with: " or ", nested: nested)
    case .all(let filters): Self.join(filters, with: " and ", nested: nested)
    case .not(let filter): "not " + filter.words(nested: true)
    }
  }

  private static func join(_ filters: [PickerFilter], with word: String, nested: Bool) -> String {
    if filters.count == 1 { return filters[0].words(nested: nested) }
    let joined = filters.map { $0.words(nested: true) }.joined(separator: word)
    return nested ? "(\(joined))" : joined
  }
}

extension PickerFilter.Name {
  /// The name in plain words: "livePhotos" as "live photos".
  public var words: String {
    switch self {
    case .raw, .hdr: rawValue.uppercased()
    default:
      rawValue.reduce(into: "") { words, letter in
        if letter.isUppercase { words += " " }
        words += letter.lowercased()
      }
    }
  }
}
