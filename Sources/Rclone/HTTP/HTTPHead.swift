import CCurl

/// What an answer says of itself before its bytes come.
struct HTTPHead: Hashable, Sendable {
  /// -1 where there is no answer.
  var status: Int
  /// In bytes; nil where it does not say.
  var contentLength: Int64?
  var contentRange: HTTPContentRange?
  /// When it was last changed: seconds since 1970-01-01 00:00:00 UTC.
  var lastModified: Int64?
  /// How long the server wants to be left alone.
  var retryAfter: Duration?

  init(_ head: http_head) {
    status = Int(head.status)
    contentLength = head.content_length < 0 ? nil : head.content_length
    contentRange = HTTPContentRange(Self.text(head.content_range))
    lastModified = HTTPDate.seconds(Self.text(head.last_modified))
    // In place of seconds it can be a date, which no server of tpick's backends sends through rclone.
    retryAfter = Int(Self.text(head.retry_after)).flatMap { $0 < 0 ? nil : .seconds(min($0, 86400)) }
  }

  /// The text in an array of C.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
