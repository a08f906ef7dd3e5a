import System
import SystemPackage

/// The socket between the service and the process in the terminal, at either end.
struct StatusSocket {
  private let socket: UnixSocket
  private static let name = "socket"

  var descriptor: Int32 { socket.descriptor }

  /// Waits for connections in a folder; no call blocks.
  static func listen(in folder: FilePath) throws(Errno) -> StatusSocket {
    StatusSocket(socket: try UnixSocket.listen(in: folder, as: name))
  }

  static func connect(in folder: FilePath) throws(Errno) -> StatusSocket {
    StatusSocket(socket: try UnixSocket.connect(in: folder, to: name))
  }

  /// Takes a connection that waits.
  func accept() -> StatusSocket? { socket.acceptWaiting().map { StatusSocket(socket: $0) } }

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

  func send(_ bytes: [UInt8]) { _ = socket.sendAll(bytes) }
}

/// Messages on standard error, which the session's journal keeps.
enum Log {
  static func write(_ message: String) {
    let line = Array("tpick-portal: \(ControlCharacters.escaped(message))\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
