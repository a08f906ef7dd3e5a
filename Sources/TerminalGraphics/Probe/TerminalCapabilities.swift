package import Pixels

/// What a terminal was found to be able to do.
package struct TerminalCapabilities: Hashable, Sendable {
  /// Whether the terminal said that it understands kitty's graphics protocol.
  var hasKitty = false
  /// Whether it said that it reads kitty's pictures from shared memory.
  package var hasKittySharedMemory = false
  /// Whether it said that it reads kitty's pictures from temporary files.
  package var hasKittyTemporaryFiles = false
  /// Whether the terminal said that it draws sixels.
  var hasSixel = false
  /// The size of a character cell in pixels, as far as it is known.
  package var cellSize: PixelSize?
  /// The largest sixel picture in pixels.
  package var largestSixel: PixelSize?
  /// The colour registers of a sixel picture.
  package var colorRegisters: Int?
  /// Whether a frame can be shown at once (mode 2026).
  package var hasSynchronizedOutput = false
  /// What the terminal calls itself.
  package var name: String?
  /// The background, for pictures that let it through.
  package var background: Color?
  /// The colors that the first sixteen numbers stand for, as far as the terminal says so.
  package var palette: [Int: Color] = [:]
  /// What is known of it beyond its answers.
  package var quirks = TerminalQuirks()
  /// What tmux says of the terminal that it runs in; nil without tmux.
  var tmuxClient: TmuxClient?

  package init() {}

  /// Whether kitty's pictures reach it without going through the terminal's line.
  var readsKittyHandovers: Bool { hasKittySharedMemory || hasKittyTemporaryFiles }
}

/// How pictures reach the screen.
package enum GraphicsProtocol: String, CaseIterable, Hashable, Sendable {
  case kitty, iterm, sixel, blocks, none
}

/// How many colours text can have.
package enum ColorDepth: Int, Comparable, Hashable, Sendable {
  case monochrome = 1
  case eight = 8
  case sixteen = 16
  case palette256 = 256
  case trueColor = 16_777_216

  package static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }

  /// The depth that a number of colours in the terminal's description stands for.
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

  /// The depth of the colours of text, by all that is known.
  /// - Parameters:
  ///   - described: the colours in the terminal's description; nil where there is no terminal, and whoever
  ///     reads the text later is taken to show any colour.
  ///   - name: what the terminal calls itself.
  package init(described: Int?, name: String?, in environment: TerminalEnvironment) {
    guard environment.variables["NO_COLOR"] == nil else {
      self = .monochrome
      return
    }
    guard let described else {
      self = .trueColor
      return
    }
    // Whatever COLORTERM says, which tmux does not pass on.
    let takesTrueColor =
      name.map { TerminalQuirks(of: TerminalName($0), in: environment).hasTrueColor } ?? false
    let hasTrueColor = environment.hasTrueColor || takesTrueColor
    self = described >= 8 && hasTrueColor ? .trueColor : ColorDepth(colors: described)
    // TERM=xterm claims eight colours for terminals that have had 256 for decades: any that is new enough to
    // tell its name has them.
    if described >= 8, name != nil { self = max(self, .palette256) }
  }
}
