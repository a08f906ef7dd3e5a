import Pixels
import Testing

@testable import PickerUI

@Suite struct ThemeTests {
  private static let dark = Theme(.dark)

  private static let darkInks: [(TextStyle, Int, Int32, Set<ThemeLook.Attribute>)] = [
    (.plain, 256, -1, []), (.dim, 256, 249, []), (.dim, 16, -1, [.faint]), (.dim, 0, -1, [.faint]),
    (.accent, 8, 6, []), (.accent, 0, -1, []), (TextStyle(.warning), 256, 3, []), (.title, 256, -1, [.bold]),
    (TextStyle(.accent, reversed: true), 0, -1, [.reverse]), (.dim, 1 << 24, 0xB2B2B2, []),
    (.accent, 1 << 24, 6, []),
  ]

  @Test(arguments: darkInks)
  func `The dark theme uses the terminal's capabilities`(
    style: TextStyle, colors: Int, foreground: Int32, attributes: Set<ThemeLook.Attribute>
  ) {
    let ink = Self.dark.attributes(for: style, colors: colors)
    #expect(ink.foreground == foreground)
    #expect(ink.background == -1)
    #expect(ink.attributes == attributes)
  }

  @Test(arguments: Theme.Name.allCases)
  func `Without colors no theme has any`(name: Theme.Name) {
    for tone in [TextStyle.Tone.plain, .dim, .accent, .warning, .error] {
      let ink = Theme(name).attributes(for: TextStyle(tone), colors: 0)
      #expect(ink.foreground == -1 && ink.background == -1)
    }
  }

  @Test func `The monochrome theme has no colors on any terminal`() {
    for style in StyleName.allCases {
      let look = Theme(.monochrome).looks[style]
      #expect(look?.foreground == nil && look?.background == nil)
    }
  }

  @Test func `High contrast has a background of its own`() {
    for style in [TextStyle.plain, .dim, .accent, .rule] {
      #expect(Theme(.highContrast).attributes(for: style, colors: 256).background == 16)
      #expect(Theme(.highContrast).attributes(for: style, colors: 8).background == 0)
    }
    #expect(Theme(.highContrast).attributes(for: .dim, colors: 256).foreground == 231)
    #expect(Theme(.highContrast).background(colors: 8) == .black)
    #expect(Theme(.highContrast).background(colors: 0) == nil)
    #expect(Theme(.dark).background(colors: 256) == nil)
  }

  private static let paletteColors: [(ThemeColor, Int, Color)] = [
    (.indexed(4), 256, .blue), (.indexed(12), 256, .lightBlue), (.indexed(4), 8, .blue),
    (.indexed(12), 8, .blue), (.indexed(4), 1 << 24, .blue),
    // Other colors are the same on all terminals, and so are bright ones where ncurses writes them in full.
    (.indexed(27), 256, Color(red: 0, green: 95, blue: 255)),
    (.indexed(12), 1 << 24, Color(red: 92, green: 92, blue: 255)),
    (.rgb(red: 1, green: 2, blue: 3), 256, Color(red: 1, green: 2, blue: 3)),
    // The terminal has not reported this one.
    (.indexed(2), 256, Color(red: 0, green: 205, blue: 0)),
  ]

  @Test(arguments: paletteColors)
  func `A frame in pixels has the terminal's own color, like text`(
    color: ThemeColor, colors: Int, expected: Color
  ) {
    let theme = Theme(looks: [.pickFrame: ThemeLook(color)])
    let palette: [Int: Color] = [4: .blue, 12: .lightBlue]
    #expect(theme.foreground(of: .pickFrame, colors: colors, palette: palette) == expected)
  }

  @Test func `The frame of a pick that is loading is drawn on its placeholder`() {
    for name in [Theme.Name.dark, .light, .highContrast] {
      let theme = Theme(name)
      let ground = theme.attributes(for: .placeholder, colors: 256).background
      #expect(theme.attributes(for: .pickFrame, colors: 256).background == ground && ground > 0)
    }
    let own = Theme(looks: [
      .pickFrame: ThemeLook(.indexed(2), on: .indexed(7)), .placeholder: ThemeLook(nil, on: .indexed(235)),
    ])
    #expect(own.attributes(for: .pickFrame, colors: 256).background == 7)
  }

