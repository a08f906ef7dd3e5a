import Fixtures
import Foundation
import TestTerminal

/// The worked examples of the manual: a table of tasks, the keys of each, and their number.
enum WorkedExamples {
  /// One row of the table.
  struct Row: Sendable {
    var task: String
    var keys: String
    var count: Int
  }

  /// The rows of the manual, by task.
  static let rows = Result {
    let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../Docs/Manual.md").standardizedFileURL
    let lines = try String(contentsOf: manual, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { $0 != "### Worked examples" }.dropFirst().prefix { !$0.hasPrefix("#") }
    return section.compactMap { line -> Row? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let count = Int(cells[2]) else { return nil }
      return Row(task: cells[0], keys: cells[1], count: count)
    }
  }

  /// The presses in order, as in the manual: names of keys, and typed text between backquotes.
  /// - Throws: ``FixtureError`` for a word that names no key.
  static func presses(_ keys: String) throws -> [String] {
    var presses: [String] = []
    for (index, part) in keys.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      // Every second part is between backquotes.
      guard index.isMultiple(of: 2) else {
        presses += part.map { String($0) }
        continue
      }
      for name in part.split(separator: " ") {
        if name.hasPrefix("Ctrl-"), let letter = name.last?.asciiValue {
          presses.append(String(UnicodeScalar(letter & 0x1F)))
        } else if let key = named[String(name)] {
          presses.append(key.sequence(applicationCursorKeys: true))
        } else {
          throw FixtureError("no key is called \(name)")
        }
      }
    }
    return presses
  }

  private static let named: [String: SpecialKey] = [
    "Enter": .enter, "Space": .space, "Tab": .tab, "Esc": .escape, "Backspace": .backspace, "Up": .up,
    "Down": .down, "Left": .left, "Right": .right, "PgUp": .pageUp, "PgDn": .pageDown, "Home": .home,
    "End": .end,
  ]
}
