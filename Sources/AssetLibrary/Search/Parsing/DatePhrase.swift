/// A date in several words of everyday language: "12 may 2022", "last summer".
struct DatePhrase {
  /// The meaning of a single word.
  private enum Part: Hashable {
    case day(Int)
    case year(Int)
    /// A full name is a date on its own; an abbreviation only next to a number.
    case month(Int, isShort: Bool)
    /// A season, given by its first month.
    case season(Int)
    /// A complete date.
    case span(DateSpan)
    /// "week", "month" and "year", after "last" or "this".
    case wholeWeek, wholeMonth, wholeYear
    case last, this
    /// "de" and "of" between other words.
    case filler
  }

  private let parts: [Part]
  private let today: AssetDate

  /// The maximum number of words in a date.
  static let mostWords = 5

  /// Parses words; nil if one of them can't be part of a date.
  /// - Parameter words: folded with `TextPattern.fold`.
  init?(_ words: [String], in vocabulary: SearchVocabulary) {
    var parts: [Part] = []
    for word in words {
      guard let part = Self.part(word, vocabulary) else { return nil }
      parts.append(part)
    }
    guard parts.first != .filler, parts.last != .filler else { return nil }
    self.parts = parts.filter { $0 != .filler }
    today = vocabulary.today
  }

  /// The meaning of all words together; nil if they are not a date.
  var span: DateSpan? {
    switch parts.count {
    case 1: single(parts[0])
    case 2: pair(parts[0], parts[1])
    case 3: triple(parts[0], parts[1], parts[2])
    default: nil
    }
  }

  private func single(_ part: Part) -> DateSpan? {
    switch part {
    case .span(let span): span
    case .year(let year): .year(year)
    case .month(let month, isShort: false): .everyYear(months: [month], day: nil)
    case .season(let month): .everyYear(months: (month..<month + 3).map { ($0 - 1) % 12 + 1 }, day: nil)
    default: nil
    }
  }

  private func pair(_ first: Part, _ second: Part) -> DateSpan? {
    switch (first, second) {
    case (.month(let month, _), .year(let year)), (.year(let year), .month(let month, _)):
      .months(year, from: month)
    case (.month(let month, _), .day(let day)), (.day(let day), .month(let month, _)):
      // Validate the day in a leap year, which has every day.
      DateSpan.day(2000, month, day).map { _ in .everyYear(months: [month], day: day) }
    case (.season(let month), .year(let year)), (.year(let year), .season(let month)):
      .months(year, from: month, count: 3)
    case (.last, let part): relative(part, isLast: true)
    case (.this, let part): relative(part, isLast: false)
    default: nil
    }
  }

  private func triple(_ first: Part, _ second: Part, _ third: Part) -> DateSpan? {
    switch (first, second, third) {
    case (.day(let day), .month(let month, _), .year(let year)),
      (.month(let month, _), .day(let day), .year(let year)):
      .day(year, month, day)
    default: nil
    }
  }

  // MARK: Last and this

  private func relative(_ part: Part, isLast: Bool) -> DateSpan? {
    let (year, month) = (today.components.year, today.components.month)
    switch part {
    case .wholeWeek:
      // Weeks start on Monday (ISO 8601).
      let monday = today.startOfDay(-((today.weekday + 6) % 7))
      return .days(from: isLast ? monday.startOfDay(-7) : monday, count: 7)
    case .wholeMonth:
      return isLast && month == 1
        ? .months(year - 1, from: 12) : .months(year, from: month - (isLast ? 1 : 0))
    case .wholeYear: return .year(isLast ? year - 1 : year)
    case .month(let month, _): return recurring(from: month, count: 1, isLast: isLast)
    case .season(let month): return recurring(from: month, count: 3, isLast: isLast)
    default: return nil
    }
  }

  /// Returns a period that recurs every year: the last one that is over, or the current or this year's one.
  private func recurring(from month: Int, count: Int, isLast: Bool) -> DateSpan? {
    let year = today.components.year
    let spans = (0...2).map { DateSpan.months(year - $0, from: month, count: count) }
    let now = spans.first { span in
      if case .days(let start, let end) = span { start <= today && today < end } else { false }
    }
    let over = spans.first { span in if case .days(_, let end) = span { end <= today } else { false } }
    return isLast ? over : now ?? spans.first
  }

  // MARK: Words

