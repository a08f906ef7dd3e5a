import Results
import Testing

@testable import FileChooser

@Suite struct TerminalCommandTests {
  private static let command = ["/p", "--inside", "/f o"].map { Array($0.utf8) }

  private static func line(_ setting: String?, installed: Set<String> = []) throws -> String? {
    let terminal = try TerminalCommand(setting: setting.map { Array($0.utf8) }) { installed.contains($0) }
    return terminal?.words(running: command, title: "-{rows} T", size: .init(columns: 100, rows: 30)).map {
      String(decoding: $0, as: UTF8.self)
    }.joined(separator: "|")
  }

  @Test(arguments: [
    ("xdg-terminal-exec", "xdg-terminal-exec"),
    (
      "kitty",
      "kitty|--title=-{rows} T|--override=remember_window_size=no|--override=initial_window_width=100c|--override=initial_window_height=30c"
    ),
    ("foot", "foot|--title=-{rows} T|--window-size-chars=100x30"),
    (
      "wezterm",
      "wezterm|--config|initial_cols=100|--config|initial_rows=30|start|--always-new-process|--"
    ),
    (
      "alacritty",
      "alacritty|--title=-{rows} T|--option=window.dimensions.columns=100|--option=window.dimensions.lines=30|-e"
    ),
    (
      "ghostty",
      "ghostty|--title=-{rows} T|--window-width=100|--window-height=30|--gtk-single-instance=false|-e"
    ),
    ("konsole", "konsole|--separate|--nofork|-p|TerminalColumns=100|-p|TerminalRows=30|-e"),
    ("gnome-terminal", "gnome-terminal|--title=-{rows} T|--geometry=100x30|--"),
    ("xterm", "xterm|-ti|vt340|-title|-{rows} T|-geometry|100x30|-e"),
    ("x-terminal-emulator", "x-terminal-emulator|-T|-{rows} T|-e"),
  ]) func `A terminal's command line`(_ name: String, _ line: String) throws {
    #expect(try Self.line(name) == line + "|/p|--inside|/f o")
    #expect(try Self.line(nil, installed: [name]) == line + "|/p|--inside|/f o")
    #expect(try Self.line("/opt/\(name)") == "/opt/" + line + "|/p|--inside|/f o")
  }

  @Test func `The first installed terminal`() throws {
    #expect(try Self.line(nil, installed: ["xterm", "foot", "konsole"])?.hasPrefix("foot|") == true)
    #expect(try Self.line(nil) == nil)
  }

  @Test func `A user-defined command line`() throws {
    #expect(
      try Self.line("st -t '{title}' -g {columns}x{rows} -e")
        == "st|-t|-{rows} T|-g|100x30|-e|/p|--inside|/f o")
    #expect(try Self.line("foot -e") == "foot|-e|/p|--inside|/f o")
    #expect(try Self.line("$(x)") == "$(x)|/p|--inside|/f o")
    #expect(throws: FormatError.self) { try Self.line("'foot") }
    #expect(throws: FormatError.self) { try Self.line(" ") }
  }
}
