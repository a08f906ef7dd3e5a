/// A text that a search can be completed with, and how many assets have it.
public struct SearchText: Hashable, Sendable {
  /// Where it stands: one of the fields.
  public var field: SearchFields
  public var text: String
  public var count: Int

  public init(field: SearchFields, text: String, count: Int) {
    self.field = field
    self.text = text
    self.count = count
  }
}

extension SearchText {
  /// Whether a word of a text begins with a prefix, both folded (`TextPattern.fold`).
  public static func hasWord(_ text: [UInt8], beginningWith prefix: [UInt8]) -> Bool {
    if prefix.isEmpty { return true }
    return text.indices.contains { start in
      (start == 0 || text[start - 1].separatesWords) && text[start...].starts(with: prefix)
    }
  }

  /// The texts that are worth suggesting: the most frequent ones that begin with a prefix, or have a word that does.
  ///
  /// - Parameters:
  ///   - counts: how many assets have each text.
  ///   - field: where the texts are from.
  ///   - prefix: folded; empty = all texts.
  public static func commonest(
    of counts: [String: Int], in field: SearchFields, beginningWith prefix: [UInt8]
  ) -> [SearchText] {
    let found = counts.filter { hasWord(TextPattern.fold($0.key), beginningWith: prefix) }
    let sorted = found.sorted { a, b in
      a.value != b.value ? a.value > b.value : a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
    }
    return sorted.prefix(most).map { SearchText(field: field, text: $0.key, count: $0.value) }
  }

  /// The most texts that a store gives for a field.
  private static let most = 12
}

/// Where a search looks for words.
public struct SearchFields: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  public static let fileName = SearchFields(rawValue: 1 << 0)
  /// The titles of the user's albums that hold the asset, and of all folders that they lie in.
  public static let album = SearchFields(rawValue: 1 << 1)
  public static let camera = SearchFields(rawValue: 1 << 2)
  public static let lens = SearchFields(rawValue: 1 << 3)
  public static let keywords = SearchFields(rawValue: 1 << 4)
  /// Title and caption.
  public static let title = SearchFields(rawValue: 1 << 5)
  public static let people = SearchFields(rawValue: 1 << 6)
  /// The path as it was given, with the file name.
  public static let path = SearchFields(rawValue: 1 << 7)
  /// What the file name ends with: to complete searches with, as conditions ask for it.
  public static let fileExtension = SearchFields(rawValue: 1 << 8)

  /// Where a word is looked for that names no field.
  public static let all: SearchFields = [.fileName, .album, .camera, .lens, .keywords, .title, .people]
}
