package import Pixels

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

  package init(looks: [StyleName: ThemeLook]) {
    self.looks = looks
  }

  /// A built-in theme.
  package init(_ name: Name) {
    looks =
      switch name {
      // Cyan is illegible on white, and blue on black.
      case .dark:
        [
          .dim: ThemeLook(.indexed(248)), .accent: ThemeLook(.indexed(6)), .warning: ThemeLook(.indexed(3)),
          .error: ThemeLook(.indexed(1)), .mark: Self.mark, .histogramRed: ThemeLook(.indexed(203)),
          .histogramGreen: ThemeLook(.indexed(77)), .histogramBlue: ThemeLook(.indexed(75)),
          .placeholder: ThemeLook(nil, on: .indexed(235)),
        ]
      case .light:
        [
          .dim: ThemeLook(.indexed(241)), .accent: ThemeLook(.indexed(4)), .warning: ThemeLook(.indexed(5)),
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
  }

  /// White on black: legible over any picture.
  private static let mark = ThemeLook(.indexed(15), on: .indexed(0))

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
    var look = looks[.plain] ?? ThemeLook()
    if let tone = looks[style.tone.name] { look.apply(tone) }
    if let part = style.part.flatMap({ looks[$0] }) { look.apply(part) }
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

  /// The least contrast of dim text, above the 4.5 of WCAG 2.1 (1.4.3), since it is small.
  static let leastContrast = 5.5

  /// Chooses the dimmest gray for dim text that can be read on a background; plain text where none can.
  mutating func adaptDim(to ground: Color) {
    guard let dim = looks[.dim]?.foreground, dim.isMidGray else { return }
    let grays = (232...255).map { ThemeColor.indexed($0) }
    let legible = grays.filter { ($0.color?.contrast(with: ground) ?? 0) >= Self.leastContrast }
    let dimmest = legible.min {
      ($0.color?.contrast(with: ground) ?? 0) < ($1.color?.contrast(with: ground) ?? 0)
    }
    looks[.dim]?.foreground = dimmest ?? .standard
  }

  /// The theme's background on a terminal with a number of colors; nil = the terminal's default.
  package func background(colors: Int) -> Color? {
    guard colors > 0, let parts = looks[.plain]?.background?.components else { return nil }
    return Color(red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2]))
  }
}

extension Theme {
  /// The color that text of a style has on a terminal with a number of colors; nil = the terminal's default.
  package func foreground(of style: TextStyle, colors: Int) -> Color? {
    guard colors > 0 else { return nil }
    var look = looks[.plain] ?? ThemeLook()
    for name in [style.tone.name, style.part].compactMap({ $0 }) {
      if let part = looks[name] { look.apply(part) }
    }
    guard let parts = look.foreground?.components else { return nil }
    return Color(red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2]))
  }
}

/// The chosen theme and the user's changes to it.
package struct ThemeChoice: Hashable, Sendable {
  /// nil = dark or light, by the terminal's background.
  package var name: Theme.Name?
  package var changes: [StyleName: ThemeLook]

  package init(_ name: Theme.Name? = nil, changes: [StyleName: ThemeLook] = [:]) {
    self.name = name
    self.changes = changes
  }

  /// The theme for a light or dark terminal.
  /// - Parameter ground: the terminal's background, as far as it is known: dim text is as dim on it as can be read.
  package func theme(onLightBackground isLight: Bool, ground: Color? = nil) -> Theme {
    var theme = Theme(name ?? (isLight ? .light : .dark))
    if let ground = changes[.plain]?.background?.color ?? ground { theme.adaptDim(to: ground) }
    for (style, change) in changes { theme.looks[style, default: ThemeLook()].apply(change) }
    return theme
  }
}
