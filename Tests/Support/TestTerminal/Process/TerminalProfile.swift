/// The kind of terminal that a session simulates: its name, its environment and its answers.
package struct TerminalProfile: Sendable {
  /// The graphics protocols a terminal may support.
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
  /// Further variables that such a terminal sets, including `COLORTERM`.
  package var environment: [String: String]
  /// Whether it answers queries at all.
  package var answersQueries = true
  /// Whether it answers the status query (DSR 5).
  package var answersStatus = true
  /// The name and version that XTVERSION returns; without one the query stays unanswered.
  package var version: String?
  /// The parameters of the answer to DA1.
  package var deviceAttributes = [62, 22]
  /// The supported graphics protocols.
  package var graphics: Set<Graphics> = []
  /// Whether it supports synchronized output (mode 2026).
  package var synchronizedOutput = true
  /// Whether it reports the mouse in pixels (mode 1016), as kitty, foot, WezTerm, Ghostty and newer xterms do.
  package var pixelMouse = true
  /// Whether it reports the sizes of a cell and of its text area in pixels.
  package var reportsPixelSizes = true
  /// The number of sixel color registers.
  package var colorRegisters = 256
  /// The largest sixel picture in pixels; the text area unless given.
  package var largestSixel: (width: Int, height: Int)?
  /// The most sixel pictures that it keeps, and then it keeps them only as long as nothing is written over any part
  /// of one, as in tmux; nil keeps all.
  package var mostPictures: Int?
  /// The transmission media accepted for kitty pictures: `d`irect, `f`ile, `t`emporary file, `s`hared memory.
  package var kittyMedia = "dfts"
  /// Its default text color.
  package var foreground = TerminalRGB(0xE5, 0xE5, 0xE5)
  /// The palette colors that it reports when queried.
  package var palette: [Int: TerminalRGB] = [:]
  /// Its default background color.
  package var background = TerminalRGB(0x10, 0x14, 0x18)

  /// Creates a profile without graphics.
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

  /// A terminal with sixels that shows partial updates, like xterm.
  package static let xterm: TerminalProfile = {
    var profile = sixel
    profile.name = "xterm"
    profile.synchronizedOutput = false
    return profile
  }()

  /// tmux with sixels.
  /// - Parameters:
  ///   - version: its version.
  ///   - mostPictures: the most pictures that this version keeps.
  package static func tmux(_ version: String, mostPictures: Int) -> TerminalProfile {
    var profile = TerminalProfile(
      "tmux \(version)", term: "tmux-256color", version: "tmux \(version)", graphics: .sixel,
      deviceAttributes: [1, 2, 4])
    profile.mostPictures = mostPictures
    profile.pixelMouse = false
    profile.synchronizedOutput = false
    return profile
  }

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
    // Anything from a VT220 on would have 256 colors.
    profile.deviceAttributes = [1, 2]
    return profile
  }
}
