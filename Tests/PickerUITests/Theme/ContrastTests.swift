import AssetLibrary
import Fixtures
import Pixels
import Testing

@testable import PickerUI

/// The contrast of all styles in well-known color schemes, and the table of it in Docs/Terminals.md.
@Suite struct ContrastTests {
  /// A color scheme of terminals, as it answers OSC 11 and OSC 4.
  struct Scheme: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let ground: Color
    let hex: String
    let palette: [Int: Color]

    init(_ name: String, _ ground: String, _ dark: String, _ bright: String) {
      func color(_ hex: Substring) -> Color {
        let value = UInt32(hex, radix: 16) ?? 0
        return Color(
          red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
      }
      testDescription = name
      hex = ground
      self.ground = color(ground[...])
      let colors = (dark.split(separator: " ") + bright.split(separator: " ")).map(color)
      palette = Dictionary(uniqueKeysWithValues: colors.enumerated().map { ($0.offset, $0.element) })
    }

    var isLight: Bool {
      (Int(ground.red) * 299 + Int(ground.green) * 587 + Int(ground.blue) * 114) / 1000 > 128
    }

    var theme: Theme {
      ThemeChoice().theme(onLightBackground: isLight, ground: ground, palette: palette)
    }

    /// The contrast of a style's text to what it is drawn on; nil if both colors are the terminal's own.
    func contrastAsDrawn(_ style: TextStyle, in theme: Theme) -> Double? {
      let ink = theme.attributes(for: style, colors: 256)
      func color(_ number: Int32) -> Color? {
        number < 0 ? nil : palette[Int(number)] ?? ThemeColor.indexed(UInt8(number)).color
      }
      let (text, own) = (color(ink.foreground), color(ink.background))
      guard text != nil || own != nil else { return nil }
      // The terminal's own text on a background of the theme may be illegible.
      return text?.contrast(with: own ?? ground) ?? 0
    }

    /// The contrast of a style's text to the background.
    func contrast(_ style: TextStyle, in theme: Theme) throws -> Double {
      try #require(theme.foreground(of: style, colors: 256, palette: palette)).contrast(with: ground)
    }
  }

  /// From the schemes' own pages, and from Windows Terminal's for One Half, Tango and Campbell.
  private static let schemes = [
    Scheme(
      "Solarized Dark", "002b36",
      "073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5",
      "002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3"),
    Scheme(
      "Solarized Light", "fdf6e3",
      "073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5",
      "002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3"),
    Scheme(
      "Gruvbox Dark", "282828",
      "282828 cc241d 98971a d79921 458588 b16286 689d6a a89984",
      "928374 fb4934 b8bb26 fabd2f 83a598 d3869b 8ec07c ebdbb2"),
    Scheme(
      "Gruvbox Light", "fbf1c7",
      "fbf1c7 cc241d 98971a d79921 458588 b16286 689d6a 7c6f64",
      "928374 9d0006 79740e b57614 076678 8f3f71 427b58 3c3836"),
    Scheme(
      "Dracula", "282a36",
      "21222c ff5555 50fa7b f1fa8c bd93f9 ff79c6 8be9fd f8f8f2",
      "6272a4 ff6e6e 69ff94 ffffa5 d6acff ff92df a4ffff ffffff"),
    Scheme(
      "Nord", "2e3440",
      "3b4252 bf616a a3be8c ebcb8b 81a1c1 b48ead 88c0d0 e5e9f0",
      "4c566a bf616a a3be8c ebcb8b 81a1c1 b48ead 8fbcbb eceff4"),
    Scheme(
      "Catppuccin Mocha", "1e1e2e",
      "45475a f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 bac2de",
      "585b70 f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 a6adc8"),
    Scheme(
      "Catppuccin Latte", "eff1f5",
      "5c5f77 d20f39 40a02b df8e1d 1e66f5 ea76cb 179299 acb0be",
      "6c6f85 d20f39 40a02b df8e1d 1e66f5 ea76cb 179299 bcc0cc"),
    Scheme(
      "One Half Dark", "282c34",
      "282c34 e06c75 98c379 e5c07b 61afef c678dd 56b6c2 dcdfe4",
      "5a6374 e06c75 98c379 e5c07b 61afef c678dd 56b6c2 dcdfe4"),
    Scheme(
      "One Half Light", "fafafa",
      "383a42 e45649 50a14f c18301 0184bc a626a4 0997b3 fafafa",
      "4f525d df6c75 98c379 e4c07a 61afef c577dd 56b5c1 ffffff"),
    Scheme(
      "Tango Dark", "000000",
      "000000 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf",
      "555753 ef2929 8ae234 fce94f 729fcf ad7fa8 34e2e2 eeeeec"),
    Scheme(
      "Tango Light", "ffffff",
      "000000 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf",
      "555753 ef2929 8ae234 fce94f 729fcf ad7fa8 34e2e2 eeeeec"),
    Scheme(
      "Campbell", "0c0c0c",
      "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc",
      "767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2"),
    Scheme(
      "xterm, black", "000000",
      "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5",
      "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"),
    Scheme(
      "xterm, white", "ffffff",
      "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5",
      "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"),
  ]

