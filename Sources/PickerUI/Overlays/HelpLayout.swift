import Pixels

/// The lines of the help, made from the key bindings, in one column or two.
struct HelpLayout: Hashable, Sendable {
  /// One line: a heading, or keys and what they do.
  struct Line: Hashable, Sendable {
    var heading: String?
    var keys = ""
    var text = ""
  }

  /// The lines of each column.
  let columns: [[Line]]
  /// The width of the keys in each column.
  let keyWidths: [Int]
  let widths: [Int]
  let box: OverlayBox
  /// The largest scroll offset.
  let maximumScroll: Int

  static let gap = 4

  init(_ bindings: KeyBindings, _ symbols: Symbols, screen: CellSize) {
    let sections = bindings.sections.map { section in
      [Line(heading: section.title)]
        + section.groups.map { group in
          let keys = group.label ?? group.bindings.map { $0.key.label(symbols) }.joined(separator: " ")
          return Line(keys: keys, text: group.title)
        }
    }
    let spaced = Self.joined(sections)
    let single = spaced.count + 4 > screen.rows ? sections.flatMap { $0 } : spaced
    let width = { (lines: [Line]) in
      lines.map { DisplayText($0.text).width }.max() ?? 0
    }
    let keys = { (lines: [Line]) in lines.map { DisplayText($0.keys).width }.max() ?? 0 }
    // Two columns if one is too high for the screen and two fit its width.
    let split = Self.split(sections)
    let both = split.map { keys($0) + 2 + width($0) }
    let isDouble =
      single.count + 4 > screen.rows && both.reduce(0, +) + Self.gap + 6 <= min(80, screen.columns)
    columns = isDouble ? split : [single]
    keyWidths = columns.map(keys)
    widths = columns.map { keys($0) + 2 + width($0) }
    let height = columns.map(\.count).max() ?? 0
    let footer =
      height + 4 > screen.rows
      ? "\(symbols.keys.up)\(symbols.keys.down) more   any other key closes" : "any key closes"
    box = OverlayBox(
      title: "Help", footer: footer, width: widths.reduce(0, +) + Self.gap * (columns.count - 1),
      height: height, screen: screen)
    maximumScroll = max(0, height - box.inner.rows)
  }

  private static func joined(_ sections: some Collection<[Line]>) -> [Line] {
    Array(sections.joined(separator: [Line()]))
  }

  /// The sections in two columns of about equal height.
  private static func split(_ sections: [[Line]]) -> [[Line]] {
    let halves = (1..<max(2, sections.count)).map { count in
      [joined(sections.prefix(count)), joined(sections.dropFirst(count))]
    }
    return halves.min { a, b in a.map(\.count).max() ?? 0 < b.map(\.count).max() ?? 0 } ?? []
  }
}
