import AssetLibrary
import PickerUI
import TerminalGraphics
import TerminalText

extension Settings {
  /// All settings as a TOML document (toml.io, 1.0.0), which reads back as the same settings.
  ///
  /// Styles that the user did not change are written as comments.
  package var toml: String {
    var lines = [
      "theme = \(Self.quoted(theme.name?.rawValue ?? "auto"))", "symbols = \(Self.quoted(symbols.rawValue))",
      "sort = \(Self.quoted(sort.rawValue))", "bell = \(ringsBell)",
      "captions = \(Self.quoted(screen.captions.rawValue))",
    ]
    lines += ["", "[grid]", "size = \(screen.gridSize.toml)"]
    lines += ["", "[panes]", "albums = \(screen.showsAlbums)"]
    lines.append("preview = \(screen.showsPreview.map(String.init) ?? Self.quoted("auto"))")
    lines += ["", "[sixel]", "encoder = \(Self.quoted(sixelEncoder?.rawValue ?? "auto"))"]
    lines += ["", "[cache]", "memory = \(Self.quoted(ByteSize.text(of: cacheMemory)))"]
    lines += ["", "[colors]"]
    let looks = Theme(theme.name ?? .dark).looks
    for style in StyleName.allCases {
      if let change = theme.changes[style] {
        lines.append("\(style.rawValue) = \(Self.quoted(change.text))")
      } else {
        lines.append("# \(style.rawValue) = \(Self.quoted(looks[style]?.text ?? ""))")
      }
    }
    lines += ["", "[keys]"]
    lines += Command.allCases.map { command in "\(command.name) = \(keysText(command))" }
    if !actions.isEmpty { lines += ["", "[actions]"] }
    lines += actions.map { "\(Self.quoted($0.key.name)) = \(Self.quoted($0.action.text))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func keysText(_ command: Command) -> String {
    let keys = bindings.keys(for: command).map { Self.quoted($0.name) }
    return keys.count == 1 ? keys[0] : "[\(keys.joined(separator: ", "))]"
  }

  /// The text as a TOML basic string.
  private static func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar -> String in
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case _ where ControlCharacters.contains(scalar):
          let (digits, isShort) = (String(scalar.value, radix: 16), scalar.value < 0x10000)
          return (isShort ? "\\u" : "\\U")
            + String(repeating: "0", count: (isShort ? 4 : 8) - digits.count) + digits
        default: return String(scalar)
        }
      }.joined() + "\""
  }
}
