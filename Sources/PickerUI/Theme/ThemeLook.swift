/// The colors and attributes of one style; unset ones are inherited from the tone or from plain text.
package struct ThemeLook: Hashable, Sendable {
  /// A text attribute of terminals.
  package enum Attribute: String, CaseIterable, Hashable, Sendable {
    case bold, faint, underline, reverse
  }

  package var foreground: ThemeColor?
  package var background: ThemeColor?
  /// Attributes forced on or off, overriding the picker's own.
  package var attributes: [Attribute: Bool]

  package init(
    _ foreground: ThemeColor? = nil, on background: ThemeColor? = nil, _ attributes: [Attribute: Bool] = [:]
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// A word that is neither a color nor an attribute, or is misplaced.
  package struct UnknownWord: Error, Hashable {
    package var word: String
  }

  /// Reads text such as `bold bright-yellow on #202020`: attributes, optionally negated with `no-`, a color,
  /// `on` and a background color.
  package init(parsing text: String) throws(UnknownWord) {
    self.init()
    var isBehind = false
    for part in text.lowercased().split(whereSeparator: \.isWhitespace) {
      let word = String(part)
      let isNegated = word.hasPrefix("no-")
      if isBehind {
        guard background == nil, let color = ThemeColor(name: word) else { throw UnknownWord(word: word) }
        background = color
        isBehind = false
      } else if let attribute = Attribute(rawValue: isNegated ? String(word.dropFirst(3)) : word) {
        attributes[attribute] = !isNegated
      } else if word == "on", background == nil {
        isBehind = true
      } else if foreground == nil, let color = ThemeColor(name: word) {
        foreground = color
      } else {
        throw UnknownWord(word: word)
      }
    }
    if isBehind { throw UnknownWord(word: "on") }
  }

  /// The look in the syntax that `init(parsing:)` reads.
  package var text: String {
    var words = Attribute.allCases.compactMap { attribute in
      attributes[attribute].map { $0 ? attribute.rawValue : "no-\(attribute.rawValue)" }
    }
    if let foreground { words.append(foreground.name) }
    if let background { words += ["on", background.name] }
    return words.joined(separator: " ")
  }

  /// Overrides this look with the set parts of another one.
  mutating func apply(_ look: ThemeLook) {
    foreground = look.foreground ?? foreground
    background = look.background ?? background
    attributes.merge(look.attributes) { $1 }
  }
}
