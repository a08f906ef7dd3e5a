package import Fixtures
import Glibc

/// A port of a stopped server, kept from all other programs until the last reference is gone.
///
/// It refuses connections. A server can be started on it again: rclone shares a port as long as no other program
/// listens.
package final class ReservedPort: Sendable {
  private let descriptor: Int32

  /// Reserves a port of 127.0.0.1.
  /// - Throws: `FixtureError` if another program has it already.
  package init(_ port: UInt16) throws(FixtureError) {
    descriptor = try LocalSocket.bound(to: port).release()
  }

  deinit { close(descriptor) }
}
