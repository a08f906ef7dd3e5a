/// What is known of a terminal beyond what it answers.
package struct TerminalQuirks: Hashable, Sendable {
  /// Draws iTerm2's inline images; terminals can't be asked for that.
  var hasInlineImages = false
  /// Draws kitty's pictures where their placeholder characters stand.
  var hasPlaceholders = false
  /// Takes 24-bit colors of text, and shows the nearest where it is shown in a terminal with fewer.
  var hasTrueColor = false
  /// Passes sequences on that are wrapped for it, as far as it is set up to.
  var needsPassthrough = false
  /// What the terminal may say that it can, but what doesn't work.
  package var unusable: Set<GraphicsProtocol> = []
  /// The ways of drawing pictures that are usable, the best one first.
  var preference: [GraphicsProtocol] = [.kitty, .iterm, .sixel]
  /// A sequence has to have fewer bytes than this.
  package var longestSequence: Int?
  /// Why, for reports.
  package var note: String?

  package init() {}
}
