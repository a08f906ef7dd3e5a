import PickerUI

extension Theme {
  /// The bytes that choose the background of plain text on a terminal with so many colours; none = its own.
  ///
  /// Format: SGR (ECMA-48, 8.3.117; 90 to 107, 48;5 and 48;2 as in xterm's ctlseqs).
  func groundSequence(colors: Int) -> [UInt8] {
    let number = attributes(for: .plain, colors: colors).background
    return Self.parameters(number, colors, isBackground: true).map { Array("\u{1B}[\($0)m".utf8) } ?? []
  }

  /// The sequence that chooses a style, whatever was chosen before.
  func sequence(for style: TextStyle, colors: Int) -> String {
    let look = attributes(for: style, colors: colors)
    var parameters = ["0"]
    for (attribute, code) in [
      (ThemeLook.Attribute.bold, "1"), (.faint, "2"), (.underline, "4"), (.reverse, "7"),
    ]
    where look.attributes.contains(attribute) { parameters.append(code) }
    if let text = Self.parameters(look.foreground, colors, isBackground: false) { parameters.append(text) }
    if let ground = Self.parameters(look.background, colors, isBackground: true) { parameters.append(ground) }
    return "\u{1B}[\(parameters.joined(separator: ";"))m"
  }

  /// The parameters of SGR for a color; nil = the terminal's own.
  private static func parameters(_ number: Int32, _ colors: Int, isBackground: Bool) -> String? {
    let base: Int32 = isBackground ? 40 : 30
    switch number {
    case ..<0: return nil
    case 0..<8: return "\(base + number)"
    case _ where colors > 256:
      return "\(base + 8);2;\(number >> 16);\(number >> 8 & 0xFF);\(number & 0xFF)"
    case 8..<16: return "\(base + 52 + number)"
    default: return "\(base + 8);5;\(number)"
    }
  }
}
