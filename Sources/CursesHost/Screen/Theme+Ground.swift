import PickerUI

extension Theme {
  /// The bytes that choose the background of plain text on a terminal with so many colours; none = its own.
  ///
  /// Format: SGR (ECMA-48, 8.3.117; 90 to 107, 48;5 and 48;2 as in xterm's ctlseqs).
  func groundSequence(colors: Int) -> [UInt8] {
    let number = attributes(for: .plain, colors: colors).background
    let parameters: String
    switch number {
    case ..<0: return []
    case 0..<8: parameters = "\(40 + number)"
    case _ where colors > 256:
      parameters = "48;2;\(number >> 16);\(number >> 8 & 0xFF);\(number & 0xFF)"
    case 8..<16: parameters = "\(92 + number)"
    default: parameters = "48;5;\(number)"
    }
    return Array("\u{1B}[\(parameters)m".utf8)
  }
}
