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
  /// The terminal's own name (XTVERSION).
  package var name: String?
  /// The background, for transparent pictures.
  package var background: Color?
  /// The first sixteen colors, as far as the terminal reports them.
  package var palette: [Int: Color] = [:]
  /// What is known of it beyond its answers.
  package var quirks = TerminalQuirks()
  /// tmux's information about the terminal around it; nil without tmux.
  var tmuxClient: TmuxClient?

  package init() {}

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
  ///   - name: the terminal's own name.
  package init(described: Int?, name: String?, in environment: TerminalEnvironment) {
    guard environment.variables["NO_COLOR"] == nil else {
      self = .monochrome
      return
    }
    guard let described else {
      self = .trueColor
      return
    }
    // Independent of COLORTERM, which tmux does not pass on.
    let takesTrueColor =
      name.map { TerminalQuirks(of: TerminalName($0), in: environment).hasTrueColor } ?? false
    let hasTrueColor = environment.hasTrueColor || takesTrueColor
    self = described >= 8 && hasTrueColor ? .trueColor : ColorDepth(colors: described)
    // TERM=xterm claims eight colors for terminals that have had 256 for decades: any that is new enough to report
    // its name has them.
    if described >= 8, name != nil { self = max(self, .palette256) }
  }
}
