/// The parsed value of `--limit` and of the limits by kind.
enum LimitArgument {
  /// The number of photos, 0 = no limit; nil where none is given.
  /// - Throws: `Failure` for anything but digits.
  static func limit(_ word: String?, option: String = "--limit") throws(Failure) -> Int? {
    guard let word else { return nil }
    guard !word.isEmpty, word.allSatisfy({ ("0"..."9").contains($0) }), let limit = Int(word) else {
      throw .usage(
        "\(option): '\(word)' is not a number of photos; a whole number is expected, 0 for no limit")
    }
    return limit
  }
}
