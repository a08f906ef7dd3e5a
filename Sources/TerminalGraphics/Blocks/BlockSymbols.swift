package import Pixels

/// The characters that a picture is drawn with: more parts per cell give more detail.
package enum BlockSymbols: String, CaseIterable, Comparable, Hashable, Sendable {
  /// ASCII by amount of ink: no colors, one sample per cell.
  case ascii
  /// Upper and lower halves.
  case half
  /// Quarters, 2x2.
  case quadrant
  /// Sixths, 2x3: Unicode 13.
  case sextant
  /// Eighths, 2x4: Unicode 16.
  case octant

  /// Number of parts of a cell, across and down.
  package var grid: PixelSize {
    switch self {
    case .ascii: PixelSize(width: 1, height: 1)
    case .half: PixelSize(width: 1, height: 2)
    case .quadrant: PixelSize(width: 2, height: 2)
    case .sextant: PixelSize(width: 2, height: 3)
    case .octant: PixelSize(width: 2, height: 4)
    }
  }

  /// From coarse to fine.
  package static func < (a: BlockSymbols, b: BlockSymbols) -> Bool { a.grid.area < b.grid.area }
}

extension BlockSymbols {
  /// Chooses the finest symbols that a terminal is known to draw without gaps.
  ///
  /// Fonts are not reliable: sextants and octants are used only if the terminal draws them itself.
  /// - Parameters:
  ///   - name: the terminal's own name (XTVERSION); nil if unknown, for example when output is piped.
  ///   - term: the environment's TERM.
  ///   - isUTF8: whether the locale uses UTF-8.
  package init(terminal name: String?, term: String?, isUTF8: Bool) {
    guard isUTF8 else {
      self = .ascii
      return
    }
    // The Linux console has the 256 characters of a PC font, which has no quadrants.
    self = term == "linux" ? .half : .quadrant
    guard let name = name.map(TerminalVersion.init) else { return }
    for known in Self.known where known.terminal == name.terminal && known.since <= name {
      self = max(self, known.symbols)
    }
  }

  private typealias Known = (terminal: String, since: TerminalVersion, symbols: BlockSymbols)

  /// kitty's versions for octants are from its change log, the others' from reports of programs that draw with
  /// them; the versions for sextants are later than the first ones with support.
  private static let known: [Known] = [
    ("kitty(0.20)", .sextant), ("kitty(0.40)", .octant),
    ("foot(1.8)", .sextant), ("foot(1.20)", .octant),
    ("ghostty 1.0", .sextant), ("ghostty 1.2", .octant),
    ("VTE(7000)", .sextant), ("VTE(7800)", .octant),
    ("WezTerm 20220101", .sextant),
    ("contour 0.4", .sextant),
  ].map { text, symbols in
    let version = TerminalVersion(text)
    return (version.terminal, version, symbols)
  }
}

/// A terminal's name and version, as in "kitty(0.26.5)" and "WezTerm 20230712-072601-f4abf8fd".
private struct TerminalVersion: Comparable {
  var terminal: String
  var numbers: [Int]

  init(_ text: String) {
    let name = text.prefix { $0.isLetter || $0 == "-" }
    terminal = name.lowercased()
    numbers = text[name.endIndex...].split { !("0"..."9").contains($0) }.prefix(3).compactMap { Int($0) }
  }

  static func < (a: TerminalVersion, b: TerminalVersion) -> Bool {
    a.numbers.lexicographicallyPrecedes(b.numbers)
  }
}
