import CursesHost

/// The parsed value of `--height`.
enum HeightArgument {
  /// - Throws: `Failure` for anything but rows or a part of the window.
  static func height(_ word: String?) throws(Failure) -> InlineHeight? {
    guard let word else { return nil }
    guard let height = InlineHeight(word) else {
      throw .usage(
        "--height: '\(word)' is not a number of rows such as 15, or a part of the window such as 40%")
    }
    return height
  }
}
