package import Pixels
import System

/// The colors and attributes of each style.
package struct Theme: Hashable, Sendable {
  /// The built-in themes.
  package enum Name: String, CaseIterable, Hashable, Sendable {
    case dark, light
    case highContrast = "high-contrast"
    case monochrome
  }

  /// The looks of styles; missing ones are inherited.
  package var looks: [StyleName: ThemeLook]
  /// The colors of text of these tones in placeholders, whose background is the theme's own.
  private var placeholderText: [StyleName: ThemeColor] = [:]

  package init(looks: [StyleName: ThemeLook]) {
    self.looks = looks
  }

  /// A built-in theme.
  package init(_ name: Name) {
    looks =
      switch name {
      // Cyan is illegible on white, and blue and dark red on black. Dim text is legible on the backgrounds of all schemes
      // that are tested, for terminals that do not report theirs.
      case .dark:
        [
          .dim: ThemeLook(.indexed(249)), .accent: ThemeLook(.indexed(6)), .warning: ThemeLook(.indexed(3)),
          .error: ThemeLook(.indexed(9)), .mark: Self.mark, .histogramRed: ThemeLook(.indexed(203)),
          .histogramGreen: ThemeLook(.indexed(77)), .histogramBlue: ThemeLook(.indexed(75)),
          .placeholder: ThemeLook(nil, on: .indexed(235)),
        ]
      case .light:
        [
          .dim: ThemeLook(.indexed(240)), .accent: ThemeLook(.indexed(4)), .warning: ThemeLook(.indexed(5)),
          .error: ThemeLook(.indexed(1)), .mark: Self.mark, .histogramRed: ThemeLook(.indexed(160)),
          .histogramGreen: ThemeLook(.indexed(28)), .histogramBlue: ThemeLook(.indexed(26)),
          .placeholder: ThemeLook(nil, on: .indexed(254)),
        ]
      // Sets its own background, so that the contrast is the same on every terminal.
      case .highContrast:
        [
          .plain: ThemeLook(.indexed(231), on: .indexed(16)), .accent: ThemeLook(.indexed(226)),
          .warning: ThemeLook(.indexed(214), [.bold: true]), .error: ThemeLook(.indexed(210), [.bold: true]),
          .histogramRed: ThemeLook(.indexed(210)), .histogramGreen: ThemeLook(.indexed(120)),
          .histogramBlue: ThemeLook(.indexed(117)), .placeholder: ThemeLook(nil, on: .indexed(235)),
        ]
      case .monochrome: [.dim: ThemeLook(nil, [.faint: true])]
      }
    adaptPlaceholderText(palette: [:])
  }

  /// White on black: legible over any picture.
  ///
  /// Not of the first sixteen colors, whose white may be gray.
  private static let mark = ThemeLook(.indexed(231), on: .indexed(16))

  /// A style resolved for a terminal: color numbers (-1 = the terminal's default) and attributes.
  package struct CellAttributes: Hashable, Sendable {
    package var foreground: Int32 = -1
    package var background: Int32 = -1
    package var attributes: Set<ThemeLook.Attribute> = []
  }

  /// Resolves a style for a terminal with a number of colors; 0 = no colors are used.
  ///
  /// Grays become faint text if the terminal has no grays.
  package func attributes(for style: TextStyle, colors: Int) -> CellAttributes {
    var look = look(of: style)
    // As text, the frame of a pick is always in a placeholder: in a picture it is a part of that.
    if style.part == .pickFrame, looks[.pickFrame]?.background == nil,
      let ground = looks[.placeholder]?.background
    {
      look.background = ground
    }
    var ink = CellAttributes()
    if look.attributes[.bold] ?? style.isBold { ink.attributes.insert(.bold) }
    if look.attributes[.reverse] ?? style.isReversed { ink.attributes.insert(.reverse) }
    if look.attributes[.underline] ?? false { ink.attributes.insert(.underline) }
    let isGray = look.foreground?.isMidGray ?? false
    if look.attributes[.faint] ?? (isGray && colors < 256) { ink.attributes.insert(.faint) }
    if colors < 256, isGray { look.foreground = .standard }
    ink.foreground = look.foreground?.number(among: colors) ?? -1
    ink.background = look.background?.number(among: colors) ?? -1
    return ink
  }

  /// The look of a style, with all that it inherits.
  private func look(of style: TextStyle) -> ThemeLook {
    var look = looks[.plain] ?? ThemeLook()
    if let tone = looks[style.tone.name] { look.apply(tone) }
    guard let part = style.part else { return look }
    if part == .placeholder, let color = placeholderText[style.tone.name] { look.foreground = color }
    if let own = looks[part] { look.apply(own) }
    return look
  }

  /// The minimum contrast of dim text; more than the 4.5 of WCAG 2.1 (1.4.3), because the text is small.
  private static let leastContrast = 5.5

  /// Sets dim text to the dimmest gray that is legible on a background, or to plain text if there is none.
  mutating func adaptDim(to ground: Color) {
    guard let dim = looks[.dim]?.foreground, dim.isMidGray else { return }
    looks[.dim]?.foreground = Self.dimmestGray(on: ground) ?? .standard
  }

  /// The dimmest gray that is legible on a background; nil if there is none.
  private static func dimmestGray(on ground: Color) -> ThemeColor? {
    let grays = (232...255).map { ThemeColor.indexed($0) }
    let legible = grays.filter { ($0.color?.contrast(with: ground) ?? 0) >= leastContrast }
    return legible.min {
      ($0.color?.contrast(with: ground) ?? 0) < ($1.color?.contrast(with: ground) ?? 0)
    }
  }

  /// Sets the colors of text in placeholders: their background is the theme's own, on which the terminal's colors and
  /// the dimmest gray on its background may be illegible.
  /// - Parameters:
  ///   - changes: the user's, whose colors are kept.
  ///   - palette: the terminal's first sixteen colors as far as it reports them; otherwise xterm's are used.
  mutating func adaptPlaceholderText(changes: [StyleName: ThemeLook] = [:], palette: [Int: Color]) {
    placeholderText = [:]
    let background = changes[.placeholder]?.background ?? looks[.placeholder]?.background
    guard let ground = background?.color else { return }
    if looks[.plain]?.foreground == nil {
      // Nearly white or black also where there are only sixteen colors.
      let contrast = { (color: ThemeColor) in color.color?.contrast(with: ground) ?? 0 }
      placeholderText[.plain] = [.indexed(253), .indexed(235)].max { contrast($0) < contrast($1) }
    }
    if looks[.dim]?.foreground?.isMidGray ?? false { placeholderText[.dim] = Self.dimmestGray(on: ground) }
    if let error = looks[.error]?.foreground {
      placeholderText[.error] = Self.legible(error, on: ground, palette: palette)
    }
    for (style, change) in changes where change.foreground != nil { placeholderText[style] = nil }
  }

  /// The minimum contrast of text in other colors (WCAG 2.1, 1.4.3).
  private static let leastContrastOfColors = 4.5
  /// The styles of text in colors of their own; those of the histograms are bars.
  private static let colored: [StyleName] = [.accent, .warning, .error]

  /// Replaces colors that would be hard to read on a background by the nearest ones that can be read.
  ///
  /// Only colors of which the terminal has reported the values: schemes such as Solarized define the first sixteen.
  mutating func adaptColors(to ground: Color, palette: [Int: Color]) {
    for style in Self.colored {
      guard case .indexed(let index)? = looks[style]?.foreground, palette[Int(index)] != nil,
        let color = looks[style]?.foreground
      else { continue }
      looks[style]?.foreground = Self.legible(color, on: ground, palette: palette)
    }
  }

  /// The color itself if it can be read on a background, else the nearest one of the other 240 that can.
  private static func legible(_ color: ThemeColor, on ground: Color, palette: [Int: Color]) -> ThemeColor {
    var drawn = [color.color].compactMap { $0 }
    if case .indexed(let index) = color, palette[Int(index)] != nil { drawn = Self.drawn(index, palette) }
    guard let own = drawn.first,
      drawn.contains(where: { $0.contrast(with: ground) < leastContrastOfColors })
    else { return color }
    let legible = (16...255).map { ThemeColor.indexed($0) }.filter {
      ($0.color?.contrast(with: ground) ?? 0) >= leastContrastOfColors
    }
    let nearest = legible.min {
      ($0.color?.squaredDistance(to: own) ?? .max) < ($1.color?.squaredDistance(to: own) ?? .max)
    }
    return nearest ?? .standard
  }

  /// The colors that a terminal may draw for one of its sixteen, as far as it has reported them.
  ///
  /// xterm, mlterm and others draw bold text in the first eight colors with the bright ones.
  private static func drawn(_ index: UInt8, _ palette: [Int: Color]) -> [Color] {
    let numbers = index < 8 ? [Int(index), Int(index) + 8] : [Int(index)]
    return numbers.compactMap { palette[$0] }
  }

  /// The theme's background on a terminal with a number of colors; nil = the terminal's default.
  package func background(colors: Int) -> Color? {
    guard colors > 0, let parts = looks[.plain]?.background?.components else { return nil }
    return Color(red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2]))
  }
}

