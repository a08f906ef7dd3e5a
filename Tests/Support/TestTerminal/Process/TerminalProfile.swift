/// What kind of terminal a session plays: its name, its environment and what it answers.
package struct TerminalProfile: Sendable {
  /// The graphics protocols a terminal may know.
  package enum Graphics: Hashable, Sendable {
    /// DEC's sixels.
    case sixel
    /// kitty's graphics protocol.
    case kitty
    /// iTerm2's inline images.
    case iterm
  }

  /// A name for messages.
  package var name: String
  /// The value of `TERM`.
  package var term: String
  /// Further variables that such a terminal sets, `COLORTERM` among them.
  package var environment: [String: String]
  /// Whether it answers queries at all.
  package var answersQueries = true
  /// Whether it answers the question for its status (DSR 5).
  package var answersStatus = true
  /// The name and version that XTVERSION gives; without one the query stays unanswered.
  package var version: String?
  /// The parameters of the answer to DA1.
  package var deviceAttributes = [62, 22]
  /// The graphics protocols it knows.
  package var graphics: Set<Graphics> = []
  /// Whether it knows synchronized output (mode 2026).
  package var synchronizedOutput = true
  /// Whether it tells the sizes of a cell and of its text area in pixels.
  package var reportsPixelSizes = true
  /// The number of sixel color registers.
  package var colorRegisters = 256
  /// The largest sixel picture in pixels; the text area unless given.
  package var largestSixel: (width: Int, height: Int)?
  /// The media that it takes kitty pictures from: `d`irect, `f`ile, `t`emporary file, `s`hared memory.
  package var kittyMedia = "dfts"
  /// Its own text color.
  package var foreground = TerminalRGB(0xE5, 0xE5, 0xE5)
  /// The colors of its palette that it tells when it is asked for them.
  package var palette: [Int: TerminalRGB] = [:]
  /// Its own background color.
  package var background = TerminalRGB(0x10, 0x14, 0x18)

  /// Makes a profile without graphics.
  package init(
    name: String, term: String, environment: [String: String] = ["COLORTERM": "truecolor"],
    version: String? = nil
  ) {
    self.name = name
    self.term = term
    self.environment = environment
    self.version = version
  }

  private init(
    _ name: String, term: String = "xterm-256color", version: String, graphics: Graphics,
    deviceAttributes: [Int] = [62, 22], environment: [String: String] = [:]
  ) {
    self.init(name: name, term: term, version: version)
    self.environment.merge(environment) { $1 }
    self.graphics = [graphics]
    self.deviceAttributes = deviceAttributes
  }

  /// A terminal like xterm or foot with sixels.
  package static let sixel = TerminalProfile(
    "sixel", version: "XTerm(379)", graphics: .sixel, deviceAttributes: [62, 4, 22])

  /// A terminal with sixels that shows what has come so far, like xterm.
  package static let xterm: TerminalProfile = {
    var profile = sixel
    profile.name = "xterm"
    profile.synchronizedOutput = false
    return profile
  }()

  /// kitty.
  package static let kitty = TerminalProfile(
    "kitty", term: "xterm-kitty", version: "kitty(0.26.5)", graphics: .kitty, deviceAttributes: [62],
    environment: ["KITTY_WINDOW_ID": "1"])

  /// iTerm2.
  package static let iterm = TerminalProfile(
    "iterm", version: "iTerm2 3.4.23", graphics: .iterm,
    environment: ["TERM_PROGRAM": "iTerm.app", "LC_TERMINAL": "iTerm2"])

  /// A terminal with true color and no graphics.
  package static let trueColor = TerminalProfile(
    name: "trueColor", term: "xterm-256color", version: "VTE(7002)")

  /// A terminal that answers nothing.
  package static let dumb: TerminalProfile = {
    var profile = TerminalProfile(name: "dumb", term: "vt100", environment: [:])
    profile.answersQueries = false
    return profile
  }()

  /// A terminal with 256 colors and no graphics.
  package static let color256 = older(
    TerminalProfile(name: "color256", term: "xterm-256color", environment: [:]))

  /// A terminal with 16 colors and no graphics.
  package static let color16 = older(
    TerminalProfile(name: "color16", term: "xterm-16color", environment: [:]))

  /// A terminal with 8 colors and no graphics.
  package static let color8 = older(TerminalProfile(name: "color8", term: "xterm", environment: [:]))

  private static func older(_ profile: TerminalProfile) -> TerminalProfile {
    var profile = profile
    profile.synchronizedOutput = false
    profile.reportsPixelSizes = false
    return profile
  }
}
