/// The private modes of a terminal, followed from what the program sends.
package struct TerminalModes: Equatable, Sendable {
  /// The modes that are set.
  package private(set) var enabled: Set<Int> = [7, 25]
  /// How many synchronized updates were begun and ended.
  package private(set) var synchronizedFrames = 0

  /// The modes a terminal has that nothing was sent to yet.
  package init() {}

  /// The modes that a terminal of these days knows.
  static let known: Set<Int> = [1, 7, 25, 47, 1000, 1002, 1003, 1004, 1006, 1047, 1048, 1049, 2004]

  /// Whether the private mode of this number is set.
  package func isSet(_ mode: Int) -> Bool { enabled.contains(mode) }

  /// Whether the alternate screen is shown.
  package var altScreenActive: Bool { isSet(1049) || isSet(1047) || isSet(47) }
  /// Whether the cursor can be seen.
  package var cursorVisible: Bool { isSet(25) }
  /// Whether the mouse is reported in any way.
  package var mouseActive: Bool { !enabled.isDisjoint(with: [9, 1000, 1002, 1003]) }
  /// Whether pasted text comes in brackets.
  package var bracketedPasteActive: Bool { isSet(2004) }
  /// Whether the cursor keys send application sequences.
  package var applicationCursorKeys: Bool { isSet(1) }
  /// Whether a synchronized update is going on, so that nothing new is shown yet.
  package var insideSynchronizedUpdate: Bool { isSet(2026) }

  /// Takes note of a control sequence that sets, resets or softly resets modes.
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

  /// Goes back to the initial modes, as a full reset does.
  mutating func reset() {
    enabled = TerminalModes().enabled
  }
}
