extension StringProtocol {
  /// The text without blanks and NULs at its ends.
  var trimmed: String {
    let isBlank = { (character: Character) in character.isWhitespace || character == "\0" }
    var rest = self[...]
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest.drop(while: isBlank))
  }
}
