import ArgumentParser
import Results

/// A value that is one of a few words, in any case of letters.
protocol WordArgument: ExpressibleByArgument {
  /// The values that may be given.
  static var choices: [Self] { get }
  /// How a value is written.
  var word: String { get }
}

extension WordArgument {
  /// The value of a word; nil for any other one.
  static func choice(_ text: some StringProtocol) -> Self? {
    let text = text.lowercased()
    return choices.first { $0.word.lowercased() == text }
  }

  static var allValueStrings: [String] { choices.map(\.word) }

  init?(argument: String) {
    guard let choice = Self.choice(argument) else { return nil }
    self = choice
  }
}

extension WordArgument where Self: CaseIterable, AllCases == [Self] {
  static var choices: [Self] { allCases }
}

// The parser has its own defaults for these, which mind capitals.
extension WordArgument where Self: RawRepresentable, RawValue == String {
  var word: String { rawValue }

  init?(argument: String) {
    guard let choice = Self.choice(argument) else { return nil }
    self = choice
  }
}

extension WordArgument where Self: CaseIterable, Self: RawRepresentable, RawValue == String {
  static var allValueStrings: [String] { choices.map(\.word) }
}
