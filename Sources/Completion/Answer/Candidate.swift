/// A text that the word at the cursor, or the value in it, can become.
package struct Candidate: Hashable, Sendable {
  package var text: String
  /// What it means, in a few words.
  package var detail: String?

  package init(_ text: String, _ detail: String? = nil) {
    self.text = text
    self.detail = detail
  }

  /// Whether it can be listed on a terminal, one a line.
  var isOneLine: Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}"
    }
  }

  /// Whether it goes on from what is typed, in any capitals.
  func begins(with typed: some StringProtocol) -> Bool {
    typed.isEmpty || text.lowercased().hasPrefix(typed.lowercased())
  }
}
