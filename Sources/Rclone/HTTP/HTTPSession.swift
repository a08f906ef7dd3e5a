import System
import CCurl
import Dispatch
import Synchronization

/// Sends requests to one HTTP server, one at a time, over persistent connections.
final class HTTPSession: Sendable {
  /// How a request ended.
  enum Ending: Hashable, Sendable {
    /// The whole response arrived, whatever its status.
    case answered
    /// `take` returned false.
    case stopped
    case cancelled
    /// No connection could be made.
    case unreachable
    case timedOut
    /// The response ended before its last byte.
    case brokenOff
    case failed
  }

  struct Result: Sendable {
    var ending: Ending
    var head: HTTPHead
    /// libcurl's description of the error.
    var reason: String
  }

  /// The C session, owned by this object.
  ///
  /// `nonisolated(unsafe)` because the compiler can't see that only `perform` uses it, with `turn` locked.
  nonisolated(unsafe) private let handle: OpaquePointer
  /// Serializes the use of `handle`.
  private let turn = Mutex(())

  /// - Returns: nil if libcurl can't be loaded.
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

  /// Sends a request and waits for the response.
  /// - Parameters:
  ///   - isCancelled: called on the calling thread at least every 100 milliseconds, unless `take` takes
  ///     longer.
  ///   - take: receives the body as it arrives; false stops the transfer.
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
            // An empty array has no base address.
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

/// A request to an HTTP server.
struct HTTPRequest: Hashable, Sendable {
  var url: String
  var user: String
  var password: String
  /// A JSON body for POST; nil = GET.
  var body: [UInt8]?
  /// The byte range to request, not empty; nil = the whole file.
  var range: Range<Int64>?
  /// The maximum time to connect, and the maximum time without a byte.
  ///
  /// Rounded down to whole seconds, at least one.
  var connectTimeout: Duration = .seconds(5)
  var idleTimeout: Duration
}

/// The status and headers of a response.
struct HTTPHead: Hashable, Sendable {
  /// -1 if there is no response.
  var status: Int
  /// In bytes; nil if the header is missing.
  var contentLength: Int64?
  var contentRange: HTTPContentRange?
  /// Time of the last modification: seconds since 1970-01-01 00:00:00 UTC.
  var lastModified: Int64?
  /// The delay from Retry-After, at most one day.
  var retryAfter: Duration?

  init(_ head: http_head) {
    status = Int(head.status)
    contentLength = head.content_length < 0 ? nil : head.content_length
    contentRange = HTTPContentRange(Self.text(head.content_range))
    lastModified = HTTPDate.seconds(Self.text(head.last_modified))
    // Retry-After may also be a date, which no server behind rclone's backends sends.
    retryAfter = Int(Self.text(head.retry_after)).flatMap { $0 < 0 ? nil : .seconds(min($0, 86400)) }
  }

  /// Converts a C character array to a string.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// Dates in HTTP headers (RFC 9110, section 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns seconds since 1970-01-01 00:00:00 UTC; nil if the text is not such a date.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(where: { $0 == words[2] }) else {
      return nil
    }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return RcloneTime.nanoseconds("\(words[3])-\(number)-\(words[1])T\(words[4])Z").map { $0 / 1_000_000_000 }
  }
}

/// The header Content-Range (RFC 9110, section 14.4): which bytes a response contains.
struct HTTPContentRange: Hashable, Sendable {
  var bytes: Range<Int64>
  /// The length of the whole file; nil if unknown.
  var total: Int64?

  /// - Parameter text: "bytes 10-19/5000000", "bytes 10-19/*".
  /// - Returns: nil if the text is not a valid range in bytes.
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

/// A pool of HTTP sessions, one for each concurrent request.
final class SessionPool: Sendable {
  private let idle = Mutex<[HTTPSession]>([])
  private let slots: DispatchSemaphore

  init(count: Int) { slots = DispatchSemaphore(value: count) }

  /// Waits for a free slot and lends a session to `body`.
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

  /// Closes idle connections.
  func closeIdle() { idle.withLock { $0.removeAll() } }
}

/// Builds paths of URLs.
enum URLPath {
  /// Returns the path under which `rclone rcd --rc-serve` serves a file: "/[remote:]/folder/file".
  static func path(of file: String, in remote: String) -> String {
    "/[" + escaped(remote) + "]/" + escaped(file)
  }

  /// Percent-encodes a path except for unreserved characters (letters, digits, "-", ".", "_", "~"; RFC 3986,
  /// section 2.3) and slashes.
  static func escaped(_ path: String) -> String {
    PercentEncoding.encoded(path.utf8, keeping: "-._~/".utf8)
  }
}
