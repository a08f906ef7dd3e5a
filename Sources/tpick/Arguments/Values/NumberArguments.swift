import AssetLibrary
import Configuration
import CursesHost
import Pixels

/// Parses numbers and measures.
enum NumberArguments {
  /// A number of photos, 0 for no limit.
  static func count(_ word: String) throws(ArgumentProblem) -> Int {
    guard let count = Int(word), count >= 0, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw ArgumentProblem(
        "'\(word)' is not a number of photos; expected a whole number, 0 for no limit")
    }
    return count
  }

  /// The timeout of a server in seconds.
  static func timeout(_ word: String) throws(ArgumentProblem) -> Int {
    guard let seconds = Int(word), (1...3600).contains(seconds) else {
      throw ArgumentProblem("'\(word)' is not a number of seconds from 1 to 3600")
    }
    return seconds
  }

  /// The quality of a JPEG file.
  static func quality(_ word: String) throws(ArgumentProblem) -> Int {
    guard let quality = Int(word), (1...100).contains(quality) else {
      throw ArgumentProblem("'\(word)' is not a number from 1 to 100")
    }
    return quality
  }

  /// A duration in seconds.
  static func seconds(_ word: String) throws(ArgumentProblem) -> Double {
    guard let seconds = MeasureText.seconds(of: word) else {
      throw ArgumentProblem("'\(word)' is not a duration; expected one such as 60s, 1:30 or 1m30s")
    }
    return seconds
  }

  /// The size of a file in bytes.
  static func bytes(_ word: String) throws(ArgumentProblem) -> Int64 {
    guard let bytes = MeasureText.bytes(of: word).flatMap({ Int64(exactly: $0.rounded(.down)) }) else {
      throw ArgumentProblem("'\(word)' is not a file size; expected one such as 500kB or 10MB")
    }
    return bytes
  }

  /// The rows of a picker that does not use the whole window.
  static func height(_ word: String) throws(ArgumentProblem) -> WindowPart {
    try part(word, "rows such as 15")
  }

  /// The columns of a picker that does not use the whole window.
  static func width(_ word: String) throws(ArgumentProblem) -> WindowPart {
    try part(word, "columns such as 80")
  }

  private static func part(_ word: String, _ units: String) throws(ArgumentProblem) -> WindowPart {
    if let part = WindowPart(word) { return part }
    throw ArgumentProblem("'\(word)' is not a number of \(units), or a part of the window such as 40%")
  }
}

/// Parses sizes such as `40x20`.
enum SizeArguments {
  /// Columns and rows.
  /// - Throws: `ArgumentProblem` if the text is invalid.
  static func cells(_ text: String) throws(ArgumentProblem) -> CellSize {
    if let size = SizeText.cells(of: text) { return size }
    throw ArgumentProblem("'\(text)' is not a number of columns and rows such as 40x20")
  }

  /// The size of a character cell in pixels.
  /// - Throws: `ArgumentProblem` if the text is invalid.
  static func cellSize(_ text: String) throws(ArgumentProblem) -> PixelSize {
    if let size = SizeText.cell(of: text) { return size }
    throw ArgumentProblem("'\(text)' is not a size in pixels such as 10x20")
  }
}

/// The value of `--max-size`: pixels, bytes, or both.
struct MaximumSize {
  /// The maximum number of pixels of the longer side.
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