extension Theme {
  /// The color of text of a style on a terminal with a number of colors; nil = the terminal's default.
  /// - Parameter palette: the terminal's first sixteen colors as far as it reports them; otherwise xterm's are used.
  package func foreground(of style: TextStyle, colors: Int, palette: [Int: Color] = [:]) -> Color? {
    guard colors > 0 else { return nil }
    guard let foreground = look(of: style).foreground else { return nil }
    let number = Int(foreground.number(among: colors))
    let isOfPalette = number < (colors > 256 ? ThemeColor.directPaletteSize : ThemeColor.paletteSize)
    return isOfPalette ? palette[number] ?? foreground.color : foreground.color
  }
}

/// The chosen theme and the user's changes to it.
package struct ThemeChoice: Hashable, Sendable {
  /// nil = dark or light, depending on the terminal's background.
  package var name: Theme.Name?
  package var changes: [StyleName: ThemeLook]

  package init(_ name: Theme.Name? = nil, changes: [StyleName: ThemeLook] = [:]) {
    self.name = name
    self.changes = changes
  }

  /// The theme for a light or dark terminal.
  /// - Parameters:
  ///   - ground: the terminal's background if known, to which dim text and colors are adapted.
  ///   - palette: the terminal's first sixteen colors as far as it reports them.
  package func theme(
    onLightBackground isLight: Bool, ground: Color? = nil, palette: [Int: Color] = [:]
  ) -> Theme {
    var theme = Theme(name ?? (isLight ? .light : .dark))
    if let ground = changes[.plain]?.background?.color ?? theme.looks[.plain]?.background?.color ?? ground {
      theme.adaptDim(to: ground)
      theme.adaptColors(to: ground, palette: palette)
    }
    theme.adaptPlaceholderText(changes: changes, palette: palette)
    for (style, change) in changes { theme.looks[style, default: ThemeLook()].apply(change) }
    return theme
  }
}

