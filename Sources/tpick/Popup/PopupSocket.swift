import CPlatform
import SystemPackage
import System

/// A socket between a process and the one it has started in a popup.
///
/// Its address is abstract (unix(7)): the name is in no folder, so that nothing is left behind however the two
/// processes end. Only processes of the same user are accepted. A message is 32 bits of length, then the bytes. Closed
/// with the value; used by one thread at a time.
struct PopupSocket: ~Copyable {
  private let socket: UnixSocket

  /// The maximum size of a message in bytes: arguments and environment of a process are limited to less.
  private static let longestMessage = 1 << 26

  var descriptor: Int32 { socket.descriptor }

  /// A unique name.
  static func makeName() -> String {
    let number = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
    return "tpick-popup-\(String(number.0, radix: 16))-\(String(number.1, radix: 16))"
  }

  /// Listens on a name.
  /// - Throws: the error of the system.
  static func listen(as name: String) throws(Errno) -> PopupSocket {
    PopupSocket(socket: try UnixSocket.listen(abstract: name))
  }

  /// Connects to a name.
  /// - Throws: the error of the system; `notPermitted` if another user listens.
  static func connect(to name: String) throws(Errno) -> PopupSocket {
    PopupSocket(socket: try UnixSocket.connect(abstract: name))
  }

  /// Accepts a connection.
  /// - Throws: the error of the system; `notPermitted` if it is from another user.
  func accept() throws(Errno) -> PopupSocket { PopupSocket(socket: try socket.accept()) }

  /// Sends a message, with descriptors.
  /// - Returns: whether all of it was sent.
  func send(_ message: [UInt8], with descriptors: [Int32] = []) -> Bool {
    let length = UInt32(message.count)
    let header = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    // A new socket always has room for four bytes.
    guard descriptors_send(descriptor, header, 4, descriptors, descriptors.count) == 4 else { return false }
    return socket.sendAll(message)
  }

  /// Waits for a message; nil at the end.
  ///
  /// The descriptors that come with it belong to the caller.
  func receive() -> (message: [UInt8], descriptors: [Int32])? {
    var (header, found) = ([UInt8](repeating: 0, count: 4), [Int32](repeating: -1, count: 32))
    var (foundCount, areLost) = (0, false)
    guard descriptors_receive(descriptor, &header, 4, &found, &foundCount, &areLost) == 4, !areLost
    else { return nil }
    let descriptors = Array(found.prefix(foundCount))
    let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.longestMessage else { return nil }
    var message = [UInt8](repeating: 0, count: length)
    var count = 0
    while count < length {
      let n = message.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + count }, length - count)
      }
      if n > 0 { count += n } else if n == 0 || errno != EINTR { return nil }
    }
    return (message, descriptors)
  }

  /// Waits until the other process has gone.
  func waitForEnd() {
    var byte: UInt8 = 0
    while true {
      let n = read(descriptor, &byte, 1)
      if n == 0 || n < 0 && errno != EINTR { return }
    }
  }
}
