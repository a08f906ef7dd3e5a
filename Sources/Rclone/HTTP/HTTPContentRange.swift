/// Which bytes of how many an answer has: the header Content-Range (RFC 9110, 14.4).
struct HTTPContentRange: Hashable, Sendable {
  var bytes: Range<Int64>
  /// The length of the whole; nil where it is not told.
  var total: Int64?

  /// - Parameter text: "bytes 10-19/5000000", "bytes 10-19/*".
  /// - Returns: nil where it is none of bytes.
  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0, first <= last,
      last < .max
    else { return nil }
    bytes = first..<last + 1
    if parts[1] != "*" {
      guard let length = Int64(parts[1]), length > last else { return nil }
      total = length
    }
  }
}
