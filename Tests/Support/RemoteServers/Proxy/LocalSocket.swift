import Fixtures
import Glibc

/// Makes a descriptor non-blocking and close-on-exec.
func neverWait(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

/// A non-blocking TCP socket on 127.0.0.1; closed with its last reference.
final class LocalSocket {
  let number: Int32
  private(set) var isOpen = true

  private init(_ number: Int32, _ call: String) throws(FixtureError) {
    guard number >= 0 else { throw FixtureError("\(call): \(String(cString: strerror(errno)))") }
    self.number = number
  }

  /// Takes ownership of a descriptor.
  init(adopting number: Int32) { self.number = number }

  deinit { close() }

  func close() {
    if isOpen { _ = Glibc.close(number) }
    isOpen = false
  }

  /// Releases ownership of the descriptor to the caller.
  func release() -> Int32 {
    isOpen = false
    return number
  }

  /// Closes the connection so that the other side gets everything sent: unread input would cause a reset.
  func finish() {
    endOutput()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while recv(number, &chunk, chunk.count, 0) > 0 {}
    close()
  }

  /// Closes the connection with a reset: the other side may lose unread data.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// A socket bound to a port; 0 lets the system choose one.
  ///
  /// Several sockets may share it as long as none of them listens, so that a port can be kept reserved without a
  /// listener.
  static func bound(to port: UInt16) throws(FixtureError) -> LocalSocket {
    let made = try LocalSocket(socket(AF_INET, type, 0), "socket")
    var isShared: Int32 = 1
    setsockopt(made.number, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
    guard withAddress(port, { bind(made.number, $0, $1) }) == 0 else {
      throw FixtureError("bind to port \(port): \(String(cString: strerror(errno)))")
    }
    return made
  }

  /// Starts to accept connections.
  func listen() throws(FixtureError) {
    guard Glibc.listen(number, 128) == 0 else {
      throw FixtureError("listen: \(String(cString: strerror(errno)))")
    }
  }

  /// The bound port.
  var port: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutableBytes(of: &address) {
      getsockname(number, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Accepts a pending connection; `nil` if there is none.
  func accept() -> LocalSocket? {
    guard let made = try? LocalSocket(Glibc.accept(number, nil, nil), "accept") else { return nil }
    neverWait(made.number)
    // Bytes in the system's buffer count as arrived, so it is kept small.
    var size: Int32 = 1 << 16
    setsockopt(made.number, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    made.sendAtOnce()
    return made
  }

  /// A connection to a port, possibly still in progress; `nil` if it is refused.
  static func connected(to port: UInt16) -> LocalSocket? {
    guard let made = try? LocalSocket(socket(AF_INET, type, 0), "socket") else { return nil }
    let status = withAddress(port) { connect(made.number, $0, $1) }
    guard status == 0 || errno == EINPROGRESS else { return nil }
    made.sendAtOnce()
    return made
  }

  private func sendAtOnce() {
    var isOn: Int32 = 1
    setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  private static let type =
    Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

  private static func withAddress(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

extension LocalSocket {
  /// The result of reading or writing.
  enum Transfer: Equatable { case moved(Int), blocked, ended }

  /// Reads available bytes, up to 64 KiB.
  func read(onto queue: inout ByteQueue) -> Transfer {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(number, &chunk, chunk.count, 0)
    guard count > 0 else { return count < 0 && Self.isPassing(errno) ? .blocked : .ended }
    queue.append(chunk[..<count])
    return .moved(count)
  }

  /// Writes as much as fits.
  func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
    let count = send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    guard count >= 0 else { return Self.isPassing(errno) ? .blocked : .ended }
    return .moved(count)
  }

  /// Signals the end of output to the other side.
  func endOutput() { shutdown(number, Int32(SHUT_WR)) }

  private static func isPassing(_ error: Int32) -> Bool {
    error == EAGAIN || error == EINTR || error == ENOTCONN || error == EINPROGRESS
  }
}
