/// What text on the screen means; the host turns it into colours and attributes.
public struct TextStyle: Hashable, Sendable {
  /// The tone of the text.
  public enum Tone: Hashable, Sendable {
    case plain, dim, accent, warning, error
  }

  public var tone = Tone.plain
  public var isBold = false
  public var isReversed = false

  public init(_ tone: Tone = .plain, bold: Bool = false, reversed: Bool = false) {
    self.tone = tone
    isBold = bold
    isReversed = reversed
  }

  public static let plain = TextStyle()
  public static let bold = TextStyle(.plain, bold: true)
  public static let dim = TextStyle(.dim)
  public static let accent = TextStyle(.accent)
}

// What the parts of the screen look like, by what they are: the whole of the picker's design in one place.

extension TextStyle {
  /// Lines between parts, borders.
  static let rule = TextStyle(.dim)
  /// The name of what is shown.
  static let title = TextStyle(.plain, bold: true)
  /// Words over a group of lines.
  static let heading = TextStyle(.dim)
  /// The date over a group of photos.
  static let dayHeader = TextStyle(.plain)
  static let banner = TextStyle(.accent)
  static let scrollBar = TextStyle(.dim)
  /// The part of a bar that is done.
  static let progress = TextStyle(.accent)

  /// The bars beside the name under the cursor.
  static let cursor = TextStyle(.accent, bold: true)
  static let badge = TextStyle(.dim)
  /// The part of a name that a search found.
  static let match = TextStyle(.accent, bold: true)

  /// The name under a thumbnail.
  static func caption(isCurrent: Bool, isPicked: Bool, isDimmed: Bool) -> TextStyle {
    isPicked
      ? TextStyle(.accent, bold: isCurrent, reversed: true)
      : TextStyle(isDimmed ? .dim : .plain, bold: isCurrent)
  }

  /// A line of a list or a menu.
  static func line(isCurrent: Bool, isChosen: Bool) -> TextStyle {
    TextStyle(isCurrent || isChosen ? .accent : .plain, bold: isChosen, reversed: isCurrent)
  }

  /// A condition of the user's that can be removed.
  static let chip = TextStyle(.accent)
  /// A condition of the caller's, which stays.
  static let fixedFilter = TextStyle(.plain)
  static let prompt = TextStyle(.accent, bold: true)
  static let fault = TextStyle(.warning)

  static let hintKey = TextStyle(.accent)
  static let hintWords = TextStyle(.dim)
  static let fact = TextStyle(.plain)
  static let factLabel = TextStyle(.dim)
  /// Words for something that went wrong.
  static let defect = TextStyle(.error)
}
