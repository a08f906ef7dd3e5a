package import AssetLibrary

/// A request for suggestions, answered by the host off the run loop.
package struct SuggestionQuery: Hashable, Sendable {
  var completion: SearchCompletion
  /// The collection that is searched; nil = the whole library.
  var collection: LocalIdentifier?
  /// The options of the photos shown, without the search.
  var options: FetchOptions
  package var mode: AccessMode
  var vocabulary: SearchVocabulary
  /// The size of the library; counts for another size are stale.
  var assetCount: Int
  /// Earlier searches, the latest first, if nothing is typed yet.
  var recentSearches: [String] = []

  /// The maximum number of suggestions.
  static let most = 5
  /// The maximum number of suggestions before anything is typed.
  private static let mostAtFirst = 7

  /// Finds terms that begin with the typed text, and counts the results of the search with each of them.
  ///
  /// Takes some tenths of a second for a hundred thousand photos.
  /// - Parameter isStale: whether the answer is no longer needed.
  package func suggestions(
    from manager: any AssetManager, isStale: () -> Bool = { false }
  ) -> [SearchSuggestion] {
    var groups = groups(from: manager)
    var found: [SearchSuggestion] = []
    let most = completion == .nothing ? Self.mostAtFirst : Self.most
    // Takes the best candidate of each group, then the second best, until there are enough.
    while found.count < most, groups.contains(where: { !$0.isEmpty }), !isStale() {
      for index in groups.indices where !groups[index].isEmpty && found.count < most {
        let candidate = groups[index].removeFirst()
        if let counted = counted(candidate, manager), !found.contains(where: { $0.title == counted.title }) {
          found.append(counted)
        }
      }
    }
    if found.allSatisfy({ $0.subject == .term }), let meant = correction(from: manager, isStale) {
      found.insert(meant, at: 0)
    }
    let order = SearchSuggestion.Subject.allCases
    return found.enumerated().sorted { a, b in
      let (first, second) = (
        order.firstIndex(of: a.element.subject) ?? 0, order.firstIndex(of: b.element.subject) ?? 0
      )
      return (first, a.offset) < (second, b.offset)
    }.map(\.element)
  }

  /// The suggestion with its count; nil if it finds nothing or changes nothing.
  private func counted(_ candidate: SearchSuggestion, _ manager: any AssetManager) -> SearchSuggestion? {
    var candidate = candidate
    if candidate.subject == .term { return candidate }
    let isTyped =
      TextPattern.fold(completion.value) == TextPattern.fold(candidate.title) && completion.key == nil
    let text = completion.replaced(by: candidate.term).text
    guard !isTyped, let search = try? SearchQuery(parsing: text, in: vocabulary, isComplete: false)
    else { return nil }
    var options = options
    options.search = search
    let count = manager.assetCount(in: collection, options: options)
    candidate.count = count
    return count > 0 ? candidate : nil
  }

  // MARK: Candidates

  /// The candidates for suggestions, the best of each subject first.
  private func groups(from manager: any AssetManager) -> [[SearchSuggestion]] {
    let value = completion.value
    if completion == .nothing { return [searches, newestAlbums(from: manager), kinds("")] }
    switch completion.key {
    case nil:
      return [kinds(""), dates(value) + years(from: manager, ""), texts(.all, from: manager), terms]
    case "type": return [kinds("type:")]
    case "after"?, "before"?, "date"?: return [years(from: manager, "\(completion.key ?? ""):")]
    case "camera": return [texts(.camera, from: manager)]
    case "lens": return [texts(.lens, from: manager)]
    case "ext": return [texts(.fileExtension, from: manager)]
    case "album": return [texts(.album, from: manager)]
    case "person": return [texts(.people, from: manager)]
    case "keyword": return [texts(.keywords, from: manager)]
    case let key?: return [measures(key)]
    }
  }

  private var searches: [SearchSuggestion] {
    recentSearches.prefix(3).map { SearchSuggestion(subject: .search, title: $0, term: $0) }
  }

  /// The albums with the latest photos; none within an album.
  private func newestAlbums(from manager: any AssetManager) -> [SearchSuggestion] {
    guard collection == nil else { return [] }
    let albums = manager.fetchCollections(options: options).compactMap { album in
      album.type == .album ? album.endDate.map { (album: album, end: $0) } : nil
    }
    // Of an album and the albums above it, takes the one that is nearest to the photo.
    let newest = albums.sorted { ($0.end, $0.album.depth) > ($1.end, $1.album.depth) }
    return newest.prefix(2).compactMap { album, _ in
      SearchCompletion.quoted(album.title).map {
        SearchSuggestion(subject: .album, title: album.title, term: "album:\($0)")
      }
    }
  }

  private func kinds(_ key: String) -> [SearchSuggestion] {
    vocabulary.kinds(beginningWith: completion.value).compactMap { name in
      // Without a key, a kind of two words needs no quotes.
      let term = key.isEmpty ? name : SearchCompletion.quoted(name)
      return term.map { SearchSuggestion(subject: .kind, title: name, term: key + $0) }
    }
  }

  private func dates(_ prefix: String) -> [SearchSuggestion] {
    vocabulary.dates(beginningWith: prefix).map { name in
      SearchSuggestion(subject: .date, title: name, term: name)
    }
  }

  /// The years with photos, the latest first.
  private func years(from manager: any AssetManager, _ key: String) -> [SearchSuggestion] {
    guard completion.value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return [] }
    let assets = manager.fetchAssets(in: collection, options: optionsWithoutTerm)
    var years: [Int] = []
    // The assets are ordered by date.
    for index in assets.indices {
      let year = assets.creationDate(at: index).components.year
      if year != years.last { years.append(year) }
    }
    return years.map(String.init).filter { $0.hasPrefix(completion.value) }.map { year in
      SearchSuggestion(subject: .date, title: year, term: key + year)
    }
  }

  /// Values of the terms that compare numbers, and the shapes of pictures.
  private static let measures = [
    "rating": ["5", ">=4", ">=3"], "size": [">1MB", ">10MB", "<1MB"],
    "width": [">=1920", ">=3840", "<1000"], "height": [">=1080", ">=2160", "<1000"],
    "duration": ["<=10s", "<=60s", ">5min"], "ratio": ["landscape", "portrait", "square"],
  ]

  private func measures(_ key: String) -> [SearchSuggestion] {
    let values = Self.measures[key] ?? []
    return values.filter { $0.hasPrefix(completion.value) && $0 != completion.value }.map { value in
      SearchSuggestion(subject: .measure, title: "\(key):\(value)", term: "\(key):\(value)")
    }
  }

  /// Albums, cameras, lenses, people, keywords and extensions, those with the most photos first.
  private func texts(_ fields: SearchFields, from manager: any AssetManager) -> [SearchSuggestion] {
    let subjects: [SearchFields: (subject: SearchSuggestion.Subject, key: String)] = [
      .album: (.album, "album"), .camera: (.camera, "camera"), .people: (.person, "person"),
      .lens: (.lens, "lens"), .keywords: (.keyword, "keyword"), .fileExtension: (.fileExtension, "ext"),
    ]
    let texts = manager.searchTexts(
      in: fields, beginningWith: completion.value, collection: collection, options: optionsWithoutTerm)
    return texts.sorted { $0.count > $1.count }.compactMap { text in
      guard let (subject, key) = subjects[text.field], let value = SearchCompletion.quoted(text.text) else {
        return nil
      }
      return SearchSuggestion(subject: subject, title: text.text, term: "\(key):\(value)")
    }
  }

  private var terms: [SearchSuggestion] {
    SearchQuery.termNames.filter { $0.hasPrefix(completion.value.lowercased()) }.map { name in
      SearchSuggestion(subject: .term, title: "\(name):", term: "\(name):")
    }
  }

  // MARK: Slips

  /// The fields whose words can be corrected, by the name of their term.
  private static let correctedFields: [String: SearchFields] = [
    "album": .album, "camera": .camera, "lens": .lens, "person": .people, "keyword": .keywords,
    "ext": .fileExtension,
  ]

  /// The probable correction of a term without results; nil if it is not clear.
  private func correction(from manager: any AssetManager, _ isStale: () -> Bool) -> SearchSuggestion? {
    let value = completion.value
    guard completion != .nothing, value.count > 2 || completion.key != nil, !completion.isExcluded else {
      return nil
    }
    var typed = options
    let text = completion.before + [completion.key, value].compactMap { $0 }.joined(separator: ":")
    if let search = try? SearchQuery(parsing: text + completion.after, in: vocabulary, isComplete: false) {
      typed.search = search
      guard manager.assetCount(in: collection, options: typed) == 0 else { return nil }
    }
    let meant: (word: String, term: String)
    if let key = completion.key, !SearchQuery.termNames.contains(key) {
      guard let name = NearestWord.of(key, in: SearchQuery.termNames), !value.isEmpty else { return nil }
      meant = ("\(name):\(value)", "\(name):\(SearchCompletion.quoted(value) ?? value)")
    } else {
      guard let word = NearestWord.of(value, in: knownWords(from: manager, isStale)), !isStale(),
        let quoted = SearchCompletion.quoted(word)
      else { return nil }
      let key = completion.key.map { "\($0):" } ?? ""
      meant = (key + word, key + quoted)
    }
    let question = "did you mean \(meant.word)?"
    return counted(SearchSuggestion(subject: .meant, title: question, term: meant.term), manager)
  }

  /// The candidates for a correction: words of albums, cameras and so on, kinds and dates.
  private func knownWords(from manager: any AssetManager, _ isStale: () -> Bool) -> Set<String> {
    let fields: SearchFields
    var words: Set<String> = []
    switch completion.key {
    case nil:
      fields = [.album, .camera, .lens, .people, .keywords]
      words.formUnion(vocabulary.kinds(beginningWith: "") + vocabulary.dates(beginningWith: ""))
    case "type": return Set(vocabulary.kinds(beginningWith: ""))
    case let key?:
      guard let field = Self.correctedFields[key] else { return [] }
      fields = field
    }
    // A store returns only the most common texts with a prefix, so the first letters of the word are used.
    let value = completion.value
    var beginnings = ["", String(value.prefix(1)), String(value.prefix(2)), String(value.prefix(3))]
    beginnings.append(String(value.dropFirst().prefix(1)))
    for beginning in Set(beginnings) where !isStale() {
      let texts = manager.searchTexts(
        in: fields, beginningWith: beginning, collection: collection, options: optionsWithoutTerm)
      for text in texts {
        words.insert(text.text)
        let parts = text.text.split { !$0.isLetter && !$0.isNumber }
        words.formUnion(parts.map(String.init).filter { $0.count > 2 })
      }
    }
    return words
  }

  /// The options that apply all other terms.
  private var optionsWithoutTerm: FetchOptions {
    var options = options
    // A term next to "or" does not narrow the search.
    let words = completion.rest.split { $0.isWhitespace || "()".contains($0) }
    if words.contains(where: { $0.lowercased() == "or" }) {
      options.search = nil
    } else {
      options.search = try? SearchQuery(parsing: completion.rest, in: vocabulary, isComplete: false)
    }
    return options
  }
}

