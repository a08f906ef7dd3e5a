/// A line of rclone's log.
enum DaemonLine {
  /// What it says, without the date and the level: "2026/11/23 19:56:44 Failed to …", "2026/11/23 19:56:44 NOTICE: …".
  static func message(of line: String) -> String {
    var rest = Substring(line)
    let words = rest.split(separator: " ", maxSplits: 2)
    if words.count == 3, words[0].count == 10, words[0].contains("/"), words[1].contains(":") {
      rest = words[2]
    }
    for level in ["EMERGENCY", "ALERT", "CRITICAL", "ERROR", "WARNING", "NOTICE", "INFO", "Fatal error"] {
      let spaced = rest.drop { $0 == " " }
      guard spaced.hasPrefix(level) else { continue }
      let behind = spaced.dropFirst(level.count).drop { $0 == " " }
      if behind.first == ":" { return String(behind.dropFirst().drop { $0 == " " }) }
    }
    return String(rest)
  }
}