/// The colors and attributes of one style; unset ones are inherited from the tone or from plain text.
package struct ThemeLook: Hashable, Sendable {
  /// A text attribute of terminals.
  package enum Attribute: String, CaseIterable, Hashable, Sendable {
    case bold, faint, underline, reverse
  }

  package var foreground: ThemeColor?
  package var background: ThemeColor?
  /// Attributes forced on or off, overriding the picker's own.
  package var attributes: [Attribute: Bool]

  package init(
    _ foreground: ThemeColor? = nil, on background: ThemeColor? = nil, _ attributes: [Attribute: Bool] = [:]
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// A word that is neither a color nor an attribute, or is misplaced.
  package struct UnknownWord: Error, Hashable {
    package var word: String
  }

  /// Reads text such as `bold bright-yellow on #202020`: attributes, optionally negated with `no-`, a color,
  /// `on` and a background color.
  package init(parsing text: String) throws(UnknownWord) {
    self.init()
    var isBehind = false
    for part in text.lowercased().split(whereSeparator: \.isWhitespace) {
      let word = String(part)
      let isNegated = word.hasPrefix("no-")
      if isBehind {
        guard background == nil, let color = ThemeColor(name: word) else { throw UnknownWord(word: word) }
        background = color
        isBehind = false
      } else if let attribute = Attribute(rawValue: isNegated ? String(word.dropFirst(3)) : word) {
        attributes[attribute] = !isNegated
      } else if word == "on", background == nil {
        isBehind = true
      } else if foreground == nil, let color = ThemeColor(name: word) {
        foreground = color
      } else {
        throw UnknownWord(word: word)
      }
    }
    if isBehind { throw UnknownWord(word: "on") }
  }

  /// The look in the syntax that `init(parsing:)` reads.
  package var text: String {
    var words = Attribute.allCases.compactMap { attribute in
      attributes[attribute].map { $0 ? attribute.rawValue : "no-\(attribute.rawValue)" }
    }
    if let foreground { words.append(foreground.name) }
    if let background { words += ["on", background.name] }
    return words.joined(separator: " ")
  }

  /// Overrides this look with the set parts of another one.
  mutating func apply(_ look: ThemeLook) {
    foreground = look.foreground ?? foreground
    background = look.background ?? background
    attributes.merge(look.attributes) { $1 }
  }
}

/// A color of a theme, reduced to those that the terminal has.
package enum ThemeColor: Hashable, Sendable {
  /// The terminal's default foreground or background.
  case standard
  /// One of xterm's 256 colors: the terminal's 16, a 6x6x6 cube, 24 grays.
  case indexed(UInt8)
  case rgb(red: UInt8, green: UInt8, blue: UInt8)

  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black", "bright-red",
    "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
  ]

  /// Reads `default`, one of sixteen names, a number up to 255 or `#rrggbb`; nil for anything else.
  package init?(name: String) {
    if name == "default" {
      self = .standard
    } else if let index = Self.names.firstIndex(of: name) {
      self = .indexed(UInt8(index))
    } else if name.allSatisfy({ ("0"..."9").contains($0) }), let index = UInt8(name) {
      self = .indexed(index)
    } else if name.hasPrefix("#"), name.utf8.count == 7, name.dropFirst().allSatisfy(\.isHexDigit),
      let value = UInt32(name.dropFirst(), radix: 16)
    {
      self = .rgb(
        red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    } else {
      return nil
    }
  }

  /// The name of the color, in the syntax that `init(name:)` reads.
  package var name: String {
    switch self {
    case .standard: return "default"
    case .indexed(let index): return index < 16 ? Self.names[Int(index)] : String(index)
    case .rgb(let red, let green, let blue):
      let value = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
      return "#" + String(repeating: "0", count: 6 - value.count) + value
    }
  }

  /// Red, green and blue, with xterm's defaults for the named colors; nil for the terminal's default.
  var components: [Int]? {
    switch self {
    case .standard: return nil
    case .rgb(let red, let green, let blue): return [Int(red), Int(green), Int(blue)]
    case .indexed(let index):
      let index = Int(index)
      if index < 16 { return Self.sixteen[index] }
      if index >= 232 { return Array(repeating: 8 + 10 * (index - 232), count: 3) }
      return [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { Self.steps[$0] }
    }
  }

  /// The same as a color; nil for the terminal's default.
  var color: Color? {
    components.map { Color(red: UInt8($0[0]), green: UInt8($0[1]), blue: UInt8($0[2])) }
  }

  /// Whether it is a gray between black and white, other than the terminal's 16 colors.
  var isMidGray: Bool {
    if case .indexed(let index) = self, index < 16 { return false }
    guard let parts = components, let least = parts.min(), let most = parts.max() else { return false }
    return most - least < 16 && least > 40 && most < 215
  }

  /// The number of colors with values of the terminal's own.
  fileprivate static let paletteSize = 16
  /// With direct color the lowest eight numbers are still palette indexes (terminfo, xterm+direct).
  fileprivate static let directPaletteSize = 8

  /// The ncurses number of the nearest color on a terminal with `count` colors; -1 = the terminal's default.
  func number(among count: Int) -> Int32 {
    guard count >= 8, let parts = components else { return -1 }
    if count > 256 {
      if case .indexed(let index) = self, index < Self.directPaletteSize { return Int32(index) }
      return max(8, Int32(parts[0] << 16 | parts[1] << 8 | parts[2]))
    }
    if case .indexed(let index) = self, Int(index) < count { return Int32(index) }
    // With only eight colors, bright ones fall back to the plain ones.
    if case .indexed(let index) = self, index < 16 { return Int32(index) - 8 }
    let candidates = count >= 256 ? 16..<256 : 0..<(count >= 16 ? 16 : 8)
    let nearest = candidates.min { Self.distance($0, parts) < Self.distance($1, parts) }
    return nearest.map { Int32($0) } ?? -1
  }

  private static func distance(_ index: Int, _ parts: [Int]) -> Int {
    let other = ThemeColor.indexed(UInt8(index)).components ?? []
    return zip(other, parts).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }

  /// The levels of the color cube (xterm, 256colres.pl).
  private static let steps = [0, 95, 135, 175, 215, 255]

  /// The default values of the 16 colors (xterm, XTerm-col.ad).
  private static let sixteen = [
    [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205], [0, 205, 205],
    [229, 229, 229], [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0], [92, 92, 255],
    [255, 0, 255], [0, 255, 255], [255, 255, 255],
  ]
}

extension Color {
  /// The contrast to another color, from 1 to 21 (WCAG 2.1).
  func contrast(with other: Color) -> Double {
    let (a, b) = (relativeLuminance, other.relativeLuminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// The relative luminance of the color, from 0 to 1 (WCAG 2.1, with the sRGB transfer function).
  private var relativeLuminance: Double {
    func linear(_ value: UInt8) -> Double {
      let part = Double(value) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
