/// Why a filter expression can't be used, with the word that is at fault.
public enum PickerFilterError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownName(String)
  case emptyList
  case unexpected(String, expected: String)

  public var description: String {
    let names = PickerFilter.Name.allCases.map(\.rawValue).joined(separator: ", ")
    let reason =
      switch self {
      case .unknownName(let word): "unknown filter '\(word)'"
      case .emptyList: "empty list of filters"
      case .unexpected(let found, let expected): "found \(found) where \(expected) was expected"
      }
    return "\(reason); filters are \(names), put together with any(…), all(…), not(…), ! and commas"
  }
}
