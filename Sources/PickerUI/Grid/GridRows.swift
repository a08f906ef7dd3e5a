import AssetLibrary

/// The assets in each row of the grid, where a new row begins with each day, month or year.
///
/// The division is the finest one that leaves few cells empty: days, else months, else years.
struct GridRows: Hashable, Sendable {
  /// The period with which a new row begins.
  enum Division: CaseIterable, Sendable {
    case day, month, year
  }

  /// The assets between two headers.
  struct Section: Hashable, Sendable {
    var start: Int
    var count: Int
    var firstRow: Int
    /// The day of its first asset.
    var day: CalendarDay?
  }

  let columns: Int
  let count: Int
  /// nil = rows are not divided by date.
  private(set) var division: Division?
  private(set) var sections: [Section] = []
  private(set) var rowCount = 0

  /// - Parameter days: ascending by index, the first at 0; empty if the assets are not ordered by date.
  init(count: Int, columns: Int, days: [DaySection] = []) {
    self.columns = max(1, columns)
    self.count = count
    guard count > 0 else { return }
    let plain = (count + self.columns - 1) / self.columns
    if days.first?.start == 0 {
      for division in Division.allCases {
        let merged = Self.merge(days, by: division)
        place(merged)
        if rowCount * 3 <= plain * 4 + 1 {
          self.division = division
          return
        }
      }
    }
    place([(0, nil)])
  }

  private static func merge(_ days: [DaySection], by division: Division) -> [(Int, CalendarDay?)] {
    var merged: [(Int, CalendarDay?)] = []
    var last: CalendarDay?
    for section in days {
      let isSame =
        switch division {
        case .day: false
        case .month: last?.year == section.day.year && last?.month == section.day.month
        case .year: last?.year == section.day.year
        }
      last = section.day
      if !isSame { merged.append((section.start, section.day)) }
    }
    return merged
  }

  private mutating func place(_ starts: [(start: Int, day: CalendarDay?)]) {
    sections = []
    rowCount = 0
    for (index, section) in starts.enumerated() {
      let end = min(count, index + 1 < starts.count ? starts[index + 1].start : count)
      guard end > section.start else { continue }
      sections.append(
        Section(start: section.start, count: end - section.start, firstRow: rowCount, day: section.day))
      rowCount += (end - section.start + columns - 1) / columns
    }
  }

  /// The last section whose `key` is at most `value`.
  private func section(_ value: Int, by key: (Section) -> Int) -> Section? {
    var (low, high) = (0, sections.count)
    while low < high {
      let middle = (low + high) / 2
      if key(sections[middle]) <= value { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? sections[low - 1] : nil
  }

  /// The section that a row belongs to.
  func section(ofRow row: Int) -> Section? { section(row) { $0.firstRow } }

  func row(of index: Int) -> Int {
    guard let section = section(index, by: { $0.start }) else { return 0 }
    return section.firstRow + (index - section.start) / columns
  }

  func column(of index: Int) -> Int {
    guard let section = section(index, by: { $0.start }) else { return 0 }
    return (index - section.start) % columns
  }

  /// The assets of one row.
  func indexes(inRow row: Int) -> Range<Int> {
    guard row >= 0, row < rowCount, let section = section(ofRow: row) else { return 0..<0 }
    let start = section.start + (row - section.firstRow) * columns
    return start..<min(start + columns, section.start + section.count)
  }

  /// The assets of some rows.
  func indexes(inRows rows: Range<Int>) -> Range<Int> {
    let rows = rows.clamped(to: 0..<rowCount)
    guard let last = rows.last else { return 0..<0 }
    return indexes(inRow: rows.lowerBound).lowerBound..<indexes(inRow: last).upperBound
  }

  /// The asset at a column of a row, or the last one of a shorter row; nil if there is no such row.
  func index(inRow row: Int, near column: Int) -> Int? {
    let range = indexes(inRow: row)
    return range.isEmpty ? nil : min(range.lowerBound + column, range.upperBound - 1)
  }

  /// The asset in a cell; nil if the cell is empty.
  func index(row: Int, column: Int) -> Int? {
    let range = indexes(inRow: row)
    return range.contains(range.lowerBound + column) && column >= 0 && column < columns
      ? range.lowerBound + column : nil
  }
}
