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
