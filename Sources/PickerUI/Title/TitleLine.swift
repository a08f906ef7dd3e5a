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

  /// The minimum number of columns for the text before the title.
  private static let leastLead = 16

  /// Lays out the items in a line: title and chips on the left, one in the middle, the rest on the right.
  /// - Parameters:
  ///   - lead: the item before the title, at most half of the line.
  ///   - center: left out if it does not fit.
  ///   - right: items in order; those with the lowest rank are dropped first if they do not fit.
  init(
    lead: Item? = nil, title: Item, chips: [Item], center: Item? = nil, right: [(item: Item, rank: Int)],
    columns: Int
  ) {
    let gap = 3
    var title = title
    title.text = title.text.middleTruncated(to: max(8, columns / 3))
    var right = right
    let used = { (items: [Item]) in items.reduce(0) { $0 + $1.text.width + gap } }
    var left = [title] + chips
    if var lead {
      // The lead is truncated before other items are dropped, as long as it stays readable.
      let room = columns - 1 - used(left) - used(right.map(\.item))
      lead.text = lead.text.middleTruncated(to: max(Self.leastLead, min(columns / 2, room)))
      left.insert(lead, at: 0)
    }
    while let least = right.min(by: { $0.rank < $1.rank }),
      used(left) + used(right.map(\.item)) > columns
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
    for var item in left {
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

extension TitleLine {
  /// The first line of a picker.
  init(of picker: PickerState, columns: Int) {
    let name =
      picker.authorization.mode == .managing
      ? "Photos that \(picker.options.client.name) may see" : picker.library.title
    var chips = picker.library.userFilter.conditions.map { condition in
      TitleLine.Item(
        "\(condition.isExcluded ? "not " : "")\(condition.name.words) \(picker.options.symbols.menus.remove)",
        .chip,
        .remove(condition))
    }
    if !picker.library.userFilter.text.isEmpty {
      chips.append(
        TitleLine.Item(
          "“\(picker.library.userFilter.text)” \(picker.options.symbols.menus.remove)", .chip, .removeSearch))
    }
    if picker.library.userFilter.showsHidden { chips.append(TitleLine.Item("with hidden", .chip)) }
    var right: [(TitleLine.Item, Int)] = []
    if picker.library.status.isComplete || !picker.library.assets.isEmpty {
      right.append((TitleLine.Item(Self.countText(of: picker), .dim), 2))
    }
    if !picker.library.status.isComplete, Work.shown(in: picker) == nil {
      right.append((TitleLine.Item("reading…", .dim), 1))
    }
    if picker.library.canResume {
      right.append((TitleLine.Item("incomplete", TextStyle(.warning)), 1))
    }
    right.append(
      (
        TitleLine.Item(
          "\(picker.library.sortName) \(picker.options.symbols.albums.expanded)", .dim, .sort),
        0
      ))
    if let filter = picker.options.configuration.filter {
      right.append((TitleLine.Item(filter.description, .fixedFilter), 3))
    }
    let center = Self.visibleMonth(of: picker).map { TitleLine.Item($0, .title) }
    self.init(
      lead: picker.options.purposeText.map { TitleLine.Item($0, .accent) },
      title: TitleLine.Item(name, .title),
      chips: chips, center: center, right: right, columns: columns)
  }

  /// The month of the first visible photo, if photos are sorted by date.
  private static func visibleMonth(of picker: PickerState) -> String? {
    guard !picker.library.assets.isEmpty,
      let day = picker.library.day(of: picker.grid.rows.indexes(inRow: picker.grid.topRow).lowerBound)
    else { return nil }
    return picker.options.locale.period(CalendarPeriod(year: day.year, month: day.month))
  }

  /// "1,204 photos · 38 videos · 2 unreadable", without parts whose count is 0.
  private static func countText(of picker: PickerState) -> String {
    let locale = picker.options.locale
    let (photos, videos) = (picker.library.counts[.image] ?? 0, picker.library.counts[.video] ?? 0)
    let unreadable = picker.library.assets.count - photos - videos
    var parts: [String] = []
    if videos > 0 { parts.append(locale.count(videos, "video", "videos")) }
    if unreadable > 0 { parts.append("\(locale.number(unreadable)) unreadable") }
    if photos > 0 || parts.isEmpty { parts.insert(locale.count(photos, "photo", "photos"), at: 0) }
    return parts.joined(separator: " · ")
  }

  func draw(on frame: inout ScreenFrame, row: Int) {
    for item in items { frame.put(item.text, row: row, column: item.column, style: item.style) }
  }
}

extension Picker {
  /// The title of the terminal's window: the progress of long work, then the selection, else the album.
  ///
  /// It has no control characters, and moving the cursor does not change it.
  package static func windowTitle(_ state: PickerState) -> String {
    guard state.layers.showsLibrary else { return "tpick" }
    let progress = Work.shown(in: state)?.completedFraction.map { "\(Int($0 * 100)) % - " } ?? ""
    return progress + state.windowTitleText + " - tpick"
  }
}

extension PickerState {
  fileprivate var windowTitleText: String {
    if authorization.mode == .managing {
      return "photos that \(DisplayText(options.client.name).string) may see"
    }
    guard let first = picks.selection.assets.first else {
      let title = DisplayText(library.title).string
      return options.purposeText.map { "\($0) - \(title)" } ?? title
    }
    let name = DisplayText(bytes: first.nameBytes).middleTruncated(to: 60).string
    return picks.selection.count == 1
      ? name : "\(name) and \(options.locale.number(picks.selection.count - 1)) more"
  }
}
