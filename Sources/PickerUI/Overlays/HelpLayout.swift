import Pixels

/// The lines of the help, made from the actual keys, in one column or two.
struct HelpLayout: Hashable, Sendable {
  /// One line: a heading, or keys and what they ask for.
  struct Line: Hashable, Sendable {
    var heading: String?
    var keys = ""
    var words = ""
  }

  /// The lines of each column.
  let columns: [[Line]]
  /// The width of the keys in each column.
  let keyWidths: [Int]
  let widths: [Int]
  let box: OverlayBox
  /// How far the lines can be scrolled.
  let lastScroll: Int

  static let gap = 4

  init(_ bindings: KeyBindings, _ symbols: Symbols, screen: CellSize) {
    let sections = bindings.sections.map { section in
      [Line(heading: section.title)]
        + section.groups.map { group in
          let keys = group.label ?? group.bindings.map { $0.key.label(symbols) }.joined(separator: " ")
          return Line(keys: keys, words: group.title)
        }
    }
    let airy = Self.joined(sections)
    let single = airy.count + 4 > screen.rows ? sections.flatMap { $0 } : airy
    let width = { (lines: [Line]) in
      lines.map { DisplayText($0.words).width }.max() ?? 0
    }
    let keys = { (lines: [Line]) in lines.map { DisplayText($0.keys).width }.max() ?? 0 }
    // Two columns where one is too long and two have room.
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
    lastScroll = max(0, height - box.inner.rows)
  }

  private static func joined(_ sections: some Collection<[Line]>) -> [Line] {
    Array(sections.joined(separator: [Line()]))
  }

  /// The sections in two columns that are about equally long.
  private static func split(_ sections: [[Line]]) -> [[Line]] {
    let halves = (1..<max(2, sections.count)).map { count in
      [joined(sections.prefix(count)), joined(sections.dropFirst(count))]
    }
    return halves.min { a, b in a.map(\.count).max() ?? 0 < b.map(\.count).max() ?? 0 } ?? []
  }
}
