// The values of a search's terms.

extension SearchTerm {
  /// The first moment of a year, a month or a day.
  func date() throws(SearchQueryError) -> AssetDate {
    let expected = "a date such as 2024, 2024-05 or 2024-05-01"
    let parts = value.split(separator: "-", omittingEmptySubsequences: false)
    let widths = [4, 2, 2]
    var numbers: [Int] = []
    for (part, width) in zip(parts, widths) {
      guard part.utf8.count == width, part.allSatisfy(\.isASCIIDigit), let number = Int(part) else {
        throw failure(expected)
      }
      numbers.append(number)
    }
    guard parts.count == numbers.count, let year = numbers.first, year > 0 else { throw failure(expected) }
    let month = numbers.count > 1 ? numbers[1] : 1
    let day = numbers.count > 2 ? numbers[2] : 1
    guard (1...12).contains(month) else { throw failure(expected) }
    let date = AssetDate(year: year, month: month, day: day)
    // A day that is not in the calendar comes back as another one.
    guard date.components.month == month, date.components.day == day else { throw failure(expected) }
    return date
  }

  /// A filter by its name, in one word of the user's.
  func type() throws(SearchQueryError) -> PickerFilter.Name {
    let word = value.lowercased()
    let match = PickerFilter.Name.allCases.first { name in
      let name = name.rawValue.lowercased()
      return name == word || name == word + "s"
    }
    guard let match = Self.types[word] ?? match else {
      let names = Self.types.keys.sorted() + PickerFilter.Name.allCases.map(\.rawValue)
      throw failure("one of \(names.joined(separator: ", "))")
    }
    return match
  }

  /// What users call what filters call otherwise.
  private static let types: [String: PickerFilter.Name] = [
    "photo": .images, "photos": .images, "live": .livePhotos, "gif": .animated, "animation": .animated,
    "animations": .animated, "portrait": .depthEffectPhotos, "slomo": .slomoVideos,
    "timelapse": .timelapseVideos, "spatial": .spatialMedia, "cinematic": .cinematicVideos,
  ]

  /// Stars and how they are compared.
  func rating() throws(SearchQueryError) -> AssetPredicate {
    // Longer signs first: "<=" begins with "<".
    let signs: [AssetPredicate.Comparison] = [
      .lessOrEqual, .greaterOrEqual, .notEqual, .less, .greater, .equal,
    ]
    let sign = signs.first { value.hasPrefix($0.rawValue) }
    let digits = value.dropFirst(sign?.rawValue.count ?? 0)
    guard digits.count == 1, let stars = Int(digits), (0...5).contains(stars) else {
      throw failure("a number of stars from 0 to 5, as in rating:4 or rating:>=4,")
    }
    return .number(.rating, sign ?? .equal, Double(stars))
  }

  /// A place and how far around it.
  func near() throws(SearchQueryError) -> AssetPredicate {
    let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.drop(while: \.isWhitespace)) ?? .nan
    }
    guard numbers.count == 3, (-90...90).contains(numbers[0]), (-180...180).contains(numbers[1]),
      numbers[2] >= 0, numbers[2].isFinite
    else { throw failure("latitude and longitude in degrees and kilometres, as in near:38.72,-9.14,10,") }
    let place = Location(latitude: numbers[0], longitude: numbers[1])
    return .location(near: place, kilometers: numbers[2])
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII }
}