/// The suggestions for a query.
package struct SuggestionAnswer: Sendable {
  package var query: SuggestionQuery
  package var suggestions: [SearchSuggestion]

  package init(query: SuggestionQuery, suggestions: [SearchSuggestion]) {
    self.query = query
    self.suggestions = suggestions
  }
}

/// A term that continues the search, and the number of photos it would find.
package struct SearchSuggestion: Hashable, Sendable {
  /// The meaning of the term.
  package enum Subject: String, CaseIterable, Hashable, Sendable {
    /// A whole earlier search.
    case search
    case kind, date, album, person, camera, lens, keyword
    case fileExtension = "extension"
    /// A number to compare with, or the shape of a picture.
    case measure
    /// The name of a term, which finds nothing before it has a value.
    case term
    /// The probable correction of a word without results.
    case meant
  }

  package var subject: Subject
  /// The text in the list.
  package var title: String
  /// The text that is inserted into the search.
  package var term: String
  /// nil for names of terms.
  package var count: Int?
}

/// The term of a search that is being typed, and the text around it.
package struct SearchCompletion: Hashable, Sendable {
  /// Everything before the term.
  let before: String
  /// Everything after the cursor.
  let after: String
  /// Whether the term begins with a minus sign.
  let isExcluded: Bool
  /// The part before the term's colon, in lower case; nil if there is none.
  let key: String?
  /// The part after the colon, or the whole term, without quotes.
  let value: String

  /// The completion of an empty line.
  static let nothing = SearchCompletion()

  private init() {
    (before, after, isExcluded, key, value) = ("", "", false, nil, "")
  }

  private static let quotes: Set<Character> = ["\"", "“", "”", "„"]

  /// The term that ends at the cursor; nil if none is being typed there.
  init?(_ editor: LineEditor) {
    let (characters, cursor) = (editor.characters, editor.cursor)
    if cursor < characters.count, !characters[cursor].isWhitespace, characters[cursor] != ")" { return nil }
    var start = 0
    var isInQuotes = false
    for (index, character) in characters[..<cursor].enumerated() {
      if Self.quotes.contains(character) { isInQuotes.toggle() }
      if character.isWhitespace, !isInQuotes { start = index + 1 }
    }
    // Parentheses before the term are not part of it.
    while let opening = ["(", "-("].first(where: { characters[start..<cursor].starts(with: $0) }) {
      start += opening.count
    }
    before = String(characters[..<start])
    after = String(characters[cursor...])
    var term = characters[start..<cursor]
    isExcluded = term.first == "-"
    if isExcluded { term = term.dropFirst() }
    var key: String?
    if let colon = term.firstIndex(of: ":"), !term[..<colon].contains(where: Self.quotes.contains) {
      key = String(term[..<colon]).lowercased()
      term = term[(colon + 1)...]
    }
    self.key = key
    value = String(term.filter { !Self.quotes.contains($0) })
    if value.isEmpty, key == nil { return nil }
  }

  /// The search without the term.
  var rest: String { before + after }

  /// The line with the term replaced, and the cursor after it.
  func replaced(by term: String) -> LineEditor {
    // After a colon the value follows directly; otherwise a space starts the next term.
    let blank = term.last == ":" ? "" : " "
    return LineEditor(
      before + (isExcluded ? "-" : "") + term + blank, before: String(after.drop(while: \.isWhitespace)))
  }

  /// Text as the value of a term, quoted if necessary; nil if it can't be a value.
  static func quoted(_ text: String) -> String? {
    if text.isEmpty || text.contains(where: quotes.contains) { return nil }
    return text.contains { $0.isWhitespace || $0 == ":" } ? "\"\(text)\"" : text
  }
}
