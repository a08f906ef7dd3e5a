import Fixtures
import Foundation
import Synchronization

/// Stands before a server on this machine and does to its answers what a ``FaultScript`` says: bad weather for tests.
///
/// Listens on 127.0.0.1 at a port that the system has chosen; one thread serves all connections. Ends with its last
/// reference. What it does can be changed at any time, from any thread.
package final class FaultProxy: Sendable {
  /// What the connections carry.
  package enum Content: Sendable {
    /// HTTP/1.1 without TLS. Faults happen to requests.
    case http
    /// Anything: TLS, SSH. A fault happens to a connection, from its beginning or the first word of the client after the
    /// script was changed; an answer begins where the server speaks after the client.
    case stream
  }

  /// Where it listens.
  package let port: UInt16
  private let kind: Content
  private let state = ProxyState()
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts a proxy that passes everything on.
  /// - Parameter server: the port on 127.0.0.1 to which connections are passed on.
  /// - Throws: `FixtureError` where there is no port left.
  package init(to server: UInt16, carrying kind: Content, script: FaultScript = FaultScript()) throws {
    self.kind = kind
    let place = try LocalSocket.bound(to: 0)
    port = place.port
    Self.check(script, kind)
    state.content.withLock { $0.script = script }
    let (number, isDone, state) = (place.release(), isDone, state)
    Thread.detachNewThread {
      ProxyLoop(state: state, place: LocalSocket(adopting: number), server: server, content: kind).run()
      isDone.signal()
    }
    // Until it listens.
    state.order { _ in }
  }

  deinit {
    state.order { $0.isEnded = true }
    isDone.wait()
  }

  /// What happens to the requests from now on, as far as it has got.
  package var script: FaultScript {
    get { state.content.withLock { $0.script } }
    set {
      Self.check(newValue, kind)
      state.content.withLock {
        $0.script = newValue
        $0.scriptNumber += 1
      }
    }
  }

  /// How far away the server is.
  package var link: LinkConditions {
    get { state.content.withLock { $0.link } }
    set { state.order { $0.link = newValue } }
  }

  /// Whether connections are refused; those that stand are reset when it becomes so.
  package var isGone: Bool {
    get { state.content.withLock { $0.isGone } }
    set { state.order { $0.isGone = newValue } }
  }

  /// What has gone through, what a client has got by now among it.
  package var counters: ProxyCounters {
    // Bytes are counted after they went: until then the thread has not come to its orders.
    state.order { _ in }
    return state.content.withLock { $0.counters }
  }

  /// The first 10,000 requests that were seen, in their order; none without HTTP.
  package var requests: [ProxyRequest] { state.content.withLock { $0.requests } }

  private static func check(_ script: FaultScript, _ kind: Content) {
    precondition(kind == .http || !script.needsHTTP, "a fault for requests of HTTP on a stream")
  }
}
