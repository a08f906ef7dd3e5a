/// Assets that were taken one after the other at one time in one place.
public struct Moment: Hashable, Sendable {
  /// Where its assets stand in the sequence that was split.
  public var range: Range<Int>
  /// When its first asset was taken.
  public var startDate: AssetDate
  /// When its last asset was taken.
  public var endDate: AssetDate
  /// "moment." and its start: the same in every run while its first asset stays.
  public var localIdentifier: LocalIdentifier

  /// The day and the times, as "2024-05-01, 09:00–11:30".
  public var title: String {
    let (day, start) = startDate.wallText
    let (end, first) = (endDate.wallText.time.prefix(5), start.prefix(5))
    return first == end ? "\(day), \(first)" : "\(day), \(first)–\(end)"
  }
}
