// The values of a search's terms.

extension SearchTerm {
  /// The first moment of what a date says, or of the day so many days ago.
  func date(_ vocabulary: SearchVocabulary) throws(SearchQueryError) -> AssetDate {
    if let start = Self.start(ofLast: value, before: vocabulary.today) { return start }
    return try span(vocabulary, example: "7d").start(before: vocabulary.today)
  }

  /// What a date says.
  /// - Parameter example: what else may be written than a month.
  func span(
    _ vocabulary: SearchVocabulary, example: String = "yesterday"
  ) throws(SearchQueryError) -> DateSpan {
    if let span = DateSpan(numeric: value) { return span }
    let words = value.split(whereSeparator: \.isWhitespace).map { SearchVocabulary.fold(String($0)) }
    guard let span = DatePhrase(words, in: vocabulary)?.span else {
      let name = (key ?? "").lowercased()
      throw failure("is no date", advice: "write \(name):2024-05 or \(name):\(example)")
    }
    return span
  }

  /// "7d", "2w", "3m", "1y": the day so many days, weeks, months or years ago.
  private static func start(ofLast text: String, before today: AssetDate) -> AssetDate? {
    let digits = text.dropLast()
    guard !digits.isEmpty, digits.count <= 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(digits)
    else { return nil }
    let (year, month, day) = (today.components.year, today.components.month, today.components.day)
    switch text.last {
    case "d": return today.startOfDay(-count)
    case "w": return today.startOfDay(-7 * count)
    case "m", "y":
      let months = year * 12 + month - 1 - count * (text.last == "y" ? 12 : 1)
      guard months >= 12 else { return AssetDate(year: 1, month: 1, day: 1) }
      // The last day of a month that has no such day.
      let days = (1...day).reversed().lazy.compactMap { DateSpan.day(months / 12, months % 12 + 1, $0) }
      return days.first?.start(before: today)
    default: return nil
    }
  }

  /// A filter by its name, in one word of the user's.
  func type(_ vocabulary: SearchVocabulary) throws(SearchQueryError) -> PickerFilter.Name {
    guard let kind = vocabulary.kind(named: value) else {
      throw failure(
        "is no kind of photo",
        advice:
          "write type:photo, type:video, type:live, type:raw, type:screenshots or the name of another filter")
    }
    return kind
  }

  /// A place and how far around it.
  func near() throws(SearchQueryError) -> AssetPredicate {
    let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.drop(while: \.isWhitespace)) ?? .nan
    }
    guard numbers.count == 3, (-90...90).contains(numbers[0]), (-180...180).contains(numbers[1]),
      numbers[2] >= 0, numbers[2].isFinite
    else {
      throw failure(
        "is no place",
        advice: "write latitude and longitude in degrees and kilometres, as near:38.72,-9.14,10")
    }
    let place = Location(latitude: numbers[0], longitude: numbers[1])
    return .location(near: place, kilometers: numbers[2])
  }
}
