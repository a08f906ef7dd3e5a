import TerminalText

/// The title of a terminal's window: what the program asks for, and what it does with it.
package enum WindowTitle {
  private static let limit = 200

  /// Characters that act on terminals are left out: the text is the program's.
  package static func text(for request: ChooserRequest) -> String {
    let parts = [request.title, request.acceptLabel ?? ""].map { part in
      var text = ""
      text.unicodeScalars += part.unicodeScalars.filter { !ControlCharacters.contains($0) }
      return text.split(separator: " ").joined(separator: " ")
    }
    let title = parts.filter { !$0.isEmpty }
    let distinct = title.count == 2 && title[0] == title[1] ? [title[0]] : title
    return distinct.isEmpty ? "tpick" : String(distinct.joined(separator: " · ").prefix(limit))
  }

  /// The sequence that gives the title to the terminal (xterm's control sequences, OSC 2).
  package static func sequence(_ title: String) -> [UInt8] {
    Array("\u{1B}]2;\(title)\u{1B}\\".utf8)
  }
}
