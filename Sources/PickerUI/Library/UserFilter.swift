import AssetLibrary

/// The user's filters, search and order, applied within the caller's filter.
struct UserFilter: Hashable, Sendable {
  /// A filter that the user chose.
  struct Condition: Hashable, Sendable {
    var name: PickerFilter.Name
    /// Whether matching assets are excluded.
    var isExcluded: Bool
  }

  /// In the order in which they were added.
  private(set) var conditions: [Condition] = []
  /// The text of the search as typed.
  private(set) var text = ""
  /// The parsed part of the text.
  private(set) var search: SearchQuery?
  /// Why the text can't be parsed; nil if it can.
  private(set) var parseError: String?
  var sort: AssetSort
  var showsHidden = false
  private let vocabulary: SearchVocabulary

  /// - Parameter vocabulary: the words that searches understand.
  init(
    sort: AssetSort, search: SearchQuery? = nil, text: String = "",
    vocabulary: SearchVocabulary = SearchVocabulary()
  ) {
    self.sort = sort
    self.vocabulary = vocabulary
    self.search = search
    self.text = text
  }

  /// Whether there is no filter and no search to remove.
  var isEmpty: Bool { conditions.isEmpty && text.isEmpty }

  /// Whether the user added filters or a search to those of the caller.
  func isNarrowed(beyond caller: PickerOptions.SearchOptions) -> Bool {
    !conditions.isEmpty || text != caller.text ?? ""
  }

  /// Searches for a text; if its last term is incomplete, for the terms before it.
  mutating func setSearchText(_ text: String) {
    self.text = text
    do throws(SearchQueryError) {
      let query = try SearchQuery(parsing: text, in: vocabulary, isComplete: false)
      search = query.isEmpty ? nil : query
      parseError = nil
    } catch {
      parseError = error.description
      let before = text.lastIndex(where: \.isWhitespace).map { String(text[..<$0]) } ?? ""
      if let query = try? SearchQuery(parsing: before, in: vocabulary, isComplete: false) {
        search = query.isEmpty ? nil : query
      }
    }
  }

  /// Removes blanks at the end of the text, which follow a suggestion to start the next term.
  mutating func trimText() {
    guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return setSearchText("") }
    let trimmed = String(text[...end])
    if trimmed != text { setSearchText(trimmed) }
  }

  /// The condition with a name; nil if it is not set.
  func condition(_ name: PickerFilter.Name) -> Condition? { conditions.first { $0.name == name } }

  /// Cycles a condition: required, excluded, off.
  mutating func cycle(_ name: PickerFilter.Name) {
    guard let index = conditions.firstIndex(where: { $0.name == name }) else {
      conditions.append(Condition(name: name, isExcluded: false))
      return
    }
    if conditions[index].isExcluded {
      conditions.remove(at: index)
    } else {
      conditions[index].isExcluded = true
    }
  }

  mutating func remove(_ condition: Condition) { conditions.removeAll { $0 == condition } }
  mutating func removeConditions() { conditions = [] }

  /// Removes the search, else the filter that was added last.
  /// - Returns: whether there was one.
  mutating func removeLast() -> Bool {
    if !text.isEmpty {
      setSearchText("")
      return true
    }
    return conditions.popLast() != nil
  }

  /// Removes the search and all filters.
  /// - Returns: whether there were any.
  mutating func removeAll() -> Bool {
    guard !isEmpty else { return false }
    setSearchText("")
    removeConditions()
    return true
  }

  /// The filter for fetches, combined with the caller's.
  ///
  /// An asset has to match any of the required kinds and all other conditions.
  func filter(within caller: PickerFilter?) -> PickerFilter? {
    var all: [PickerFilter] = caller.map { [$0] } ?? []
    let kinds = conditions.filter { !$0.isExcluded && $0.name.isKind }.map { PickerFilter.matching($0.name) }
    if !kinds.isEmpty { all.append(kinds.count == 1 ? kinds[0] : .any(kinds)) }
    for condition in conditions where condition.isExcluded || !condition.name.isKind {
      let filter = PickerFilter.matching(condition.name)
      all.append(condition.isExcluded ? .not(filter) : filter)
    }
    return all.count > 1 ? .all(all) : all.first
  }
}

extension PickerFilter.Name {
  /// Whether the filter is for a kind of asset, rather than an attribute such as favorite.
  var isKind: Bool {
    switch self {
    case .favorites, .hidden, .edited, .geotagged, .hdr, .raw: false
    default: true
    }
  }

  /// The filters in the order of the menu: kinds first.
  static let menu = allCases.filter(\.isKind) + allCases.filter { !$0.isKind }
}

extension AssetSort {
  /// The title of the order in the menu.
  var title: String {
    switch self {
    case .newest: "newest first"
    case .oldest: "oldest first"
    case .name: "by name"
    case .size: "largest first"
    case .added: "recently added"
    case .given: "as given"
    case .nameReversed, .sizeReversed, .addedReversed, .givenReversed: "\(reversed.title), reversed"
    }
  }

  /// Whether assets are ordered by capture date.
  var isByDate: Bool { self == .newest || self == .oldest }

  /// Whether assets are ordered by their names.
  var isByName: Bool { self == .name || self == .nameReversed }

  /// Whether it is the reverse of an order in the menu.
  var isReversedMenuOrder: Bool { !AssetSort.allCases.contains(self) && self != .given }

  /// The corresponding order in the menu, reversed or not; nil if there is none.
  var orderInMenu: AssetSort? {
    AssetSort.allCases.first { $0 == self } ?? AssetSort.allCases.first { $0 == reversed }
  }
}

extension UserFilter {
  /// The search terms that match file names.
  var namePatterns: [TextPattern] {
    search?.foundTexts.filter { $0.fields.contains(.fileName) }.map(\.pattern) ?? []
  }
}
