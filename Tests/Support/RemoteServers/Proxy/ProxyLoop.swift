import Dispatch
import Fixtures
import Glibc

/// Serves the connections of a ``FaultProxy`` on the calling thread.
final class ProxyLoop {
  private let state: ProxyState
  /// Keeps the port reserved while not listening.
  private let place: LocalSocket
  private let server: UInt16
  private let content: FaultProxy.Content
  private var listener: LocalSocket?
  private var connections: [ProxyConnection] = []
  private var link = LinkConditions()
  private var bucket: TransferBucket?
  /// The connection that is served first: a different one each time, for fair sharing of the link.
  private var turn = 0

  init(state: ProxyState, place: LocalSocket, server: UInt16, content: FaultProxy.Content) {
    self.state = state
    self.place = place
    self.server = server
    self.content = content
  }

  /// Nanoseconds of a monotonic clock.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Serves until it is stopped.
  func run() {
    while true {
      let orders = state.orders()
      follow(orders.link, isGone: orders.isGone || orders.isEnded)
      for waiting in orders.waiting { waiting.signal() }
      if orders.isEnded { return }
      wait()
      for connection in connections { connection.process(link: link) }
      flush()
      connections.removeAll { $0.isClosed }
    }
  }

  private func follow(_ link: LinkConditions, isGone: Bool) {
    if link != self.link {
      self.link = link
      bucket = link.bitsPerSecond.map { TransferBucket(bytesPerSecond: $0 / 8, at: Self.now()) }
    }
    if isGone {
      listener = nil
      for connection in connections { connection.reset() }
      connections = []
    } else if listener == nil {
      do {
        let listener = try LocalSocket.bound(to: place.port)
        try listener.listen()
        self.listener = listener
      } catch {
        preconditionFailure("a proxy has lost its port: \(error)")
      }
    }
  }

  /// Waits for events and handles them.
  private func wait() {
    var sources = [pollfd(fd: state.reading, events: Int16(POLLIN), revents: 0)]
    sources.append(pollfd(fd: listener?.number ?? -1, events: Int16(POLLIN), revents: 0))
    for connection in connections { sources += connection.sources }
    let timeout = self.timeout()
    guard poll(&sources, nfds_t(sources.count), timeout) > 0 else { return }
    for (index, connection) in connections.enumerated() {
      connection.take(client: sources[2 + 2 * index].revents, server: sources[3 + 2 * index].revents)
    }
    if sources[1].revents != 0 {
      while let client = listener?.accept() {
        state.count { $0.connections += 1 }
        connections.append(
          content == .http
            ? HTTPConnection(client, server: server, state: state)
            : StreamConnection(client, server: server, state: state))
      }
    }
  }

  /// The milliseconds until something is due; -1 if nothing is.
  private func timeout() -> Int32 {
    let now = Self.now()
    var next: UInt64?
    for connection in connections {
      guard var time = connection.nextTime else { continue }
      if let bucket { time = max(time, bucket.nextTime) }
      next = min(next ?? time, time)
    }
    guard let next else { return -1 }
    return next <= now ? 0 : Int32(min((next - now + 999_999) / 1_000_000, 60_000))
  }

  private func flush() {
    turn += 1
    guard !connections.isEmpty else { return }
    for index in connections.indices {
      let connection = connections[(turn + index) % connections.count]
      connection.flushServer()
      let now = Self.now()
      // One portion each if the allowance is not enough for all.
      let allowance = bucket == nil ? Int.max : min(bucket?.allowance(at: now) ?? 0, 1 << 14)
      let count = connection.flushClient(allowance: allowance, at: now)
      bucket?.take(count)
    }
  }
}
