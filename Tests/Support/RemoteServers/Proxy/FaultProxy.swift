import Fixtures
import Foundation
import Synchronization

/// A proxy before a local server that applies a ``FaultScript`` to its answers: bad network conditions for tests.
///
/// Listens on 127.0.0.1 at a port chosen by the system; one thread serves all connections. Stopped with its last
/// reference. Its behavior can be changed at any time, from any thread.
package final class FaultProxy: Sendable {
  /// What the connections carry.
  package enum Content: Sendable {
    /// HTTP/1.1 without TLS. Faults apply to requests.
    case http
    /// Any protocol: TLS, SSH. A fault applies to a connection, from its beginning or the client's first bytes after
    /// the script was changed; an answer begins when the server sends after the client.
    case stream
  }

  /// The port it listens on.
  package let port: UInt16
  private let kind: Content
  private let state = ProxyState()
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts a proxy that forwards everything unchanged.
  /// - Parameter server: The port on 127.0.0.1 to connect to.
  /// - Throws: `FixtureError` if no port is available.
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
    // Waits until it listens.
    state.order { _ in }
  }

  deinit {
    state.order { $0.isEnded = true }
    isDone.wait()
  }

  /// What happens to requests from now on, in its current state.
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

  /// The latency and rate of the link.
  package var link: LinkConditions {
    get { state.content.withLock { $0.link } }
    set { state.order { $0.link = newValue } }
  }

  /// Whether connections are refused; existing ones are reset when it is set.
  package var isGone: Bool {
    get { state.content.withLock { $0.isGone } }
    set { state.order { $0.isGone = newValue } }
  }

  /// The traffic so far, including what a client has just received.
  package var counters: ProxyCounters {
    // Bytes are counted after they were sent: until then the thread has not handled its orders.
    state.order { _ in }
    return state.content.withLock { $0.counters }
  }

  /// The first 10,000 requests, in order; none without HTTP.
  package var requests: [ProxyRequest] { state.content.withLock { $0.requests } }

  private static func check(_ script: FaultScript, _ kind: Content) {
    precondition(kind == .http || !script.needsHTTP, "a fault for requests of HTTP on a stream")
  }
}
