/// The splitting of a library into moments.
///
/// Our rule, as Apple's is not told: a moment ends with the day, and where neighbours lie more than 4 hours or
/// more than 50 kilometres apart. A picture without a place lies where the one before it was taken.
public enum Moments {
  /// The longest time between neighbours in seconds.
  private static let longestPause: Int64 = 4 * 3600
  /// The longest way between neighbours in kilometres.
  private static let longestWay = 50.0

  /// Splits a sequence of assets that stands in the order of their dates, the earliest first.
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
      // Two places in one second, as two cameras have it: the second needs a name of its own.
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
    return next.isWithin(kilometers: longestWay, of: place)
  }
}

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
