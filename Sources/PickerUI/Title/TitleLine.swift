import AssetLibrary
import Pixels

/// The first line: the album's title, the active filters, the count and the order.
struct TitleLine: Hashable, Sendable {
  /// What a click on an item does.
  enum Action: Hashable, Sendable {
    case remove(UserFilter.Condition)
    case removeSearch
    case sort
  }

  /// A piece of text and its column.
  struct Item: Hashable, Sendable {
    var text: DisplayText
    var style: TextStyle
    var column = 0
    var action: Action?

    init(_ text: String, _ style: TextStyle, _ action: Action? = nil) {
      self.text = DisplayText(text)
      self.style = style
      self.action = action
    }
  }

  private(set) var items: [Item] = []

  /// Lays out the items in a line: title and chips on the left, one in the middle, the rest on the right.
  /// - Parameters:
  ///   - center: left out where it does not fit.
  ///   - right: items in order; those with the lowest rank are dropped first if they don't fit.
  init(
    title: Item, chips: [Item], center: Item? = nil, right: [(item: Item, rank: Int)], columns: Int
  ) {
    let gap = 3
    var title = title
    title.text = title.text.middleTruncated(to: max(8, columns / 3))
    var right = right
    let used = { (items: [Item]) in items.reduce(0) { $0 + $1.text.width + gap } }
    while let least = right.min(by: { $0.rank < $1.rank }),
      used([title] + chips) + used(right.map(\.item)) > columns
    {
      right.removeAll { $0.rank == least.rank }
    }
    var column = columns - 1 + gap - used(right.map(\.item))
    let end = right.isEmpty ? columns - 1 : column - 1
    for var item in right.map(\.item) {
      item.column = column
      column += item.text.width + gap
      items.append(item)
    }
    column = 1
    for var item in [title] + chips {
      item.text = item.text.truncated(to: max(0, end - column))
      item.column = column
      column += item.text.width + gap
      if item.text.width > 0 { items.append(item) }
    }
    guard var center, column + center.text.width + gap <= end else { return }
    center.column = max(column, min((columns - center.text.width) / 2, end - gap - center.text.width))
    items.append(center)
  }

  func action(at column: Int) -> Action? {
    items.first { ($0.column..<$0.column + $0.text.width).contains(column) }?.action
  }
}
