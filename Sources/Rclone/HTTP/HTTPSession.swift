import System
import CCurl
import Dispatch
import Synchronization

/// Requests to one HTTP server, one at a time, over connections that are kept.
final class HTTPSession: Sendable {
  /// How a request ended.
  enum Ending: Hashable, Sendable {
    /// The whole answer came, whatever its status.
    case answered
    /// Its reader wanted no more.
    case stopped
    case cancelled
    /// Nobody answers there.
    case unreachable
    case timedOut
    /// The answer ended before its last byte.
    case brokenOff
    case failed
  }

  struct Result: Sendable {
    var ending: Ending
    var head: HTTPHead
    /// libcurl's words on what went wrong.
    var reason: String
  }

  /// The C session, whose owner this is.
  ///
  /// The compiler can't know that it is used with `turn` held alone: the one place is `perform`.
  nonisolated(unsafe) private let handle: OpaquePointer
  /// Of the thread that uses it.
  private let turn = Mutex(())

  /// - Returns: nil where libcurl can't be loaded.
  init?() {
    guard let session = http_session_open() else { return nil }
    handle = session
  }

  deinit {
    http_session_close(handle)
  }

  private struct Callbacks {
    let take: (HTTPHead, UnsafeRawBufferPointer) -> Bool
    let isCancelled: () -> Bool
  }

  /// Sends a request, and waits for the answer.
  /// - Parameters:
  ///   - isCancelled: asked on the calling thread, at least every 100 milliseconds unless `take` takes longer.
  ///   - take: gets the bytes of the answer as they come, and answers whether it wants more.
  func perform(
    _ request: HTTPRequest, isCancelled: () -> Bool, take: (HTTPHead, UnsafeRawBufferPointer) -> Bool
  ) -> Result {
    turn.withLock { _ in
      withoutActuallyEscaping(isCancelled) { isCancelled in
        withoutActuallyEscaping(take) { take in
          var callbacks = Callbacks(take: take, isCancelled: isCancelled)
          return withUnsafeMutablePointer(to: &callbacks) { Self.perform(request, handle, $0) }
        }
      }
    }
  }

  private static func perform(
    _ request: HTTPRequest, _ session: OpaquePointer, _ callbacks: UnsafeMutablePointer<Callbacks>
  ) -> Result {
    var plain = http_request()
    plain.first = request.range.map(\.lowerBound) ?? -1
    plain.last = request.range.map { $0.upperBound - 1 } ?? -1
    plain.connect_seconds = max(1, Int(request.connectTimeout.components.seconds))
    plain.idle_seconds = max(1, Int(request.idleTimeout.components.seconds))
    plain.context = UnsafeMutableRawPointer(callbacks)
    plain.take = { context, head, bytes, count in
      guard let context, let head else { return false }
      let callbacks = context.assumingMemoryBound(to: Callbacks.self)
      return callbacks.pointee.take(
        HTTPHead(head.pointee), UnsafeRawBufferPointer(start: bytes, count: count))
    }
    plain.is_cancelled = { context in
      context.map { $0.assumingMemoryBound(to: Callbacks.self).pointee.isCancelled() } ?? true
    }
    var head = http_head()
    var reason = [CChar](repeating: 0, count: Int(HTTP_REASON))
    let ending = request.url.withCString { url in
      request.user.withCString { user in
        request.password.withCString { password in
          (request.body ?? []).withUnsafeBytes { body in
            (plain.url, plain.user, plain.password) = (url, user, password)
            // An empty array has no address.
            if request.body != nil { (plain.body, plain.body_count) = (body.baseAddress, body.count) }
            return http_session_perform(session, &plain, &head, &reason)
          }
        }
      }
    }
    return Result(
      ending: Ending(ending), head: HTTPHead(head),
      reason: String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }
}

extension HTTPSession.Ending {
  fileprivate init(_ ending: http_ending) {
    self =
      switch ending {
      case HTTP_ANSWERED: .answered
      case HTTP_STOPPED: .stopped
      case HTTP_CANCELLED: .cancelled
      case HTTP_UNREACHABLE: .unreachable
      case HTTP_TIMED_OUT: .timedOut
      case HTTP_BROKEN_OFF: .brokenOff
      default: .failed
      }
  }
}

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

/// So many HTTP sessions at once as requests may be under way.
final class SessionPool: Sendable {
  private let idle = Mutex<[HTTPSession]>([])
  private let slots: DispatchSemaphore

  init(count: Int) { slots = DispatchSemaphore(value: count) }

  /// Waits until fewer requests than allowed are under way, and lends a session.
  func withSession<Success>(
    isCancelled: () -> Bool, _ body: (HTTPSession) throws(RequestFailure) -> Success
  ) throws(RequestFailure) -> Success {
    while slots.wait(timeout: .now() + .milliseconds(8)) == .timedOut {
      if isCancelled() { throw RequestFailure(RcloneError(.cancelled, "")) }
    }
    defer { slots.signal() }
    guard let session = idle.withLock({ $0.popLast() }) ?? HTTPSession() else {
      throw RequestFailure(RcloneError(.programMissing, "", "libcurl is not installed: apt install libcurl4"))
    }
    defer { idle.withLock { $0.append(session) } }
    return try body(session)
  }

  /// Closes the connections that nobody uses.
  func closeIdle() { idle.withLock { $0.removeAll() } }
}

/// Paths of URLs.
enum URLPath {
  /// The path under which `rclone rcd --rc-serve` has a file: "/[remote:]/folder/file".
  static func path(of file: String, in remote: String) -> String {
    "/[" + escaped(remote) + "]/" + escaped(file)
  }

  /// A path with everything escaped but letters, digits, "-", ".", "_", "~" and slashes (RFC 3986, 2.3).
  static func escaped(_ path: String) -> String {
    PercentEncoding.encoded(path.utf8, keeping: "-._~/".utf8)
  }
}
