import CDescriptorPassing
import Fixtures

#if canImport(Glibc)
  import Glibc
#endif

/// A helper without the client: what is sent to it is the test's affair.
final class RawHelper {
  private(set) var process: pid_t = 0
  private var socket: Int32 = -1

  init(_ program: String) throws {
    guard helper_start(program, &process, &socket) == 0 else { throw FixtureError("can't start \(program)") }
  }

  deinit {
    hangUp()
  }

  func send(_ bytes: [UInt8]) {
    _ = descriptors_send(socket, bytes, bytes.count, nil, 0)
  }

  /// Waits until the helper greets.
  func waitForGreeting() {
    var byte: UInt8 = 0
    while recv(socket, &byte, 1, 0) < 0, errno == EINTR {}
  }

  func hangUp() {
    if socket >= 0 { close(socket) }
    socket = -1
  }

  /// The exit status, or a signal made negative.
  func waitForEnd() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }
}
