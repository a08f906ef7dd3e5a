import CPlatform
package import SystemPackage

/// A Unix domain stream socket (unix(7)), which owns its descriptor.
///
/// All Unix domain sockets of the program are created here.
///
/// Closed with the last reference and on exec. Use it from one thread at a time.
package final class UnixSocket: Sendable {
  package let descriptor: Int32

  /// - Parameter result: a descriptor, or a negated errno.
  private init(_ result: Int32) throws(Errno) {
    guard result >= 0 else { throw Errno(rawValue: -result) }
    descriptor = result
  }

  deinit { close(descriptor) }

  /// Listens on a new socket file in a folder.
  ///
  /// The listener and accepted connections are non-blocking. The folder's path may have any length: socket
  /// addresses hold 107 bytes, and the folder is addressed through its descriptor.
  /// - Throws: the system's error, `addressInUse` if the name is taken.
  package static func listen(in folder: FilePath, as name: String) throws(Errno) -> UnixSocket {
    try inFolder(folder, name) { unix_socket_listen($0, $1, false) }
  }

  /// Connects to a socket file in a folder, whose path may have any length.
  package static func connect(in folder: FilePath, to name: String) throws(Errno) -> UnixSocket {
    try inFolder(folder, name) { unix_socket_connect($0, $1) }
  }

  /// Connects to a socket file.
  /// - Throws: the system's error, `fileNameTooLong` for a path of more than 107 bytes.
  package static func connect(to path: [UInt8]) throws(Errno) -> UnixSocket {
    try UnixSocket(unix_socket_connect(path, path.count))
  }

  /// Listens on an abstract name, which is in no folder and disappears with the process, however that ends.
  ///
  /// The listener and accepted connections are blocking.
  package static func listen(abstract name: String) throws(Errno) -> UnixSocket {
    let address = [0] + Array(name.utf8)
    return try UnixSocket(unix_socket_listen(address, address.count, true))
  }

  /// Connects to an abstract name.
  /// - Throws: the system's error, `notPermitted` if another user is listening.
  package static func connect(abstract name: String) throws(Errno) -> UnixSocket {
    let address = [0] + Array(name.utf8)
    return try UnixSocket(unix_socket_connect(address, address.count)).ofThisUser()
  }

  private static func inFolder(
    _ folder: FilePath, _ name: String, _ open: (_ address: [UInt8], _ count: Int) -> Int32
  ) throws(Errno) -> UnixSocket {
    let directory = folder.withPlatformString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard directory >= 0 else { throw Errno(rawValue: errno) }
    defer { close(directory) }
    let address = Array("/proc/self/fd/\(directory)/\(name)".utf8)
    return try UnixSocket(open(address, address.count))
  }

  /// Accepts a pending connection, which is non-blocking; nil if none is pending.
  package func acceptWaiting() -> UnixSocket? {
    try? UnixSocket(unix_socket_accept(descriptor, false))
  }

  /// Waits for a connection by the same user.
  /// - Throws: the system's error, `notPermitted` if the connection is another user's.
  package func accept() throws(Errno) -> UnixSocket {
    try UnixSocket(unix_socket_accept(descriptor, true)).ofThisUser()
  }

  private func ofThisUser() throws(Errno) -> UnixSocket {
    let failure = unix_socket_check_user(descriptor)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return self
  }

  /// Sends as much as fits without blocking; on a blocking socket, waits until at least one byte is sent.
  /// - Returns: the number of bytes sent; nil if the peer has closed the connection.
  package func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    while true {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { return count }
      if errno != EINTR { return errno == EAGAIN ? 0 : nil }
    }
  }

  /// Sends all bytes and waits as needed.
  /// - Returns: whether all bytes were sent.
  package func sendAll(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = send(rest) else { return false }
      if count == 0 {
        var one = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&one, 1, -1)
      }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
