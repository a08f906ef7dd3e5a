import Sandbox
import SystemPackage
import System

/// Unix sockets by their paths (unix(7)).
enum PortalSocket {
  private typealias Attach = (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32

  /// Waits for connections to a file in a folder, without ever blocking.
  ///
  /// Paths of sockets are short; that of the folder does not count.
  static func listen(in folder: [UInt8], as name: String) throws(Errno) -> Int32 {
    let opened = SandboxStage.call(folder) { open($0, O_PATH_ONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { throw Errno(rawValue: errno) }
    defer { close(opened) }
    let made = try attached(
      to: Array("/proc/self/fd/\(opened)/\(name)".utf8), flags: SOCK_NONBLOCK_FLAG, bind)
    guard Glibc.listen(made, 4) == 0 else {
      defer { close(made) }
      throw Errno(rawValue: errno)
    }
    return made
  }

  /// Connects to a path.
  static func connect(to path: [UInt8]) throws(Errno) -> Int32 {
    try attached(to: path, flags: 0, Glibc.connect)
  }

  /// O_PATH and SOCK_NONBLOCK, which are not in Swift's view of the C library.
  private static let O_PATH_ONLY: Int32 = 0o10000000
  private static let SOCK_NONBLOCK_FLAG: Int32 = 0o4000
  private static let SOCK_CLOEXEC_FLAG: Int32 = 0o2000000

  private static func attached(to path: [UInt8], flags: Int32, _ attach: Attach) throws(Errno) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.count < room else { throw .fileNameTooLong }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | SOCK_CLOEXEC_FLAG | flags, 0)
    guard made >= 0 else { throw Errno(rawValue: errno) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        attach(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      defer { close(made) }
      throw Errno(rawValue: errno)
    }
    return made
  }

  /// Takes a connection, which never blocks; nil where there is none.
  static func accept(_ listener: Int32) -> Int32? {
    let connection = Glibc.accept(listener, nil, nil)
    guard connection >= 0 else { return nil }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    _ = fcntl(connection, F_SETFL, O_NONBLOCK)
    return connection
  }

  /// Sends what the other end takes without waiting.
  /// - Returns: how many bytes; nil where it is gone.
  static func send(_ bytes: ArraySlice<UInt8>, to connection: Int32) -> Int? {
    let count = bytes.withUnsafeBytes {
      Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}
