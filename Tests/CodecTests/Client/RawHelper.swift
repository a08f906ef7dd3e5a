import CPlatform
import Fixtures
import Foundation
import Glibc

/// A helper without the client: the test sends its messages.
final class RawHelper {
  private(set) var process: pid_t = 0
  private var socket: Int32 = -1

  init(_ program: String) throws {
    guard helper_start(program, &process, &socket) == 0 else { throw FixtureError("can't start \(program)") }
  }

  deinit {
    hangUp()
  }

  func send(_ bytes: [UInt8], _ descriptors: [Int32] = []) {
    _ = descriptors_send(socket, bytes, bytes.count, descriptors, descriptors.count)
  }

  /// Everything that it sends until it exits.
  func receiveAll() -> String { receive { _ in false } }

  /// What it sends up to the end of a line.
  func receiveLine() -> String { receive { $0.last == UInt8(ascii: "\n") }.trimmingCharacters(in: .newlines) }

  private func receive(until isEnough: ([UInt8]) -> Bool) -> String {
    var text: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4096)
    while !isEnough(text) {
      let count = recv(socket, &room, room.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      text += room[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Waits for the helper's greeting.
  func waitForGreeting() {
    var byte: UInt8 = 0
    while recv(socket, &byte, 1, 0) < 0, errno == EINTR {}
  }

  func hangUp() {
    if socket >= 0 { close(socket) }
    socket = -1
  }

  /// The exit status, or the negated signal.
  func waitForEnd() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }
}
