package import Pixels

extension Color {
  /// Brightness from 0 to 255 (ITU-R BT.601 weights).
  package var luminance: Int { (Int(red) * 299 + Int(green) * 587 + Int(blue) * 114) / 1000 }

  /// Whether text on it is dark.
  package var isLight: Bool { luminance > 128 }
}

extension Backdrop {
  /// Whether text on it is dark.
  package var isLight: Bool { if case .color(let color) = self { color.isLight } else { false } }
}
