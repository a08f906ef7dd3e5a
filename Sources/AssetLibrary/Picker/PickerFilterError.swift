/// Why a filter expression can't be used, with the word that is at fault.
public enum PickerFilterError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownName(String)
  case emptyList
  case unexpected(String, expected: String)

  public var description: String {
    let names = PickerFilter.Name.allCases.map(\.rawValue)
    let reason =
      switch self {
      case .unknownName(let word): NearestWord.message(unknown: "filter", word, known: names)
      case .emptyList: "empty list of filters; filters are \(names.joined(separator: ", "))"
      case .unexpected(let found, let expected):
        "found \(found) where \(expected) was expected; filters are \(names.joined(separator: ", "))"
      }
    return "\(reason), put together with any(…), all(…), not(…), ! and commas"
  }
}
