import AssetLibrary

/// Why a value is none of its option's.
struct ArgumentProblem: Error, CustomStringConvertible {
  /// The value and what is wrong with it, without the name of the option.
  var description: String

  init(_ description: String) { self.description = description }

  /// A word that is none of those that are expected.
  /// - Parameter kind: what such a word is, with a plural in s.
  init(_ word: some StringProtocol, isNoneOf choices: [String], kind: String = "value") {
    description = NearestWord.message(unknown: kind, String(word), known: choices)
  }
}
