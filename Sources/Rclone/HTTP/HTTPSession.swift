import CCurl
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
