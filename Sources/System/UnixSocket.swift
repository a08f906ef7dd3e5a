import CPlatform
package import SystemPackage

/// A stream socket of the Unix domain (unix(7)), and its one owner: the only place that makes one.
///
/// It is closed with the last reference, and by an exec. Used by one thread at a time.
package final class UnixSocket: Sendable {
  package let descriptor: Int32

  /// - Parameter result: a descriptor, or an errno made negative.
  private init(_ result: Int32) throws(Errno) {
    guard result >= 0 else { throw Errno(rawValue: -result) }
    descriptor = result
  }

  deinit { close(descriptor) }

  /// Waits for connections to a new file in a folder.
  ///
  /// Neither it nor what it accepts ever blocks. An address has room for 107 bytes; the path of the folder does not count.
  /// - Throws: what the system says, `addressInUse` where the name is taken.
  package static func listen(in folder: FilePath, as name: String) throws(Errno) -> UnixSocket {
    try inFolder(folder, name) { unix_socket_listen($0, $1, false) }
  }

  /// Connects to a file in a folder, however long the folder's path is.
  package static func connect(in folder: FilePath, to name: String) throws(Errno) -> UnixSocket {
    try inFolder(folder, name) { unix_socket_connect($0, $1) }
  }

  /// Connects to a file.
  /// - Throws: what the system says: `fileNameTooLong` for a path of more than 107 bytes.
  package static func connect(to path: [UInt8]) throws(Errno) -> UnixSocket {
    try UnixSocket(unix_socket_connect(path, path.count))
  }

  /// Waits for connections to a name that is in no folder, so that nothing of it is left however its process ends.
  ///
  /// It blocks, and so does what it accepts.
  package static func listen(abstract name: String) throws(Errno) -> UnixSocket {
    let address = [0] + Array(name.utf8)
    return try UnixSocket(unix_socket_listen(address, address.count, true))
  }

  /// Connects to a name that is in no folder.
  /// - Throws: what the system says, `notPermitted` where another user listens.
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

  /// Takes a connection to one that never blocks; nil where there is none.
  package func acceptWaiting() -> UnixSocket? {
    try? UnixSocket(unix_socket_accept(descriptor, false))
  }

  /// Waits for a connection of the same user.
  /// - Throws: what the system says, `notPermitted` where it is another user's.
  package func accept() throws(Errno) -> UnixSocket {
    try UnixSocket(unix_socket_accept(descriptor, true)).ofThisUser()
  }

  private func ofThisUser() throws(Errno) -> UnixSocket {
    let failure = unix_socket_check_user(descriptor)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return self
  }

  /// Sends what the other end takes without waiting, or, where the socket blocks, at least one byte.
  /// - Returns: how many bytes; nil where the other end is gone.
  package func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    while true {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { return count }
      if errno != EINTR { return errno == EAGAIN ? 0 : nil }
    }
  }

  /// Sends all of it, which may wait.
  /// - Returns: whether it has gone.
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