  private static let seasons = ["spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12]

  private static func part(_ word: String, _ vocabulary: SearchVocabulary) -> Part? {
    let today = vocabulary.today
    switch word {
    case "today": return .span(.days(from: today))
    case "yesterday": return .span(.days(from: today.startOfDay(-1)))
    case "week": return .wholeWeek
    case "month": return .wholeMonth
    case "year": return .wholeYear
    case "last": return .last
    case "this": return .this
    case "de", "of": return .filler
    default: break
    }
    if let season = seasons[word] { return .season(season) }
    let plain = word.last == "," || word.last == "." ? String(word.dropLast()) : word
    if let month = vocabulary.month(named: plain) { return .month(month, isShort: false) }
    if let month = vocabulary.month(abbreviated: plain) { return .month(month, isShort: true) }
    return number(plain)
  }

  /// Parses "2022", "12", "12th", "2022-05", "2022-05-12" or "12.5.2022".
  private static func number(_ word: String) -> Part? {
    let digits = word.prefix { ("0"..."9").contains($0) }
    guard let number = Int(digits) else { return nil }
    let rest = word.dropFirst(digits.count)
    if rest.isEmpty {
      if digits.count == 4, years.contains(number) { return .year(number) }
      return digits.count <= 2 && (1...31).contains(number) ? .day(number) : nil
    }
    if ["st", "nd", "rd", "th", "er"].contains(rest) {
      return (1...31).contains(number) && digits.count <= 2 ? .day(number) : nil
    }
    let dotted = word.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    if dotted.count == 3, years.contains(dotted[2]) {
      return DateSpan.day(dotted[2], dotted[1], dotted[0]).map(Part.span)
    }
    return DateSpan(numeric: word).flatMap { years.contains(number) ? .span($0) : nil }
  }

  /// Numbers of four digits that are taken for years: photos are not older, and most other numbers are not
  /// years.
  static let years = 1800...2199
}

extension DateSpan {
  /// Parses `2024`, `2024-05` or `2024-05-01`, of any year.
  init?(numeric text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    var numbers: [Int] = []
    for (part, width) in zip(parts, [4, 2, 2]) {
      guard part.utf8.count == width, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(part)
      else { return nil }
      numbers.append(number)
    }
    guard parts.count == numbers.count, let year = numbers.first, year > 0 else { return nil }
    switch numbers.count {
    case 1: self = .year(year)
    case 2 where (1...12).contains(numbers[1]): self = .months(year, from: numbers[1])
    case 3:
      guard let day = DateSpan.day(year, numbers[1], numbers[2]) else { return nil }
      self = day
    default: return nil
    }
  }
}

/// The period in which an asset was taken, according to a search.
enum DateSpan: Hashable, Sendable {
  /// From the start of one day to the start of another.
  case days(from: AssetDate, until: AssetDate)
  /// Some months of every year, or one day of a month in every year.
  case everyYear(months: [Int], day: Int?)

  static func year(_ year: Int) -> DateSpan {
    .days(from: AssetDate(year: year, month: 1, day: 1), until: AssetDate(year: year + 1, month: 1, day: 1))
  }

  /// Returns `count` months; `month` may be greater than 12, for months of the following year.
  static func months(_ year: Int, from month: Int, count: Int = 1) -> DateSpan {
    .days(from: firstDay(year, month), until: firstDay(year, month + count))
  }

  /// Returns `count` days, the first of which contains `day`.
  static func days(from day: AssetDate, count: Int = 1) -> DateSpan {
    .days(from: day.startOfDay(0), until: day.startOfDay(count))
  }

  /// Returns a day; nil if it does not exist in the calendar.
  static func day(_ year: Int, _ month: Int, _ day: Int) -> DateSpan? {
    // Checked before the calculation: a day of 20 digits would overflow it.
    guard year > 0, (1...12).contains(month), (1...31).contains(day) else { return nil }
    let date = AssetDate(year: year, month: month, day: day)
    // A day that is not in the calendar is normalized to another one.
    guard date.components.month == month, date.components.day == day else { return nil }
    return .days(from: date, count: 1)
  }

  private static func firstDay(_ year: Int, _ month: Int) -> AssetDate {
    AssetDate(year: year + (month - 1) / 12, month: (month - 1) % 12 + 1, day: 1)
  }

  var predicate: AssetPredicate {
    switch self {
    case .days(let start, let end):
      .and([.date(.creationDate, .greaterOrEqual, start), .date(.creationDate, .less, end)])
    case .everyYear(let months, let day): .everyYear(.creationDate, months: months, day: day)
    }
  }

  /// Returns the start of the period; for a recurring period, the start of its most recent one.
  func start(before today: AssetDate) -> AssetDate {
    switch self {
    case .days(let start, _): return start
    case .everyYear(let months, let day):
      let year = today.components.year
      let start = AssetDate(year: year, month: months.first ?? 1, day: day ?? 1)
      return start <= today ? start : AssetDate(year: year - 1, month: months.first ?? 1, day: day ?? 1)
    }
  }
}

extension AssetDate {
  /// Returns the start of the day that is `offset` days after this date.
  func startOfDay(_ offset: Int) -> AssetDate {
    AssetDate(wallSeconds: Int64(dayNumber + offset) * 86400)
  }
}
