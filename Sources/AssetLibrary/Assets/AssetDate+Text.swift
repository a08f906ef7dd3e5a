import System

extension AssetDate {
  /// The time on this machine's wall.
  public static var now: AssetDate {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var local = tm()
    localtime_r(&time.tv_sec, &local)
    return AssetDate(
      wallSeconds: Int64(time.tv_sec) + Int64(local.tm_gmtoff), nanoseconds: Int32(time.tv_nsec),
      utcOffset: Int32(local.tm_gmtoff))
  }

  /// The day and the time on the wall, as ISO 8601 writes them: "2024-05-01" and "09:00:00".
  var wallText: (day: String, time: String) {
    let fields = components
    let day = [Self.digits(fields.year, 4), Self.digits(fields.month, 2), Self.digits(fields.day, 2)]
    let time = [fields.hour, fields.minute, fields.second].map { Self.digits($0, 2) }
    return (day.joined(separator: "-"), time.joined(separator: ":"))
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

extension Asset {
  /// In which time zone a video's date is told, as "UTC+2, from the file"; nil for others, and where the date has none.
  ///
  /// Headers of videos count in UTC: that is worth a word, because the clock on the wall may have shown something else.
  package var dateZoneText: String? {
    guard creationDateSource == .quicktime, let offset = creationDate.utcOffset else { return nil }
    if creationDateZone == .system { return "system time zone" }
    let minutes = abs(offset) / 60
    let hours = offset == 0 ? "" : "\(offset < 0 ? "-" : "+")\(minutes / 60)"
    let rest = minutes % 60
    let source = creationDateZone == .place ? "place" : "file"
    return "UTC\(hours)\(rest == 0 ? "" : rest < 10 ? ":0\(rest)" : ":\(rest)"), from the \(source)"
  }
}
