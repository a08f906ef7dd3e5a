import AssetLibrary

/// What the user has narrowed the library to, within what the caller lets through, and the order.
struct UserFilter: Hashable, Sendable {
  /// One condition of the user's.
  struct Condition: Hashable, Sendable {
    var name: PickerFilter.Name
    /// Whether what meets it is left out.
    var isExcluded: Bool
  }

  /// In the order in which they were added.
  private(set) var conditions: [Condition] = []
  /// What is searched for, as it was typed.
  private(set) var text = ""
  /// As much of the text as can be understood.
  private(set) var search: SearchQuery?
  /// Why the text can't be understood; nil when it can.
  private(set) var fault: String?
  var sort: AssetSort
  var showsHidden = false

  init(sort: AssetSort, search: SearchQuery? = nil, text: String = "") {
    self.sort = sort
    self.search = search
    self.text = text
  }

  /// Whether there is anything that could be removed.
  var isEmpty: Bool { conditions.isEmpty && text.isEmpty }

  /// Looks for a text; where its last term can't be understood yet, for what stands before it.
  mutating func look(for text: String) {
    self.text = text
    do throws(SearchQueryError) {
      let query = try SearchQuery(parsing: text)
      search = query.isEmpty ? nil : query
      fault = nil
    } catch {
      fault = error.description
      let before = text.lastIndex(where: \.isWhitespace).map { String(text[..<$0]) } ?? ""
      if let query = try? SearchQuery(parsing: before) { search = query.isEmpty ? nil : query }
    }
  }

  /// Which way a condition stands; nil when it is not there.
  func condition(_ name: PickerFilter.Name) -> Condition? { conditions.first { $0.name == name } }

  /// Asks for a condition, then for its contrary, then for neither.
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

  /// What the assets have to meet.
  ///
  /// An asset is of one of the kinds that are asked for, and meets each of the other conditions.
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
  /// Whether the name says what an asset is; the others say what is true of it besides.
  var isKind: Bool {
    switch self {
    case .favorites, .hidden, .edited, .geotagged, .hdr, .raw: false
    default: true
    }
  }

  /// The conditions as the menu lists them: kinds first.
  static let menu = allCases.filter(\.isKind) + allCases.filter { !$0.isKind }
}

extension AssetSort {
  /// What the order is called in the menu.
  var title: String {
    switch self {
    case .newest: "newest first"
    case .oldest: "oldest first"
    case .name: "by name"
    case .size: "largest first"
    case .added: "last added first"
    }
  }

  /// Whether neighbours were taken one after the other.
  var isByDate: Bool { self == .newest || self == .oldest }
}
