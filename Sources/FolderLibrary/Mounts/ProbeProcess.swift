import AssetLibrary
import CPlatform
import System
import SystemPackage

/// A probe in a process of its own.
///
/// The process ends after the last reference is gone, as soon as the kernel permits.
final class ProbeProcess: Probe {
  let identifier: pid_t
  private let socket: Int32

  /// Returns nil if the system can't start a process.
  init?() {
    var process: pid_t = 0
    var socket: Int32 = -1
    guard file_probe_start(&process, &socket) == 0 else { return nil }
    identifier = process
    self.socket = socket
  }

  deinit {
    close(socket)
    // Don't wait for a blocked process; it stays until the system releases it.
    waitpid(identifier, nil, WNOHANG)
  }

  func ask(_ question: ProbeQuestion, about path: FilePath) -> Bool {
    let kind =
      switch question {
      case .status: FILE_PROBE_STATUS
      case .content: FILE_PROBE_CONTENT
      case .room: FILE_PROBE_ROOM
      }
    let message = [UInt8(kind)] + path.bytes
    // Longer paths are invalid for the system too.
    guard message.count < FILE_PROBE_LONGEST else { return false }
    return send(socket, message, message.count, Int32(MSG_NOSIGNAL)) == message.count
  }

  func wait(for time: Duration) -> ProbeOutcome {
    let end = ContinuousClock.now + time
    while true {
      let left = max(.zero, ContinuousClock.now.duration(to: end)) / .milliseconds(1)
      var arrival = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let ready = poll(&arrival, 1, Int32(left.rounded(.up)))
      if ready == 0 { return .silent }
      if ready < 0, errno == EINTR { continue }
      var byte: UInt8 = 0
      let received = recv(socket, &byte, 1, Int32(MSG_DONTWAIT))
      if received < 0, errno == EINTR || errno == EAGAIN { continue }
      return received == 1 ? .answered : .gone
    }
  }
}

/// Accesses a file or folder on behalf of this process, which could not exit while its own call blocks.
///
/// Use from one thread at a time, for one request after the other.
protocol Probe: Sendable {
  /// Sends a request; the previous one must have been answered.
  /// - Returns: false if the request can't be sent.
  func ask(_ question: ProbeQuestion, about path: FilePath) -> Bool

  /// Waits for the answer to the last request.
  func wait(for time: Duration) -> ProbeOutcome
}

/// What to access.
enum ProbeQuestion {
  /// The file's status.
  case status
  /// The names in a folder, or the first bytes of a file.
  case content
  /// The free space of the file system, which is always fetched from the file system itself: the status of a
  /// file may be cached.
  case room
}

/// The result of a request.
enum ProbeOutcome {
  case answered
  /// No answer yet.
  case silent
  /// The probe has died.
  case gone
}
