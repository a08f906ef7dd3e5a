/// Dates of HTTP's headers (RFC 9110, 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970-01-01 00:00:00 UTC; nil where it is none.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(where: { $0 == words[2] }) else {
      return nil
    }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return RcloneTime.nanoseconds("\(words[3])-\(number)-\(words[1])T\(words[4])Z").map { $0 / 1_000_000_000 }
  }
}
