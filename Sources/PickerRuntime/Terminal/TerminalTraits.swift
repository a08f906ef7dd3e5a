package import Pixels
package import TerminalGraphics

/// What a terminal is like, as far as pictures and their speed go; found out before it was taken.
package struct TerminalTraits: Hashable, Sendable {
  package var capabilities: TerminalCapabilities
  package var environment: TerminalEnvironment
  /// How many colours text can have.
  package var colorCount: Int
  /// Whether its characters are Unicode's.
  package var isUTF8: Bool
  /// What the terminal is used as, where the database does not know it by its own name; nil where it does.
  package var substitute: String?
  /// The bytes that choose the background of what is erased; none = the terminal's own.
  package var ground: [UInt8]
  /// What shows through pictures that let something through.
  package var backdrop: Backdrop
  /// The color of the frame around what is picked.
  package var pickColor: Color
  /// Whether it says when it has drawn all, if it is asked.
  package var tellsWhenDrawn: Bool
  /// How long its answers take, as far as that is known.
  package var roundTrip: Duration?

  package init(
    capabilities: TerminalCapabilities, environment: TerminalEnvironment, colorCount: Int, isUTF8: Bool,
    substitute: String? = nil, ground: [UInt8], backdrop: Backdrop, pickColor: Color = .white,
    tellsWhenDrawn: Bool,
    roundTrip: Duration? = nil
  ) {
    self.capabilities = capabilities
    self.environment = environment
    self.colorCount = colorCount
    self.isUTF8 = isUTF8
    self.substitute = substitute
    self.ground = ground
    self.backdrop = backdrop
    self.pickColor = pickColor
    self.tellsWhenDrawn = tellsWhenDrawn
    self.roundTrip = roundTrip
  }

  /// How long an answer is waited for where nobody can go on without it.
  var answerPatience: Duration { environment.patience / 2 }
}
