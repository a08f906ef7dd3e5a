/// What text on the screen means; the host turns it into colours and attributes.
package struct TextStyle: Hashable, Sendable {
  /// The tone of the text.
  package enum Tone: Hashable, Sendable {
    case plain, dim, accent, warning, error
  }

  package var tone = Tone.plain
  package var isBold = false
  package var isReversed = false
  /// Which part of the screen it is, for themes that give that part a look of its own.
  package var part: StyleName?

  package init(_ tone: Tone = .plain, bold: Bool = false, reversed: Bool = false, part: StyleName? = nil) {
    self.tone = tone
    isBold = bold
    isReversed = reversed
    self.part = part
  }

  package static let plain = TextStyle()
  package static let bold = TextStyle(.plain, bold: true)
  package static let dim = TextStyle(.dim)
  package static let accent = TextStyle(.accent)
}

// What the parts of the screen look like, by what they are: the whole of the picker's design in one place.

extension TextStyle {
  /// Lines between parts, borders.
  static let rule = TextStyle(.dim, part: .rule)
  /// The name of what is shown.
  static let title = TextStyle(.plain, bold: true, part: .title)
  /// Words over a group of lines.
  static let heading = TextStyle(.dim, part: .heading)
  /// The date over a group of photos.
  static let dayHeader = TextStyle(.plain, part: .dayHeader)
  static let banner = TextStyle(.accent, part: .banner)
  static let scrollBar = TextStyle(.dim, part: .scrollBar)
  /// The part of a bar that is done.
  static let progress = TextStyle(.accent, part: .progress)

  /// The bars beside the name under the cursor.
  static let cursor = TextStyle(.accent, bold: true, part: .cursor)
  static let badge = TextStyle(.dim, part: .badge)
  /// The part of a name that a search found.
  static let match = TextStyle(.accent, bold: true, part: .match)

  /// The name under a thumbnail.
  static func caption(isCurrent: Bool, isPicked: Bool, isDimmed: Bool) -> TextStyle {
    isPicked
      ? TextStyle(.accent, bold: isCurrent, reversed: true, part: .picked)
      : TextStyle(isDimmed ? .dim : .plain, bold: isCurrent, part: isDimmed ? nil : .caption)
  }

  /// A line of a list or a menu.
  static func line(isCurrent: Bool, isChosen: Bool) -> TextStyle {
    TextStyle(
      isCurrent || isChosen ? .accent : .plain, bold: isChosen, reversed: isCurrent,
      part: isCurrent ? .currentLine : isChosen ? .chosenLine : nil)
  }

  /// A condition of the user's that can be removed.
  static let chip = TextStyle(.accent, part: .chip)
  /// A condition of the caller's, which stays.
  static let fixedFilter = TextStyle(.plain, part: .fixedFilter)
  static let prompt = TextStyle(.accent, bold: true, part: .prompt)
  static let fault = TextStyle(.warning, part: .fault)

  static let hintKey = TextStyle(.accent, part: .hintKey)
  static let hintWords = TextStyle(.dim, part: .hintWords)
  static let fact = TextStyle(.plain, part: .fact)
  static let factLabel = TextStyle(.dim, part: .factLabel)
  /// Words for something that went wrong.
  static let defect = TextStyle(.error, part: .defect)
}
