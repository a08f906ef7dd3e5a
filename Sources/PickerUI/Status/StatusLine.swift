import Pixels

/// The last line: what is picked, where one is, what takes long, and the keys that matter now.
///
/// Made in one place for drawing and for the mouse: a click does what stands under it.
struct StatusLine: Hashable, Sendable {
  /// Some words and where they begin.
  struct Item: Hashable, Sendable {
    var text: DisplayText
    var column: Int
    var style: TextStyle
  }

  /// One key and what it does now.
  struct Hint: Hashable, Sendable {
    /// What a click on it does.
    enum Action: Hashable, Sendable {
      case command(Command)
      /// The key is part of what is being typed.
      case key(Key)
    }

    var key: DisplayText
    var words: DisplayText
    var action: Action
    var column = 0

    var width: Int { key.width + 1 + words.width }
  }

  /// More keys at once are not read.
  private static let mostHints = 6
  /// Cells between what does not belong together.
  private static let gap = 3

  let columns: Int
  private(set) var items: [Item] = []
  private(set) var hints: [Hint] = []
  /// Behind the last item.
  private var end = 1

  init(columns: Int) {
    self.columns = columns
  }

  /// Cells that are left behind the last item.
  var room: Int { columns - end - 1 }

  /// Adds words, as far as there is room.
  mutating func append(_ parts: [(text: String, style: TextStyle)]) {
    for part in parts {
      let text = DisplayText(part.text).truncated(to: max(0, room))
      items.append(Item(text: text, column: end, style: part.style))
      end += text.width
    }
  }

  /// Adds words apart from those before, where there is room for so many cells.
  mutating func append(apart least: Int, _ parts: (_ room: Int) -> [(text: String, style: TextStyle)]) {
    guard room - Self.gap >= least else { return }
    end += Self.gap
    append(parts(room))
  }

  /// Puts as many keys as have room to the right.
  /// - Parameter all: the most useful first, but the last, which goes last.
  mutating func place(_ all: [Hint]) {
    var hints = all
    let width = { (hints: [Hint]) in
      hints.reduce(0) { $0 + $1.width } + Self.gap * max(0, hints.count - 1)
    }
    while !hints.isEmpty, hints.count > Self.mostHints || width(hints) + 1 > columns - end - Self.gap {
      hints.remove(at: max(0, hints.count - 2))
    }
    var column = columns - width(hints) - 1
    for index in hints.indices {
      hints[index].column = column
      column += hints[index].width + Self.gap
    }
    self.hints = hints
  }

  func hint(at column: Int) -> Hint? {
    hints.first { ($0.column..<$0.column + $0.width).contains(column) }
  }
}
