/// The meaning of text on the screen, which the host maps to colors and attributes.
package struct TextStyle: Hashable, Sendable {
  /// The general meaning of text.
  package enum Tone: Hashable, Sendable {
    case plain, dim, accent, warning, error
  }

  package var tone = Tone.plain
  package var isBold = false
  package var isReversed = false
  /// The named part of the screen, for themes that style it separately.
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

// The styles of all parts of the screen, in one place.

extension TextStyle {
  /// Lines between panes, and borders.
  static let rule = TextStyle(.dim, part: .rule)
  /// Titles of the grid, of boxes and of pictures.
  static let title = TextStyle(.plain, bold: true, part: .title)
  /// A heading above a group of lines.
  static let heading = TextStyle(.dim, part: .heading)
  /// The date above a group of photos.
  static let dayHeader = TextStyle(.plain, part: .dayHeader)
  static let banner = TextStyle(.accent, part: .banner)
  static let scrollBar = TextStyle(.dim, part: .scrollBar)
  /// The completed part of a progress bar.
  static let progress = TextStyle(.accent, part: .progress)

  /// The frame of the tile under the cursor, and the bars beside a name under it.
  static let cursor = TextStyle(.accent, part: .cursor)
  /// The frame of a picked tile.
  package static let pickFrame = TextStyle(.accent, part: .pickFrame)
  /// The number of a pick, over its picture.
  static let pickNumber = TextStyle(.accent, reversed: true, part: .picked)
  /// The place of a picture that has not come, or can't be shown.
  static let placeholder = placeholder(.dim)
  /// What is said there.
  static func placeholder(_ tone: Tone) -> TextStyle { TextStyle(tone, part: .placeholder) }
  /// What is said of a photo over its picture.
  static let mark = TextStyle(.plain, part: .mark)
  static let badge = TextStyle(.dim, part: .badge)
  /// The part of a name that matches the search.
  static let match = TextStyle(.accent, bold: true, part: .match)

  /// The name below a thumbnail.
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

  /// A filter of the user, which can be removed.
  static let chip = TextStyle(.accent, part: .chip)
  /// A filter of the caller, which stays.
  static let fixedFilter = TextStyle(.plain, part: .fixedFilter)
  static let prompt = TextStyle(.accent, bold: true, part: .prompt)
  static let fault = TextStyle(.warning, part: .fault)

  static let hintKey = TextStyle(.accent, part: .hintKey)
  static let hintWords = TextStyle(.dim, part: .hintWords)
  static let fact = TextStyle(.plain, part: .fact)
  static let factLabel = TextStyle(.dim, part: .factLabel)
  // The histograms of the colors.
  static let histogramRed = TextStyle(.dim, part: .histogramRed)
  static let histogramGreen = TextStyle(.dim, part: .histogramGreen)
  static let histogramBlue = TextStyle(.dim, part: .histogramBlue)
  /// The reason why a picture can't be shown.
  static let defect = TextStyle(.error, part: .defect)
}
