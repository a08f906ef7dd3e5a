/// How numbers, nouns and names stand in messages.
package enum Wording {
  /// "1 photo", "0 photos", "12 photos".
  /// - Parameter plural: nil = the singular with an s.
  package static func count(
    _ number: some BinaryInteger, _ singular: String, _ plural: String? = nil
  ) -> String {
    "\(number) \(noun(number, singular, plural))"
  }

  /// The form of a noun, or of a verb, that goes with a number: "photo" or "photos", "is" or "are".
  package static func noun(
    _ number: some BinaryInteger, _ singular: String, _ plural: String? = nil
  ) -> String {
    number == 1 ? singular : plural ?? singular + "s"
  }

  /// A noun, or an abbreviation of a format, behind its article: "a JPEG", "an AVI", "an MP4", "an image".
  package static func withArticle(_ words: String) -> String {
    "\(soundsLikeVowel(words) ? "an" : "a") \(words)"
  }

  /// Whether a word begins with the sound of a vowel: abbreviations without one in the second place are spelled out,
  /// others are spoken as words ("a RAF", "an RW2").
  private static func soundsLikeVowel(_ words: String) -> Bool {
    let letters = Array(words.unicodeScalars.prefix(2))
    guard let first = letters.first else { return false }
    let vowels = "aeiouAEIOU".unicodeScalars
    let isSpelled =
      letters.count == 1
      || first.properties.isUppercase && !letters[1].properties.isLowercase && !vowels.contains(letters[1])
    if isSpelled, first.properties.isUppercase { return "AEFHILMNORSX".unicodeScalars.contains(first) }
    // Eight, eleven and eighteen are none of our formats.
    return vowels.contains(first)
  }

  /// A name as it stands before a colon: in quotes where its ends would not be seen, since it is empty, or a blank or
  /// another colon stands there.
  package static func name(_ name: String) -> String {
    guard let first = name.first, let last = name.last else { return "''" }
    return first.isWhitespace || last.isWhitespace || last == ":" ? "'\(name)'" : name
  }
}
