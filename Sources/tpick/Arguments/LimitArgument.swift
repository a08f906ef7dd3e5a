/// The parsed value of `--limit`.
enum LimitArgument {
  /// The number of photos, 0 = no limit; nil where none is given.
  /// - Throws: `Failure` for anything but digits.
  static func limit(_ word: String?) throws(Failure) -> Int? {
    guard let word else { return nil }
    guard !word.isEmpty, word.allSatisfy({ ("0"..."9").contains($0) }), let limit = Int(word) else {
      throw .usage("--limit: '\(word)' is not a number of photos; a whole number is expected, 0 for no limit")
    }
    return limit
  }
}
