import AssetLibrary

/// The value of `--max-size`: pixels, bytes, or both.
struct MaximumSize {
  /// The most pixels of the longer side.
  private(set) var longestSide: Int?
  private(set) var byteCount: Int64?

  init(_ text: String) throws(ArgumentProblem) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.filter { !$0.isWhitespace }.lowercased()
      let digits = word.hasSuffix("px") ? word.dropLast(2) : word[...]
      if let side = Int(digits), (1...1 << 20).contains(side), digits.allSatisfy(\.isASCII) {
        longestSide = side
      } else if word.contains(where: \.isLetter), let bytes = MeasureText.bytes(of: word),
        let count = Int64(exactly: bytes.rounded(.down)), count > 0
      {
        byteCount = count
      } else {
        throw ArgumentProblem("'\(part)' is neither a number of pixels such as 2048 nor a size such as 2MB")
      }
    }
  }
}
