package import Pixels

/// How text looks, by what it means.
package struct Theme: Hashable, Sendable {
  /// The themes that there are.
  package enum Name: String, CaseIterable, Hashable, Sendable {
    case dark, light
    case highContrast = "high-contrast"
    case monochrome
  }

  package var looks: [StyleName: ThemeLook]

  package init(looks: [StyleName: ThemeLook]) {
    self.looks = looks
  }

  package init(_ name: Name) {
    looks =
      switch name {
      // Cyan can't be read on white, nor blue on black.
      case .dark:
        [
          .dim: ThemeLook(.indexed(245)), .accent: ThemeLook(.indexed(6)), .warning: ThemeLook(.indexed(3)),
          .error: ThemeLook(.indexed(1)),
        ]
      case .light:
        [
          .dim: ThemeLook(.indexed(242)), .accent: ThemeLook(.indexed(4)), .warning: ThemeLook(.indexed(5)),
          .error: ThemeLook(.indexed(1)),
        ]
      // Its own background, so that the contrast is the same on every terminal.
      case .highContrast:
        [
          .plain: ThemeLook(.indexed(231), on: .indexed(16)), .accent: ThemeLook(.indexed(226)),
          .warning: ThemeLook(.indexed(214), [.bold: true]), .error: ThemeLook(.indexed(210), [.bold: true]),
        ]
      case .monochrome: [.dim: ThemeLook(nil, [.faint: true])]
      }
  }

  /// How a terminal draws text: colours by their numbers (-1 = its own), attributes.
  package struct Ink: Hashable, Sendable {
    package var foreground: Int32 = -1
    package var background: Int32 = -1
    package var attributes: Set<ThemeLook.Attribute> = []
  }

  /// The look of a style on a terminal with so many colours: 0 where there are to be none.
  ///
  /// Greys become faint text where the terminal has none.
  package func ink(for style: TextStyle, colors: Int) -> Ink {
    var look = looks[.plain] ?? ThemeLook()
    if let tone = looks[style.tone.name] { look.lay(tone) }
    if let part = style.part.flatMap({ looks[$0] }) { look.lay(part) }
    var ink = Ink()
    if look.attributes[.bold] ?? style.isBold { ink.attributes.insert(.bold) }
    if look.attributes[.reverse] ?? style.isReversed { ink.attributes.insert(.reverse) }
    if look.attributes[.underline] ?? false { ink.attributes.insert(.underline) }
    let isGrey = look.foreground?.isMiddleGrey ?? false
    if look.attributes[.faint] ?? (isGrey && colors < 256) { ink.attributes.insert(.faint) }
    if colors < 256, isGrey { look.foreground = .standard }
    ink.foreground = look.foreground?.number(among: colors) ?? -1
    ink.background = look.background?.number(among: colors) ?? -1
    return ink
  }

  /// What the theme puts behind everything on a terminal with so many colours; nil = the terminal's own.
  package func background(colors: Int) -> Color? {
    guard colors > 0, let parts = looks[.plain]?.background?.components else { return nil }
    return Color(red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2]))
  }
}

/// Which theme is wanted, and what is to be different in it.
package struct ThemeChoice: Hashable, Sendable {
  /// nil = dark or light, as the terminal's background is.
  package var name: Theme.Name?
  package var changes: [StyleName: ThemeLook]

  package init(_ name: Theme.Name? = nil, changes: [StyleName: ThemeLook] = [:]) {
    self.name = name
    self.changes = changes
  }

  /// The theme on a background.
  package func theme(onLightBackground isLight: Bool) -> Theme {
    var theme = Theme(name ?? (isLight ? .light : .dark))
    for (style, change) in changes { theme.looks[style, default: ThemeLook()].lay(change) }
    return theme
  }
}