  @Test func `A part has the look of its tone until it is configured`() {
    var choice = ThemeChoice(.dark)
    #expect(choice.theme(onLightBackground: true).attributes(for: .rule, colors: 256).foreground == 249)
    choice.changes = [.rule: ThemeLook(.indexed(2), [.bold: true]), .plain: ThemeLook(nil, on: .indexed(0))]
    let theme = choice.theme(onLightBackground: false)
    #expect(
      theme.attributes(for: .rule, colors: 256) == .init(foreground: 2, background: 0, attributes: [.bold]))
    #expect(theme.attributes(for: .dim, colors: 256) == .init(foreground: 245, background: 0))
  }

  @Test func `Without a configured theme the background decides`() {
    #expect(ThemeChoice().theme(onLightBackground: true) == Theme(.light))
    #expect(ThemeChoice().theme(onLightBackground: false) == Theme(.dark))
    #expect(ThemeChoice(.dark).theme(onLightBackground: true) == Theme(.dark))
  }

  private static let nearest: [(String, Int, Int32)] = [
    ("default", 256, -1), ("red", 256, 1), ("bright-red", 256, 9), ("bright-red", 16, 9),
    ("bright-red", 8, 1),
    ("196", 256, 196), ("196", 16, 9), ("196", 1 << 24, 0xFF0000), ("#ff0000", 256, 196), ("#ff0000", 8, 1),
    ("#fe0102", 1 << 24, 0xFE0102), ("#000000", 256, 16), ("#808080", 256, 244), ("#000000", 1 << 24, 8),
    ("#ff0000", 0, -1),
  ]

  @Test(arguments: nearest)
  func `A color becomes the nearest available one`(name: String, count: Int, number: Int32) throws {
    #expect(try #require(ThemeColor(name: name)).number(among: count) == number)
  }

  @Test(arguments: ["default", "black", "bright-white", "16", "255", "#00ff7f"])
  func `A color keeps its name`(name: String) {
    #expect(ThemeColor(name: name)?.name == name)
  }

  @Test(arguments: ["bold", "no-reverse red", "bold faint underline reverse #102030 on default", ""])
  func `A look keeps its description`(text: String) throws {
    #expect(try ThemeLook(parsing: text).text == text)
  }

  /// The backgrounds of common terminals and color schemes, as they answer OSC 11.
  private static let grounds: [(name: String, isLight: Bool, ground: Color)] = [
    ("xterm, dark", false, .black), ("xterm, light", true, .white),
    ("Solarized, dark", false, Color(red: 0, green: 0x2B, blue: 0x36)),
    ("Solarized, light", true, Color(red: 0xFD, green: 0xF6, blue: 0xE3)),
  ]

  @Test(arguments: grounds)
  func `Dim text is readable on the terminal's background, whether that is known or not`(
    name: String, isLight: Bool, ground: Color
  ) throws {
    for known in [ground, nil] {
      let theme = ThemeChoice().theme(onLightBackground: isLight, ground: known)
      for style in [TextStyle.dim, .rule, .hintWords, .heading, .factLabel, .badge, .scrollBar] {
        let number = theme.attributes(for: style, colors: 256).foreground
        let color = try #require(ThemeColor.indexed(UInt8(number)).color)
        #expect(color.contrast(with: ground) >= 5.5, "\(name), \(style)")
      }
    }
  }

  @Test(arguments: grounds)
  func `Errors can be read`(name: String, isLight: Bool, ground: Color) throws {
    let theme = ThemeChoice().theme(onLightBackground: isLight, ground: ground)
    for style in [TextStyle(.error), .defect] {
      let color = try #require(theme.foreground(of: style, colors: 256))
      #expect(color.contrast(with: ground) >= 3.5, "\(name), \(style)")
    }
  }

  @Test func `Dim text is the dimmest readable one, or plain`() {
    func dim(_ red: UInt8, _ green: UInt8, _ blue: UInt8, isLight: Bool = false) -> ThemeColor? {
      ThemeChoice().theme(onLightBackground: isLight, ground: Color(red: red, green: green, blue: blue))
        .looks[.dim]?.foreground
    }
    #expect(dim(0, 0, 0) == .indexed(245) && dim(255, 255, 255, isLight: true) == .indexed(241))
    #expect(dim(0x1E, 0x1E, 0x1E) == .indexed(247))
    // Solarized's middle gray has a contrast of 4.6 to black and 4.6 to white.
    #expect(dim(0x77, 0x77, 0x77) == .standard)
    // A configured look is kept, and is measured against a configured background.
    let choice = ThemeChoice(changes: [.dim: ThemeLook(.indexed(2)), .plain: ThemeLook(nil, on: .indexed(0))])
    #expect(choice.theme(onLightBackground: true, ground: .white).looks[.dim]?.foreground == .indexed(2))
  }

  @Test func `Contrast follows WCAG`() {
    #expect(abs(Color.black.contrast(with: .white) - 21) < 0.001 && Color.white.contrast(with: .white) == 1)
    let gray = Color(red: 0x76, green: 0x76, blue: 0x76)
    #expect(abs(gray.contrast(with: .white) - 4.54) < 0.01)
  }
}

extension Color {
  fileprivate static let blue = Color(red: 13, green: 115, blue: 204)
  fileprivate static let lightBlue = Color(red: 26, green: 143, blue: 255)
}
