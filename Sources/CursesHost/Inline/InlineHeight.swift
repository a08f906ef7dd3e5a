/// How much of the window a picker takes that leaves the rest of the screen as it is.
package enum InlineHeight: Hashable, Sendable {
  case rows(Int)
  /// Of the window's rows.
  case percent(Int)

  /// Reads "15" as rows and "40%" as a part of the window.
  /// - Returns: nil for anything else, and for nothing of the window.
  package init?(_ text: String) {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? text.dropLast() : text[...]
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits),
      number > 0, !isPercent || number <= 100
    else { return nil }
    self = isPercent ? .percent(number) : .rows(number)
  }

  /// How many rows that is of a window: no more than it has, and no fewer than a picker needs, if it has these.
  func rows(of window: Int, least: Int) -> Int {
    let rows =
      switch self {
      case .rows(let count): count
      case .percent(let part): window * part / 100
      }
    return min(max(rows, least), window)
  }
}
