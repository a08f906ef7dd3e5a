import AssetLibrary
import Results

// Values that are lists of words, separated by commas.

extension PickerConfiguration.Capabilities {
  /// The parts of the picker that can be turned off.
  static let parts: [(name: String, value: Self)] = [
    ("search", .search), ("collections", .collectionNavigation), ("actions", .selectionActions),
    ("preview", .preview),
  ]

  /// - Throws: `ArgumentProblem` for a part that is none.
  init(argument list: String) throws(ArgumentProblem) {
    self = try Self.union(of: list, Self.parts, kind: "part")
  }
}

extension CollectionTypes {
  /// The kinds of albums.
  static let kinds: [(name: String, value: Self)] = [
    ("smart", .smartAlbum), ("folders", .album), ("moments", .moment),
  ]

  /// - Throws: `ArgumentProblem` for a kind that is none.
  init(argument list: String) throws(ArgumentProblem) {
    self = try Self.union(of: list, Self.kinds, kind: "kind")
  }
}

extension OptionSet {
  fileprivate static func union(
    of list: String, _ known: [(name: String, value: Self)], kind: String
  ) throws(ArgumentProblem) -> Self {
    var all: Self = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let match = known.first(where: { $0.name == word.lowercased() }) else {
        throw ArgumentProblem(word, isNoneOf: known.map(\.name), kind: kind)
      }
      all.formUnion(match.value)
    }
    return all
  }
}

extension FieldSelection {
  /// - Throws: `ArgumentProblem` for a field that is none.
  init(argument list: String) throws(ArgumentProblem) {
    do {
      try self.init(list)
    } catch {
      throw ArgumentProblem("\(error)")
    }
  }
}

extension AcceptedTypes {
  /// - Throws: `ArgumentProblem` for what is no type.
  init(argument list: String) throws(ArgumentProblem) {
    do {
      try self.init(parsing: list)
    } catch {
      throw ArgumentProblem("\(error)")
    }
  }
}
