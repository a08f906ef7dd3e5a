/// Finds the known word that was probably meant by an unknown one.
package enum NearestWord {
  /// Longer words are not typing errors of a known word.
  private static let longest = 40

  /// Returns the nearest of the known words, ignoring case; nil if none is near, or if several are equally
  /// near.
  ///
  /// A known word is near if it begins with `word`, or differs from it by few typing errors: a missing, extra
  /// or wrong letter, or two transposed letters.
  package static func of(_ word: String, in known: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased())
    guard letters.count > 1, letters.count <= longest else { return nil }
    var best: (word: String, slips: Int)?
    var isTied = false
    for candidate in known {
      let other = Array(candidate.lowercased())
      let slips =
        other.starts(with: letters) ? min(1, other.count - letters.count) : slips(from: letters, to: other)
      guard slips <= max(1, min(letters.count, other.count) / 3) else { continue }
      if slips == best?.slips, candidate != best?.word { isTied = true }
      if slips < best?.slips ?? .max { (best, isTied) = ((candidate, slips), false) }
    }
    return isTied ? nil : best?.word
  }

  /// Returns a message about an unknown word: "unknown value 'nwest'; did you mean newest? Values are newest,
  /// oldest".
  /// - Parameter kind: what the word should be; its plural ends with s: "value".
  package static func message(unknown kind: String, _ word: String, known: [String]) -> String {
    let list = "are \(known.joined(separator: ", "))"
    guard let meant = of(word, in: known) else { return "unknown \(kind) '\(word)'; \(kind)s \(list)" }
    return
      "unknown \(kind) '\(word)'; did you mean \(meant)? \(kind.prefix(1).uppercased())\(kind.dropFirst())s \(list)"
  }

  /// Returns the optimal string alignment distance (Damerau 1964; no letter is changed twice).
  private static func slips(from word: [Character], to other: [Character]) -> Int {
    guard !word.isEmpty, !other.isEmpty else { return max(word.count, other.count) }
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for row in 1...word.count {
      var current = [row]
      for column in 1...other.count {
        let isSame = word[row - 1] == other[column - 1]
        var slips = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, word[row - 1] == other[column - 2], word[row - 2] == other[column - 1] {
          slips = min(slips, beforeLast[column - 2] + 1)
        }
        current.append(slips)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
