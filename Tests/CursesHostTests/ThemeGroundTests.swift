import PickerUI
import Pixels
import TerminalGraphics
import Testing

@testable import CursesHost

@Suite struct ThemeGroundTests {
  @Test(arguments: [
    (Color?.none, Theme.Name.light, Color.white), (nil, .dark, .black), (Color.black, .light, .black),
    (Color.white, .dark, .white),
  ])
  func `If the terminal does not report its background, the chosen theme defines it`(
    told: Color?, theme: Theme.Name, expected: Color
  ) {
    var capabilities = TerminalCapabilities()
    capabilities.background = told
    #expect(Backdrop(capabilities, theme: theme) == .color(expected))
  }

  @Test(arguments: [
    ("", 256, ""), ("red on 16", 256, "\u{1B}[48;5;16m"), ("on 16", 8, "\u{1B}[40m"), ("on 16", 0, ""),
    ("on bright-white", 16, "\u{1B}[107m"), ("on #102030", 1 << 24, "\u{1B}[48;2;16;32;48m"),
  ])
  func `The background of plain text has a sequence`(look: String, colors: Int, sequence: String) throws {
    let theme = Theme(looks: [.plain: try ThemeLook(parsing: look)])
    #expect(theme.groundSequence(colors: colors) == Array(sequence.utf8))
  }
}
