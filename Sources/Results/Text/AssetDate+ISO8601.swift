package import AssetLibrary

extension AssetDate {
  /// Seconds since 1970, UTC; nil where the offset is not known.
  package var secondsSince1970: Int64? { utcOffset.map { wallSeconds - Int64($0) } }

  /// The date in ISO 8601, with the UTC offset if known: "2024-05-02T14:10:20+01:00".
  package var iso8601: String {
    let fields = components
    func pad(_ value: Int, _ width: Int = 2) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = "\(pad(fields.year, 4))-\(pad(fields.month))-\(pad(fields.day))"
    let time = "\(pad(fields.hour)):\(pad(fields.minute)):\(pad(fields.second))"
    guard let offset = utcOffset else { return "\(day)T\(time)" }
    if offset == 0 { return "\(day)T\(time)Z" }
    let minutes = abs(Int(offset)) / 60
    return "\(day)T\(time)\(offset < 0 ? "-" : "+")\(pad(minutes / 60)):\(pad(minutes % 60))"
  }
}
