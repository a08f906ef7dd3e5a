/// The words that a search understands as dates and kinds: English ones, and those of the user's language.
public struct SearchVocabulary: Hashable, Sendable {
  /// The day that "yesterday" and "last summer" count from.
  public var today: AssetDate
  /// The months as they are suggested, from January on.
  public let monthNames: [String]
  /// The kinds as they are suggested, each under one name.
  let kindNames: [KindName]
  private var months: [String: Int] = [:]
  private var shortMonths: [String: Int] = [:]
  private var kinds: [String: PickerFilter.Name] = [:]

  /// A kind under the name by which it is suggested.
  struct KindName: Hashable, Sendable {
    var name: String
    var kind: PickerFilter.Name
  }

  static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  /// - Parameters:
  ///   - monthNames: the twelve months in the user's language; those after them are other forms of the same twelve.
  ///   - shortMonthNames: their abbreviations.
  ///   - language: the code of the user's language (ISO 639-1), for the names of kinds.
  ///   - today: what words such as "yesterday" count from.
  public init(
    monthNames: [String] = [], shortMonthNames: [String] = [], language: String = "en",
    today: AssetDate = .now
  ) {
    self.today = today
    self.monthNames = monthNames.count >= 12 ? Array(monthNames.prefix(12)) : Self.englishMonths
    for (index, name) in (monthNames + shortMonthNames).enumerated() {
      let word = Self.word(name)
      // Some languages only have one form, which is the full one.
      if index < monthNames.count { months[word] = index % 12 + 1 }
      shortMonths[word] = (index < monthNames.count ? index : index - monthNames.count) % 12 + 1
    }
    for (index, name) in Self.englishMonths.enumerated() {
      months[Self.word(name)] = index + 1
      shortMonths[String(Self.word(name).prefix(3))] = index + 1
    }
    shortMonths["sept"] = 9
    let own = Self.kindWords[language] ?? []
    var names: [KindName] = []
    for (kind, words) in own + Self.englishKindWords {
      for word in words where kinds[Self.fold(word)] == nil { kinds[Self.fold(word)] = kind }
      if let word = words.first { names.append(KindName(name: word, kind: kind)) }
    }
    kindNames = names
  }

  /// A word as it is compared.
  static func fold(_ word: String) -> String { String(decoding: TextPattern.fold(word), as: UTF8.self) }

  private static func word(_ name: String) -> String {
    let folded = fold(name)
    return folded.last == "." ? String(folded.dropLast()) : folded
  }

  /// A month by its full name, folded.
  func month(named word: String) -> Int? { months[word] }

  /// A month by a short name, folded.
  func month(abbreviated word: String) -> Int? { shortMonths[word] }

  /// A kind by one of its names, in one word or several with blanks between them.
  func kind(named words: String) -> PickerFilter.Name? { kinds[Self.fold(words)] }
}

// MARK: Completion

extension SearchVocabulary {
  /// The names of kinds with a word that begins with a prefix, in their usual order, each kind once.
  public func kinds(beginningWith prefix: String) -> [String] {
    let prefix = TextPattern.fold(prefix)
    var found: Set<PickerFilter.Name> = [.hidden]
    return kindNames.filter { name in
      SearchText.hasWord(TextPattern.fold(name.name), beginningWith: prefix)
        && found.insert(name.kind).inserted
    }.map(\.name)
  }

  /// Dates in words that begin with a prefix: months, seasons, days and what came last.
  public func dates(beginningWith prefix: String) -> [String] {
    let prefix = TextPattern.fold(prefix)
    let months = monthNames + (monthNames == Self.englishMonths ? [] : Self.englishMonths)
    return (months + Self.datePhrases).filter { TextPattern.fold($0).starts(with: prefix) }
  }

  private static let datePhrases = [
    "today", "yesterday", "this week", "last week", "this month", "last month", "this year", "last year",
    "last spring", "last summer", "last autumn", "last winter", "spring", "summer", "autumn", "winter",
  ]
}
