import System
import SystemPackage

/// The socket between the service and the process in the terminal, at either end, and its one owner.
final class StatusSocket {
  let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Waits for connections in a folder, without holding anybody up.
  static func listen(in folder: FilePath) throws(Errno) -> StatusSocket {
    let socket = try make(Int32(SOCK_NONBLOCK.rawValue))
    try attach(socket, folder, bind)
    guard Glibc.listen(socket.descriptor, 1) == 0 else { throw Errno(rawValue: errno) }
    return socket
  }

  static func connect(in folder: FilePath) throws(Errno) -> StatusSocket {
    let socket = try make(0)
    try attach(socket, folder, Glibc.connect)
    return socket
  }

  private static func make(_ flags: Int32) throws(Errno) -> StatusSocket {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags
    let descriptor = Glibc.socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    return StatusSocket(descriptor)
  }

  /// By way of the folder's descriptor: an address holds 107 bytes, a path may have more.
  private static func attach(
    _ socket: StatusSocket, _ folder: FilePath,
    _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
  ) throws(Errno) {
    let directory = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard directory >= 0 else { throw Errno(rawValue: errno) }
    defer { close(directory) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: "/proc/self/fd/\(directory)/socket".utf8)
    }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Takes a connection that waits.
  func accept() -> StatusSocket? {
    let connection = Glibc.accept(descriptor, nil, nil)
    guard connection >= 0 else { return nil }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    _ = fcntl(connection, F_SETFL, O_NONBLOCK)
    return StatusSocket(connection)
  }

  /// Takes what has come.
  /// - Returns: whether more can come.
  func receive(_ bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        return count < 0 && errno == EAGAIN
      }
    }
  }

  func send(_ bytes: [UInt8]) { _ = write(descriptor, bytes, bytes.count) }
}

/// Messages on standard error, which the session's journal keeps.
enum Log {
  static func write(_ message: String) {
    let line = Array("tpick-portal: \(ControlCharacters.escaped(message))\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
