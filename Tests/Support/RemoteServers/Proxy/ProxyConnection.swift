import Glibc

/// A client's connection and the corresponding one to the server; subclasses handle the content.
class ProxyConnection {
  /// How the client's connection ends once everything was sent.
  enum Ending { case none, closed, reset }

  let state: ProxyState
  private let serverPort: UInt16
  private let client: LocalSocket
  private var server: LocalSocket?
  private var isClientBlocked = false
  private var isServerBlocked = false

  var fromClient = ByteQueue()
  var fromServer = ByteQueue()
  private(set) var toServer = ByteQueue()
  private var toClient = DelayLine()
  private(set) var hasClientEnded = false
  private(set) var hasServerEnded = false
  private var hasToldServer = false
  private(set) var isClosed = false
  var ending = Ending.none
  /// Whether nothing more is forwarded.
  var isStalled = false
  private var drip: TransferBucket?
  private var link = LinkConditions()

  /// Beyond this amount data stays in the sender's buffers.
  private static let room = 4 << 20

  init(_ client: LocalSocket, server: UInt16, state: ProxyState) {
    self.client = client
    self.serverPort = server
    self.state = state
  }

  // MARK: For the subclasses

  /// Forwards received bytes.
  func pass() { preconditionFailure("a subclass does that") }

  func connect() {
    guard server == nil, !hasServerEnded else { return }
    server = LocalSocket.connected(to: serverPort)
    if server == nil { hasServerEnded = true }
  }

  func sendToServer(_ bytes: some Collection<UInt8>) { toServer.append(bytes) }

  /// Sends bytes with a delay beyond the link's own, in nanoseconds.
  func sendToClient(_ bytes: [UInt8], later: UInt64 = 0) {
    let latency = UInt64(max(0, link.latencyMilliseconds)) * 1_000_000
    toClient.append(bytes, at: ProxyLoop.now() + latency + later)
  }

  /// Limits the rate to the client from now on.
  func limit(to fault: Fault) {
    if case .drip(let rate) = fault {
      drip = TransferBucket(bytesPerSecond: rate, at: ProxyLoop.now())
    } else {
      drip = nil
    }
  }

  // MARK: For the loop

  /// The events to poll for: from the client, from the server.
  var sources: [pollfd] {
    var client = pollfd(fd: -1, events: 0, revents: 0)
    var server = client
    if !hasClientEnded, ending == .none, fromClient.count + toServer.count < Self.room {
      client.events |= Int16(POLLIN)
    }
    if isClientBlocked { client.events |= Int16(POLLOUT) }
    if client.events != 0 { client.fd = self.client.number }
    if let connected = self.server {
      if !hasServerEnded, ending == .none, !isStalled, fromServer.count + toClient.count < Self.room {
        server.events |= Int16(POLLIN)
      }
      if isServerBlocked { server.events |= Int16(POLLOUT) }
      if server.events != 0 { server.fd = connected.number }
    }
    return [client, server]
  }

  /// Handles the results of poll(2).
  func take(client found: Int16, server foundAtServer: Int16) {
    if found & Int16(POLLERR | POLLHUP) != 0 { return close() }
    if found & Int16(POLLOUT) != 0 { isClientBlocked = false }
    if found & Int16(POLLIN) != 0, client.read(onto: &fromClient) == .ended { hasClientEnded = true }
    if foundAtServer & Int16(POLLOUT | POLLERR | POLLHUP) != 0 { isServerBlocked = false }
    if foundAtServer & Int16(POLLIN | POLLERR | POLLHUP) != 0, let server,
      server.read(onto: &fromServer) == .ended
    {
      hasServerEnded = true
    }
  }

  func process(link: LinkConditions) {
    guard !isClosed else { return }
    self.link = link
    if ending == .none { pass() }
    // No client is left to receive it.
    if hasClientEnded, isStalled || server == nil { close() }
    if hasServerEnded, !isStalled, ending == .none { ending = .closed }
  }

  func flushServer() {
    guard let server, !isServerBlocked, !isClosed, !hasServerEnded else { return }
    while !toServer.isEmpty {
      switch toServer.content.withUnsafeBytes({ server.write($0) }) {
      case .moved(let count):
        toServer.drop(count)
        state.count { $0.bytesToServer += count }
      case .blocked:
        isServerBlocked = true
        return
      case .ended:
        // What it sent before is read first.
        toServer.removeAll()
        return
      }
    }
    if hasClientEnded, !hasToldServer {
      hasToldServer = true
      server.endOutput()
    }
  }

  /// When bytes may be sent to the client; `nil` if none wait, or its buffer is full.
  var nextTime: UInt64? {
    guard !isClosed, !isClientBlocked, let time = toClient.nextTime else { return nil }
    return drip.map { max(time, $0.nextTime) } ?? time
  }

  /// Sends what is due.
  /// - Returns: The number of bytes sent.
  func flushClient(allowance: Int, at now: UInt64) -> Int {
    guard !isClosed else { return 0 }
    var sent = 0
    while !isClientBlocked {
      let limit = min(allowance - sent, toClient.ready(at: now), drip?.allowance(at: now) ?? .max)
      guard limit > 0 else { break }
      let count = toClient.take(limit) { bytes in
        switch client.write(bytes) {
        case .moved(let count): return count
        case .blocked: isClientBlocked = true
        case .ended: close()
        }
        return 0
      }
      guard count > 0 else { break }
      drip?.take(count)
      sent += count
    }
    if sent > 0 { state.count { $0.bytesToClient += sent } }
    if toClient.isEmpty, ending != .none { ending == .reset ? reset() : close() }
    return sent
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    client.finish()
    server?.close()
  }

  /// Resets the client's connection.
  func reset() {
    isClosed = true
    client.reset()
    server?.close()
  }
}
