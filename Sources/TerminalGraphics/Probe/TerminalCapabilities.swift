package import Pixels

/// The capabilities of a terminal.
package struct TerminalCapabilities: Hashable, Sendable {
  /// Whether the terminal confirmed kitty's graphics protocol.
  var hasKitty = false
  /// Whether it confirmed that it reads kitty pictures from shared memory.
  package var hasKittySharedMemory = false
  /// Whether it confirmed that it reads kitty pictures from temporary files.
  package var hasKittyTemporaryFiles = false
  /// Whether the terminal confirmed sixels.
  var hasSixel = false
  /// Size of a character cell in pixels, if known.
  package var cellSize: PixelSize?
  /// Size of the largest sixel picture in pixels.
  package var largestSixel: PixelSize?
  /// Number of color registers of a sixel picture.
  package var colorRegisters: Int?
  /// Whether it supports synchronized output (mode 2026).
  package var hasSynchronizedOutput = false
  /// Whether it can report changes of its colors to dark or light (mode 2031).
  package var hasColorSchemeReports = false
  /// Whether it reports the mouse in pixels (mode 1016).
  package var hasPixelMouse = false
  /// The terminal's own name (XTVERSION), or the one that belongs to its numbers (DA2).
  package var name: String?
  /// The first number of DA1: the terminal that it claims to be, such as 62 for a VT220.
  var conformance: Int?
  /// The numbers of DA2.
  var secondaryAttributes: [Int] = []
  /// Whether it confirmed 24-bit colors of text.
  var hasTrueColor = false
  /// The background, for transparent pictures.
  package var background: Color?
  /// The first sixteen colors, as far as the terminal reports them.
  package var palette: [Int: Color] = [:]
  /// What is known of it beyond its answers.
  package var quirks = TerminalQuirks()
  /// tmux's information about the terminal around it; nil without tmux.
  package var tmuxClient: TmuxClient?
  /// The same, if the terminal is tmux; nil for a terminal that was started in a pane, which inherits TMUX.
  var confirmedTmuxClient: TmuxClient? {
    let isTmux = secondaryAttributes.first.map { $0 == Self.tmuxNumber } ?? true
    return quirks.needsPassthrough && isTmux ? tmuxClient : nil
  }
  /// The first number of tmux's DA2.
  private static let tmuxNumber = 84

  package init() {}

  /// Returns whether it has at least 256 colors for text, whatever TERM says.
  package func has256Colors(in environment: TerminalEnvironment) -> Bool {
    if quirks.colors == .described { return false }
    return environment.hasTrueColor || hasTrueColor || name != nil || (conformance ?? 0) >= 62
  }

  /// Number of colors for text, without the terminfo database: 8, 256 or true color.
  package func colorCount(in environment: TerminalEnvironment) -> Int {
    if quirks.colors != .described, hasTrueColor || environment.hasTrueColor { return 1 << 24 }
    return has256Colors(in: environment) ? 256 : 8
  }

  /// Whether it reads kitty pictures from shared memory or files.
  var readsKittyHandovers: Bool { hasKittySharedMemory || hasKittyTemporaryFiles }
}

/// How pictures are drawn.
package enum GraphicsProtocol: String, CaseIterable, Hashable, Sendable {
  case kitty, iterm, sixel, blocks, none
}

/// Number of colors for text.
package enum ColorDepth: Int, Comparable, Hashable, Sendable {
  case monochrome = 1
  case eight = 8
  case sixteen = 16
  case palette256 = 256
  case trueColor = 16_777_216

  package static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }

  /// Creates the depth for the number of colors in the terminal's terminfo entry.
  package init(colors: Int) {
    self =
      switch colors {
      case ..<8: .monochrome
      case ..<16: .eight
      case ..<256: .sixteen
      case 256..<65536: .palette256
      default: .trueColor
      }
  }

  /// Determines the color depth of text.
  /// - Parameters:
  ///   - described: colors in the terminal's terminfo entry; nil if there is no terminal, in which case the
  ///     eventual reader is assumed to show any color.
  ///   - capabilities: the terminal's answers; inside tmux, its name may be known only from tmux itself.
  package init(
    described: Int?, _ capabilities: TerminalCapabilities, in environment: TerminalEnvironment
  ) {
    guard environment.allowsColors else {
      self = .monochrome
      return
    }
    guard let described else {
      self = .trueColor
      return
    }
    self = ColorDepth(colors: described)
    if described < 8 { return }
    var quirks = capabilities.quirks
    if capabilities.name == nil, let name = capabilities.confirmedTmuxClient?.tmuxName {
      quirks = TerminalQuirks(of: TerminalName(name), in: environment)
    }
    // Independent of COLORTERM, which tmux does not pass on.
    let isClaimed = environment.hasTrueColor || capabilities.hasTrueColor
    switch quirks.colors {
    case .all: self = .trueColor
    case .claimed where isClaimed: self = .trueColor
    // TERM=xterm claims eight colors for terminals that have had 256 for decades.
    case .claimed where capabilities.has256Colors(in: environment): self = max(self, .palette256)
    case .claimed, .described: break
    }
  }
}
