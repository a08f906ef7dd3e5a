import AssetLibrary

extension PickerState {
  mutating func moveInGrid(_ command: Command) -> [PickerEffect] {
    guard !assets.isEmpty else { return [] }
    let geometry = layout.cells
    let last = assets.count - 1
    // In full screen there is one picture: all directions mean the next or the previous one.
    let isLine = isFullScreen || geometry.columns == 0
    let page = isLine ? 10 : max(1, geometry.rows)
    var isVertical = false
    switch command {
    case .left: cursor -= 1
    case .right: cursor += 1
    case .up where isLine: cursor -= 1
    case .down where isLine: cursor += 1
    case .pageUp where isLine: cursor -= page
    case .pageDown where isLine: cursor += page
    case .up: (isVertical, _) = (true, moveRows(-1))
    case .down: (isVertical, _) = (true, moveRows(1))
    case .pageUp: (isVertical, _) = (true, moveRows(-page))
    case .pageDown: (isVertical, _) = (true, moveRows(page))
    case .first: cursor = 0
    case .last: cursor = last
    default: break
    }
    if !isVertical { column = nil }
    return moveCursor(to: cursor)
  }

  /// Puts the cursor at an asset, with the range that follows it.
  mutating func moveCursor(to index: Int) -> [PickerEffect] {
    guard !assets.isEmpty else { return [] }
    cursor = max(0, min(index, assets.count - 1))
    anchor = assets.identifier(at: cursor)
    home = nil
    return stretchRange()
  }

  /// Up or down, in the column where the way began, past rows that are shorter.
  private mutating func moveRows(_ step: Int) {
    let row = rows.row(of: cursor)
    let wanted = column ?? rows.column(of: cursor)
    let target = max(0, min(rows.rowCount - 1, row + step))
    guard target != row else {
      // A page past the end goes to the end.
      if abs(step) > 1 { cursor = step > 0 ? assets.count - 1 : 0 }
      return
    }
    cursor = rows.index(inRow: target, near: wanted) ?? cursor
    column = wanted
  }

  // MARK: Jumping

  /// Where digits lead: to a year, a month or a day where that many digits can be one, else to a number.
  enum JumpTarget: Hashable {
    case period(CalendarPeriod, index: Int)
    case number(Int)
  }

  /// What the digits mean that were typed so far; nil while they mean nothing.
  func jumpTarget(_ digits: String) -> JumpTarget? {
    guard !assets.isEmpty, let number = Int(digits) else { return nil }
    if let days, let period = Self.period(digits), !days.isEmpty {
      let isAscending = userFilter.sort == .oldest
      // The first photo of the period, or the nearest one after it in the order of the grid.
      let found = days.firstIndex { section in
        period.contains(section.day)
          || (isAscending ? !Self.isBefore(section.day, period) : Self.isBefore(section.day, period))
      }
      return .period(period, index: days[found ?? days.count - 1].start)
    }
    return (1...assets.count).contains(number) ? .number(number - 1) : nil
  }

  /// A year, a year and a month, a whole date: four, six or eight digits.
  private static func period(_ digits: String) -> CalendarPeriod? {
    let numbers = digits.compactMap(\.wholeNumberValue)
    guard numbers.count == digits.count, [4, 6, 8].contains(numbers.count) else { return nil }
    let value = { (range: Range<Int>) in numbers[range].reduce(0) { $0 * 10 + $1 } }
    let year = value(0..<4)
    guard (1800...2199).contains(year) else { return nil }
    if numbers.count == 4 { return CalendarPeriod(year: year) }
    let month = value(4..<6)
    guard (1...12).contains(month) else { return nil }
    if numbers.count == 6 { return CalendarPeriod(year: year, month: month) }
    let day = value(6..<8)
    return (1...31).contains(day) ? CalendarPeriod(year: year, month: month, day: day) : nil
  }

  private static func isBefore(_ day: CalendarDay, _ period: CalendarPeriod) -> Bool {
    (day.year, day.month, day.day) < (period.year, period.month ?? 1, period.day ?? 1)
  }
}
