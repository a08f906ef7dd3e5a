/// A completion for a search, and the number of assets that it finds.
public struct SearchText: Hashable, Sendable {
  /// The single field that the text comes from.
  public var field: SearchFields
  /// The text.
  public var text: String
  /// The number of assets with the text.
  public var count: Int

  /// Creates a completion.
  public init(field: SearchFields, text: String, count: Int) {
    self.field = field
    self.text = text
    self.count = count
  }
}

extension SearchText {
  /// Returns whether a text has a word that begins with a prefix, both folded with `TextPattern.fold`.
  public static func hasWord(_ text: [UInt8], beginningWith prefix: [UInt8]) -> Bool {
    if prefix.isEmpty { return true }
    return text.indices.contains { start in
      (start == 0 || text[start - 1].separatesWords) && text[start...].starts(with: prefix)
    }
  }

  /// Returns the best completions: the most frequent texts that begin with a prefix or contain a word that
  /// does.
  ///
  /// - Parameters:
  ///   - counts: the number of assets with each text.
  ///   - field: the field that the texts come from.
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

  /// The maximum number of completions for a field.
  private static let most = 12
}

/// The fields in which a search looks for words.
public struct SearchFields: OptionSet, Hashable, Sendable {
  /// The bit mask.
  public let rawValue: UInt16

  /// Creates a set from a bit mask.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The file name.
  public static let fileName = SearchFields(rawValue: 1 << 0)
  /// The titles of the user's albums that contain the asset, and of the folders above it.
  public static let album = SearchFields(rawValue: 1 << 1)
  /// The camera's maker and model.
  public static let camera = SearchFields(rawValue: 1 << 2)
  /// The name of the lens.
  public static let lens = SearchFields(rawValue: 1 << 3)
  /// The keywords.
  public static let keywords = SearchFields(rawValue: 1 << 4)
  /// The title and the caption.
  public static let title = SearchFields(rawValue: 1 << 5)
  /// The names of people.
  public static let people = SearchFields(rawValue: 1 << 6)
  /// The path as the user gave it, including the file name.
  public static let path = SearchFields(rawValue: 1 << 7)
  /// The file extension; only for completion, because `ext:` is a condition on attributes.
  public static let fileExtension = SearchFields(rawValue: 1 << 8)

  /// The fields in which a word without a key is searched.
  public static let all: SearchFields = [.fileName, .album, .camera, .lens, .keywords, .title, .people]
}

extension SearchFields: CustomStringConvertible {
  /// The fields as words, as "camera, lens"; "none" for an empty set.
  public var description: String {
    words([
      .fileName: "fileName", .album: "album", .camera: "camera", .lens: "lens", .keywords: "keywords",
      .title: "title", .people: "people", .path: "path", .fileExtension: "fileExtension",
    ])
  }
}
