/// The private modes of a terminal, tracked from the program's output.
package struct TerminalModes: Equatable, Sendable {
  /// The modes that are set.
  package private(set) var enabled: Set<Int> = [7, 25]
  /// How many synchronized updates were begun and ended.
  package private(set) var synchronizedFrames = 0

  /// The initial modes of a terminal.
  package init() {}

  /// The modes that a current terminal supports.
  static let known: Set<Int> = [1, 7, 25, 47, 1000, 1002, 1003, 1004, 1006, 1047, 1048, 1049, 2004]

  /// Whether the private mode with this number is set.
  package func isSet(_ mode: Int) -> Bool { enabled.contains(mode) }

  /// Whether the alternate screen is shown.
  package var altScreenActive: Bool { isSet(1049) || isSet(1047) || isSet(47) }
  /// Whether the cursor is visible.
  package var cursorVisible: Bool { isSet(25) }
  /// Whether the mouse is reported in any way.
  package var mouseActive: Bool { !enabled.isDisjoint(with: [9, 1000, 1002, 1003]) }
  /// Whether the program gets anything but keys: the mouse in cells or pixels, the focus, brackets around pasted text,
  /// changes of the colors or of the window.
  package var sendsReports: Bool {
    !enabled.isDisjoint(with: [9, 1000, 1002, 1003, 1004, 1006, 1016, 2004, 2031, 2048])
  }
  /// Whether pasted text is bracketed.
  package var bracketedPasteActive: Bool { isSet(2004) }
  /// Whether the cursor keys send application sequences.
  package var applicationCursorKeys: Bool { isSet(1) }
  /// Whether a synchronized update is in progress, so that nothing new is shown yet.
  package var insideSynchronizedUpdate: Bool { isSet(2026) }

  /// Handles a control sequence that sets, resets or soft-resets modes.
  mutating func apply(_ sequence: ControlSequence) {
    switch sequence.final {
    case UInt8(ascii: "h") where sequence.matches("?h"): enabled.formUnion(sequence.parameters)
    case UInt8(ascii: "l") where sequence.matches("?l"):
      if insideSynchronizedUpdate, sequence.parameters.contains(2026) { synchronizedFrames += 1 }
      enabled.subtract(sequence.parameters)
    case UInt8(ascii: "p") where sequence.matches("!p"):
      enabled.insert(25)
      enabled.remove(1)
    default: break
    }
  }

  /// Restores the initial modes, as a full reset does.
  mutating func reset() {
    enabled = TerminalModes().enabled
  }
}
