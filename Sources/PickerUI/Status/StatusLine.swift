import Pixels

/// The last line: the selection, the position, long-running work and key hints.
///
/// Both drawing and mouse handling use it, so that a click acts on what is shown there.
struct StatusLine: Hashable, Sendable {
  /// A piece of text and its column.
  struct Item: Hashable, Sendable {
    var text: DisplayText
    var column: Int
    var style: TextStyle
    /// What a click on it does.
    var action: Hint.Action?
  }

  /// A key and what it does in the current context.
  struct Hint: Hashable, Sendable {
    /// What a click on it does.
    enum Action: Hashable, Sendable {
      case command(Command)
      /// A key for the prompt.
      case key(Key)
    }

    var key: DisplayText
    var label: DisplayText
    var action: Action
    var column = 0

    init(key: DisplayText, label: DisplayText, action: Action) {
      (self.key, self.label, self.action) = (key, label, action)
    }

    /// A key that means the same whatever it is bound to.
    init(_ key: Key, _ label: String, _ symbols: Symbols) {
      self.init(key: DisplayText(key.label(symbols)), label: DisplayText(label), action: .key(key))
    }

    var width: Int { key.width + 1 + label.width }

    /// Whether it is what Enter or Esc does, or Space in a menu: the way on and the way out stay when others have no
    /// room.
    fileprivate var isKept: Bool {
      switch action {
      case .command(let command): command == .confirm || command == .close
      case .key(let key): [.enter, .space, .escape].contains(key)
      }
    }
  }

  /// The most hints shown at once.
  private static let maximumHints = 6
  /// Cells between unrelated items.
  static let gap = 3

  let columns: Int
  /// The cells at the end that text leaves free.
  let reservedColumns: Int
  private(set) var items: [Item] = []
  private(set) var hints: [Hint] = []
  /// The column after the last item.
  private var end = 1

  /// - Parameter reservedColumns: the cells at the end that text leaves to the hints.
  init(columns: Int, reservedColumns: Int = 0) {
    self.columns = columns
    self.reservedColumns = max(0, min(reservedColumns, columns - Self.leastTextColumns))
  }

  /// Text has at least this many cells.
  private static let leastTextColumns = 8

  /// The cells that those of some hints take that are always there, with the gap before them.
  /// - Parameter includesHelp: whether the last hint counts as one of them.
  static func columns(ofKept hints: [Hint], includingHelp includesHelp: Bool = false) -> Int {
    hints.indices.filter { hints[$0].isKept || includesHelp && $0 == hints.count - 1 }
      .reduce(0) { $0 + hints[$1].width + gap }
  }

  /// The free cells after the last item.
  var remainingColumns: Int { columns - end - 1 - reservedColumns }

  /// Appends text, truncated to the remaining columns.
  mutating func append(_ parts: [(text: String, style: TextStyle)], action: Hint.Action? = nil) {
    for part in parts {
      let text = DisplayText(part.text).truncated(to: max(0, remainingColumns))
      items.append(Item(text: text, column: end, style: part.style, action: action))
      end += text.width
    }
  }

  /// Appends text after a gap, if at least `least` cells remain.
  mutating func append(apart least: Int, _ parts: (_ width: Int) -> [(text: String, style: TextStyle)]) {
    guard remainingColumns - Self.gap >= least else { return }
    end += Self.gap
    append(parts(remainingColumns))
  }

  /// Places as many hints as fit, right-aligned: the last one (help) goes after the others, Enter and Esc at the
  /// very last.
  /// - Parameter all: in the order in which they stand, the most useful first.
  mutating func place(_ all: [Hint]) {
    var hints = all
    let width = { (hints: [Hint]) in
      hints.reduce(0) { $0 + $1.width } + Self.gap * max(0, hints.count - 1)
    }
    while !hints.isEmpty, hints.count > Self.maximumHints || width(hints) + 1 > columns - end - Self.gap {
      let expendable = hints.indices.dropLast().last { !hints[$0].isKept }
      hints.remove(at: expendable ?? hints.lastIndex { !$0.isKept } ?? 0)
    }
    var column = columns - width(hints) - 1
    for index in hints.indices {
      hints[index].column = column
      column += hints[index].width + Self.gap
    }
    self.hints = hints
  }

  /// What a click does.
  func action(at column: Int) -> Hint.Action? {
    if let hint = hints.first(where: { ($0.column..<$0.column + $0.width).contains(column) }) {
      return hint.action
    }
    return items.first { ($0.column..<$0.column + $0.text.width).contains(column) }?.action
  }
}
