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
  package static let pickNumber = TextStyle(.accent, reversed: true, part: .picked)
  /// The placeholder of a picture that is loading or can't be shown.
  static let placeholder = placeholder(.dim)
  /// Text in the placeholder.
  static func placeholder(_ tone: Tone) -> TextStyle { TextStyle(tone, part: .placeholder) }
  /// Badges and duration of a photo, over its picture.
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
    // Not bold where reversed: many terminals would draw its background in the bright color.
    TextStyle(
      isCurrent || isChosen ? .accent : .plain, bold: isChosen && !isCurrent, reversed: isCurrent,
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

extension TextStyle.Tone {
  var name: StyleName {
    switch self {
    case .plain: .plain
    case .dim: .dim
    case .accent: .accent
    case .warning: .warning
    case .error: .error
    }
  }
}

/// The styles that a theme defines: the tones of text and the named parts of the screen.
///
/// A part without a style of its own looks like its tone, and a tone like plain text.
package enum StyleName: String, CaseIterable, Hashable, Sendable {
  // Tones.
  case plain, dim, accent, warning, error

  // Parts.
  /// Lines between panes, and borders.
  case rule
  /// Titles of the grid, of boxes and of pictures.
  case title
  /// A heading above a group of lines.
  case heading
  /// The date above a group of photos.
  case dayHeader = "day-header"
  /// The line above the grid under limited access.
  case banner
  case scrollBar = "scroll-bar"
  /// The completed part of a progress bar.
  case progress
  /// The bars beside the name under the cursor.
  case cursor
  /// The name below a thumbnail.
  case caption
  /// The number of a picked photo, and its name if it is shown.
  case picked
  /// The frame of a picked photo.
  case pickFrame = "pick-frame"
  /// The placeholder of a picture that is loading or can't be shown.
  case placeholder
  /// Badges and duration of a photo, over its picture.
  case mark
  case badge
  /// The part of a name that matches the search.
  case match
  /// The line of a list or a menu at the cursor.
  case currentLine = "current-line"
  /// The active line of a list or a menu.
  case chosenLine = "chosen-line"
  /// A filter of the user, which can be removed.
  case chip
  /// A filter of the caller, which stays.
  case fixedFilter = "fixed-filter"
  /// The label of a prompt.
  case prompt
  /// The error message of a prompt.
  case fault
  case hintKey = "hint-key"
  case hintWords = "hint-words"
  case fact
  case factLabel = "fact-label"
  // The histograms of the colors.
  case histogramRed = "histogram-red"
  case histogramGreen = "histogram-green"
  case histogramBlue = "histogram-blue"
  /// The reason why a picture can't be shown.
  case defect
}
