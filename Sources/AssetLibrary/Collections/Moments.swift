/// Splits a library into moments.
///
/// The rule is tpick's own, because Apple does not publish theirs. A moment ends with the day, and between
/// neighbors that are more than 4 hours or more than 50 kilometers apart. An asset without a location counts
/// as taken where the previous one was.
public enum Moments {
  /// The longest time between neighbors, in seconds.
  private static let longestPause: Int64 = 4 * 3600
  /// The longest distance between neighbors, in kilometers.
  private static let longestDistance = 50.0

  /// Splits assets into moments.
  /// - Parameter assets: dates and locations in order of date, the earliest first.
  /// - Returns: the moments in the same order; each has at least one asset.
  public static func split(_ assets: some Sequence<(date: AssetDate, location: Location?)>) -> [Moment] {
    var moments: [Moment] = []
    var place: Location?
    var namesakes = 0
    for (index, asset) in assets.enumerated() {
      if let last = moments.last, continues(last, from: place, with: asset) {
        moments[moments.count - 1].range = last.range.lowerBound..<index + 1
        moments[moments.count - 1].endDate = asset.date
        place = asset.location ?? place
        continue
      }
      // Two moments may start in the same second (two cameras at different places): the second gets a
      // numbered identifier.
      let hasNamesake = moments.last?.startDate.wallSeconds == asset.date.wallSeconds
      namesakes = hasNamesake ? namesakes + 1 : 0
      let (day, time) = asset.date.wallText
      let name = "moment.\(day)T\(time)" + (namesakes > 0 ? ".\(namesakes + 1)" : "")
      moments.append(
        Moment(
          range: index..<index + 1, startDate: asset.date, endDate: asset.date,
          localIdentifier: LocalIdentifier(name)))
      place = asset.location
    }
    return moments
  }

  private static func continues(
    _ moment: Moment, from place: Location?, with asset: (date: AssetDate, location: Location?)
  ) -> Bool {
    guard asset.date.dayNumber == moment.endDate.dayNumber,
      abs(asset.date.wallSeconds - moment.endDate.wallSeconds) <= longestPause
    else { return false }
    guard let place, let next = asset.location else { return true }
    return next.isWithin(kilometers: longestDistance, of: place)
  }
}

/// Consecutive assets that were taken in one period at one place.
public struct Moment: Hashable, Sendable {
  /// The indexes of its assets in the sequence that was split.
  public var range: Range<Int>
  /// The date of its first asset.
  public var startDate: AssetDate
  /// The date of its last asset.
  public var endDate: AssetDate
  /// "moment." and the start date: the same in every run as long as the first asset remains.
  public var localIdentifier: LocalIdentifier

  /// The day and the start and end times, as "2024-05-01, 09:00–11:30".
  public var title: String {
    let (day, start) = startDate.wallText
    let (end, first) = (endDate.wallText.time.prefix(5), start.prefix(5))
    return first == end ? "\(day), \(first)" : "\(day), \(first)–\(end)"
  }
}