  private static let dim: [TextStyle] = [
    .dim, .rule, .hintWords, .heading, .factLabel, .badge, .scrollBar,
    .caption(isCurrent: false, isPicked: false, isDimmed: true),
  ]

  private static let colored: [TextStyle] = [
    .accent, .banner, .progress, .cursor, .pickFrame, .pickNumber, .match, .chip, .prompt, .fault, .hintKey,
    .defect, .line(isCurrent: true, isChosen: false), TextStyle(.warning), TextStyle(.error),
  ]

  @Test(arguments: schemes)
  func `All text can be read`(scheme: Scheme) throws {
    for style in Self.dim { #expect(try scheme.contrast(style, in: scheme.theme) >= 5.5, "\(style)") }
    for style in Self.colored { #expect(try scheme.contrast(style, in: scheme.theme) >= 4.5, "\(style)") }
    let mark = scheme.theme.attributes(for: .mark, colors: 256)
    #expect(mark.foreground == 231 && mark.background == 16)
  }

  /// Bold text in one of the first eight colors is drawn with the bright one by xterm, mlterm and others.
  @Test(arguments: schemes)
  func `Bold text can be read where it is drawn in bright colors`(scheme: Scheme) throws {
    for style in Self.colored {
      let number = scheme.theme.attributes(for: style, colors: 256).foreground
      guard (0..<8).contains(number) else { continue }
      let bright = try #require(scheme.palette[Int(number) + 8])
      #expect(bright.contrast(with: scheme.ground) >= 4.5, "\(style)")
    }
  }

  /// The styles of all that is written on the screen in many states: hints of prompts, menus and their rows without
  /// photos, counts of albums, days, metadata, placeholders, messages and frames.
  private static let written: Set<TextStyle> = {
    var library: [Asset] = [.broken("broken.jpg")] + .numbered(300)
    library[1].mediaType = .video
    library[2].isFavorite = true
    library[3].resources[0].isLocallyAvailable = false
    let ways: [[Key]] = [
      [], [.tab], [.tab, .down], [.tab, "/"], ["/"], ["/", "x"], ["f"], ["f", .down, .space],
      ["f", "x", "q"],
      ["s"], ["O"], ["?"], ["i"], [.right, "i"], ["2"], ["A"], ["D"], ["p"], ["o"], [.right, .right, .space],
      [.right, .right, .space, "r"], [.right, .right, .space, "q"], [.right, .right, .space, .right],
    ]
    let empty = TestPicker.open([])
    var written = Set(styles(of: empty.frame))
    for size in [CellSize(columns: 120, rows: 40), .init(columns: 80, rows: 24)] {
      for way in ways {
        var picker = TestPicker.open(library, limit: 2, size: size)
        for key in way {
          for case .countKinds(let query) in picker.press(key) {
            picker.send(.kinds(KindAnswer(query: query, counts: [.videos: 0, .favorites: 1])))
          }
        }
        // While pictures are loading, and then.
        written.formUnion(styles(of: picker.frame))
        picker.makeDemanded()
        written.formUnion(styles(of: picker.frame))
      }
    }
    return written
  }()

  private static func styles(of frame: ScreenFrame) -> [TextStyle] {
    let cells = (0..<frame.size.rows).flatMap { Array(frame.row($0)) }
    let texts = cells.filter { cell in
      if case .text(let text) = cell.content { text != " " } else { false }
    }
    return texts.map(\.style) + frame.marks.map(\.style)
  }

  @Test(arguments: schemes)
  func `All that is written on the screen can be read, dim text too`(scheme: Scheme) {
    // The states have what matters most.
    let expected: [TextStyle] = [
      .dim, .rule, .hintWords, .heading, .factLabel, .scrollBar, .placeholder, .placeholder(.plain),
      .placeholder(.error), .mark, .pickNumber,
    ]
    for style in expected { #expect(Self.written.contains(style), "\(style)") }
    for theme in [scheme.theme, Theme(.highContrast)] {
      for style in Self.written {
        guard let contrast = scheme.contrastAsDrawn(style, in: theme) else { continue }
        // The frame of a pick is a line (WCAG 2.1, 1.4.11).
        let least = style.tone == .dim ? 5.5 : style.part == .pickFrame ? 3 : 4.5
        #expect(contrast >= least, "\(style)")
      }
    }
  }

  @Test(arguments: schemes)
  func `Dim text can be read where the terminal does not report its background`(scheme: Scheme) throws {
    let theme = ThemeChoice().theme(onLightBackground: scheme.isLight)
    for style in Self.dim + [.placeholder] {
      let contrast = try #require(scheme.contrastAsDrawn(style, in: theme))
      #expect(contrast >= 5.5, "\(style)")
    }
  }

  @Test func `Text in placeholders keeps the colors that the user chose`() {
    let choice = ThemeChoice(
      .dark, changes: [.dim: ThemeLook(.indexed(240)), .placeholder: ThemeLook(nil, on: .indexed(255))])
    let theme = choice.theme(onLightBackground: false, ground: .black)
    #expect(theme.attributes(for: .placeholder, colors: 256).foreground == 240)
    // Other text is dark on this light background.
    #expect(theme.attributes(for: .placeholder(.plain), colors: 256).foreground == 235)
    #expect(Theme(.dark).attributes(for: .placeholder(.plain), colors: 256).foreground == 253)
    let own = ThemeChoice(.dark, changes: [.placeholder: ThemeLook(.indexed(11), on: .indexed(0))])
    for tone in [TextStyle.Tone.dim, .plain, .error] {
      let ink = own.theme(onLightBackground: false).attributes(for: .placeholder(tone), colors: 256)
      #expect(ink.foreground == 11 && ink.background == 0)
    }
  }

  @Test func `A color that can be read is the terminal's own, and so is one that the user chose`() throws {
    let scheme = try #require(Self.schemes.first { $0.testDescription == "Gruvbox Light" })
    #expect(scheme.theme.looks[.accent]?.foreground != .indexed(4))
    #expect(scheme.theme.looks[.error]?.foreground == .indexed(1))
    let choice = ThemeChoice(changes: [.accent: ThemeLook(.indexed(4))])
    let chosen = choice.theme(onLightBackground: true, ground: scheme.ground, palette: scheme.palette)
    #expect(chosen.looks[.accent]?.foreground == .indexed(4))
    // Nothing is known of a color that the terminal does not report.
    let unknown = ThemeChoice().theme(onLightBackground: true, ground: scheme.ground)
    #expect(unknown.looks[.accent]?.foreground == .indexed(4))
  }

  @Test func `The documentation has the contrasts`() throws {
    func text(_ contrast: Double) -> String {
      let tenths = Int((contrast * 10).rounded())
      return "\(tenths / 10).\(tenths % 10)"
    }
    let rows = try Self.schemes.map { scheme in
      let plain = Theme(scheme.isLight ? .light : .dark)
      let cells = try [TextStyle.dim, .accent, TextStyle(.warning), TextStyle(.error)].map { style in
        let shown = try scheme.contrast(style, in: scheme.theme)
        let isReplaced =
          style != .dim && scheme.theme.looks[style.tone.name] != plain.looks[style.tone.name]
        return isReplaced ? "\(text(shown)) (\(text(try scheme.contrast(style, in: plain))))" : text(shown)
      }
      let name = scheme.isLight ? "light" : "dark"
      return "| \(scheme.testDescription) | \(name) | `#\(scheme.hex)` | \(cells.joined(separator: " | ")) |"
    }
    var document = try RenewableDocument("Terminals.md", renewedBy: "ContrastTests")
    try document.replace(
      after: "| scheme | theme | background | dim | accent | warning | error |", before: "",
      with: ["|---|---|---|---|---|---|---|"] + rows)
    #expect(try document.problem() == nil)
  }
}
