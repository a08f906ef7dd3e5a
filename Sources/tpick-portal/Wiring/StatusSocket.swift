import System
import SystemPackage

/// Either end of the socket between the service and the process in the terminal.
struct StatusSocket {
  private let socket: UnixSocket
  private static let name = "socket"

  var descriptor: Int32 { socket.descriptor }

  /// Listens for connections in a folder, without blocking.
  static func listen(in folder: FilePath) throws(Errno) -> StatusSocket {
    StatusSocket(socket: try UnixSocket.listen(in: folder, as: name))
  }

  static func connect(in folder: FilePath) throws(Errno) -> StatusSocket {
    StatusSocket(socket: try UnixSocket.connect(in: folder, to: name))
  }

  /// Accepts a waiting connection.
  func accept() -> StatusSocket? { socket.acceptWaiting().map { StatusSocket(socket: $0) } }

  /// Appends received bytes.
  /// - Returns: whether more can arrive.
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

/// Messages on standard error, which go to the session's journal.
enum Log {
  static func write(_ message: String) {
    let line = Array("tpick-portal: \(ControlCharacters.escaped(message))\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
