/// Makes one argument of many, before the parser sees them, and many of one afterwards.
///
/// The parser's work is quadratic in the number of arguments, and ten thousand file names are no rarity. Names are folded
/// where they can't be anything else: a word without a dash behind another such word, or behind the value of an option
/// that may be repeated.
enum ArgumentFolding {
  /// Stands between the words of one argument: the character for a NUL byte (`ArgumentBytes`), which none holds.
  private static let separator = ArgumentBytes.standIn(0)

  /// Arguments in which the words that belong to the same list and follow each other are one.
  /// - Parameter repeatable: the options with a value of which several may be given.
  static func folded(_ arguments: [String], repeatable: Set<String>) -> [String] {
    var lists = Lists()
    var result: [String] = []
    // Whether the next word is no option's value.
    var isFree = true
    var isBehindTerminator = false
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      let isName = word == "-" || !word.utf8.starts(with: [UInt8(ascii: "-")])
      if isName, isFree, word != "-" {
        lists.append(word, to: nil)
        continue
      }
      if isFree, !isBehindTerminator {
        if repeatable.contains(word), index < arguments.count {
          lists.append(arguments[index], to: word)
          index += 1
          continue
        }
        if let equals = word.firstIndex(of: "="), repeatable.contains(String(word[..<equals])) {
          lists.append(String(word[word.index(after: equals)...]), to: String(word[..<equals]))
          continue
        }
      }
      result += lists.takeArguments() + [word]
      if word == "--" { isBehindTerminator = true }
      // A word behind an option may be its value, which may be anything.
      isFree = isName || (word.utf8.starts(with: "--".utf8) && word.contains("="))
    }
    return result + lists.takeArguments()
  }

  /// The words of arguments that may be folded.
  static func words(_ arguments: [String]) -> [String] {
    arguments.flatMap { argument in
      argument.unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
  }

  /// One argument of many words.
  static func joined(_ words: some Sequence<String>) -> String {
    words.joined(separator: String(separator))
  }

  /// Words that were found and not given out yet.
  private struct Lists {
    private var words: [String] = []
    private var values: [(option: String, words: [String])] = []

    /// - Parameter option: the option whose value it is; nil for a word of its own.
    mutating func append(_ word: String, to option: String?) {
      guard let option else { return words.append(word) }
      if let place = values.firstIndex(where: { $0.option == option }) {
        values[place].words.append(word)
      } else {
        values.append((option, [word]))
      }
    }

    mutating func takeArguments() -> [String] {
      defer { self = Lists() }
      return values.flatMap { [$0.option, ArgumentFolding.joined($0.words)] }
        + (words.isEmpty ? [] : [ArgumentFolding.joined(words)])
    }
  }
}
