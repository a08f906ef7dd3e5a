/// What is asked of an HTTP server.
struct HTTPRequest: Hashable, Sendable {
  var url: String
  var user: String
  var password: String
  /// What is posted, as JSON; nil: it is a GET.
  var body: [UInt8]?
  /// The bytes asked for, not empty; nil = all.
  var range: Range<Int64>?
  /// How long the connection may take, and how long no byte may come; seconds count.
  var connectTimeout: Duration = .seconds(5)
  var idleTimeout: Duration
}
