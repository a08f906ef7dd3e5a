/// Where a search looks for words.
public struct SearchFields: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let fileName = SearchFields(rawValue: 1 << 0)
  /// The titles of the user's albums that hold the asset.
  public static let album = SearchFields(rawValue: 1 << 1)
  public static let camera = SearchFields(rawValue: 1 << 2)
  public static let lens = SearchFields(rawValue: 1 << 3)
  public static let keywords = SearchFields(rawValue: 1 << 4)
  /// Title and caption.
  public static let title = SearchFields(rawValue: 1 << 5)
  public static let people = SearchFields(rawValue: 1 << 6)

  public static let all: SearchFields = [.fileName, .album, .camera, .lens, .keywords, .title, .people]
}

/// One word of a search, and where it may stand.
public struct TextTerm: Hashable, Sendable {
  public var pattern: TextPattern
  /// One of these has to hold it.
  public var fields: SearchFields
  /// Whether none of them may hold it instead.
  public var isExcluded: Bool

  public init(pattern: TextPattern, fields: SearchFields = .all, isExcluded: Bool = false) {
    self.pattern = pattern
    self.fields = fields
    self.isExcluded = isExcluded
  }
}

/// What a user looks for: a condition on the attributes and words in the texts, all of which must be met.
public struct SearchQuery: Hashable, Sendable {
  /// What the attributes have to meet; nil = nothing.
  public var predicate: AssetPredicate?
  /// The words; each of them has to be found.
  public var texts: [TextTerm]

  public init(predicate: AssetPredicate? = nil, texts: [TextTerm] = []) {
    self.predicate = predicate
    self.texts = texts
  }

  /// Whether nothing is looked for, so that everything is found.
  public var isEmpty: Bool { predicate == nil && texts.isEmpty }

  /// Looks no longer into some fields: words that could stand there alone are not found.
  mutating func forget(_ fields: SearchFields) {
    for index in texts.indices { texts[index].fields.subtract(fields) }
  }

  /// Whether the words are found, for stores without an index of them.
  /// - Parameter texts: what an asset has in some fields, not folded.
  public func matches(_ texts: (SearchFields) -> [String]) -> Bool {
    self.texts.allSatisfy { term in
      let isFound = texts(term.fields).contains { term.pattern.matches(folded: TextPattern.fold($0)) }
      return isFound != term.isExcluded
    }
  }
}
