// The values of terms that compare a number, and of those that ask for the file's form.

extension SearchTerm {
  /// Stars and how they are compared.
  func rating() throws(SearchQueryError) -> AssetPredicate {
    let (sign, digits) = comparison
    guard digits.count == 1, let stars = Int(digits), (0...5).contains(stars) else {
      throw failure("is no number of stars", advice: "write one from 0 to 5, as rating:4 or rating:>=4")
    }
    return .number(.rating, sign, Double(stars))
  }

  /// Pixels of a side, after orientation; a side that is not known meets nothing.
  func pixels(_ key: AssetPredicate.NumberKey) throws(SearchQueryError) -> AssetPredicate {
    let (sign, digits) = comparison
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let pixels = Double(digits)
    else {
      let name = (self.key ?? "").lowercased()
      throw failure("is no number of pixels", advice: "write one, as \(name):1920 or \(name):>=1920")
    }
    return Self.known(key, .number(key, sign, pixels), unless: !sign.holds(0, pixels))
  }

  /// The length of the file.
  func size() throws(SearchQueryError) -> AssetPredicate {
    let (sign, text) = comparison
    guard let bytes = MeasureText.bytes(of: text) else {
      throw failure("is no size of a file", advice: "write one with its unit, as size:>2MB or size:<=500kB")
    }
    return .number(.byteCount, sign, bytes)
  }

  /// Seconds of what has a duration; equal are durations that are rounded to the same second.
  func duration() throws(SearchQueryError) -> AssetPredicate {
    let (sign, text) = comparison
    guard let seconds = MeasureText.seconds(of: text) else {
      throw failure("is no duration", advice: "write one with its unit, as duration:<=60s or duration:>5min")
    }
    let isEqual = AssetPredicate.duration >= seconds - 0.5 && AssetPredicate.duration < seconds + 0.5
    let predicate: AssetPredicate =
      switch sign {
      case .equal: isEqual
      case .notEqual: .not(isEqual)
      default: .number(.duration, sign, seconds)
      }
    return Self.known(.duration, predicate, unless: false)
  }

  /// The shape of the picture after orientation.
  func shape() throws(SearchQueryError) -> AssetPredicate {
    guard let shape = AssetPredicate.Shape(rawValue: value.lowercased()) else {
      throw failure(
        "is no shape of a picture", advice: "write ratio:landscape, ratio:portrait or ratio:square")
    }
    return .shape(shape)
  }

  /// What the file's name ends with, with or without its dot.
  func fileExtension() throws(SearchQueryError) -> AssetPredicate {
    let suffix = value.drop { $0 == "." }
    guard !suffix.isEmpty else {
      throw failure("names no file extension", advice: "write what the file's name ends with, as ext:heic")
    }
    return .fileExtension(suffix.lowercased())
  }

  /// How something is compared, and with what.
  private var comparison: (AssetPredicate.Comparison, Substring) {
    // Longer signs first: "<=" begins with "<".
    let signs: [AssetPredicate.Comparison] = [
      .lessOrEqual, .greaterOrEqual, .notEqual, .less, .greater, .equal,
    ]
    let sign = signs.first { value.hasPrefix($0.rawValue) }
    return (sign ?? .equal, value.dropFirst(sign?.rawValue.count ?? 0))
  }

  /// A condition on a number that is 0 where it is not known.
  private static func known(
    _ key: AssetPredicate.NumberKey, _ predicate: AssetPredicate, unless isImplied: Bool
  ) -> AssetPredicate {
    isImplied ? predicate : .and([.number(key, .greater, 0), predicate])
  }
}
