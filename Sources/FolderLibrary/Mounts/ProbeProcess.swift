import AssetLibrary
import CPlatform
import System
import SystemPackage

/// A probe that is a process of its own; it ends with the last reference, once the kernel lets it.
final class ProbeProcess: Probe {
  let identifier: pid_t
  private let socket: Int32

  /// nil where the system has nothing left for a process.
  init?() {
    var process: pid_t = 0
    var socket: Int32 = -1
    guard file_probe_start(&process, &socket) == 0 else { return nil }
    identifier = process
    self.socket = socket
  }

  deinit {
    close(socket)
    // One that hangs stays until the system lets it go: nobody waits for it.
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
    // What is longer is no path for the system either.
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

/// Asks a file or folder in the place of this process, which could not end while a call of its own hangs.
///
/// Used by one thread at a time, for one question after the other.
protocol Probe: Sendable {
  /// Asks about a path; called when the last question has its answer.
  /// - Returns: false where nobody can be asked.
  func ask(_ question: ProbeQuestion, about path: FilePath) -> Bool

  /// Waits for the answer to the last question.
  func wait(for time: Duration) -> ProbeOutcome
}

/// What is asked about a path.
enum ProbeQuestion {
  /// What there is.
  case status
  /// The names in a folder, or the first bytes of a file.
  case content
  /// How much room there is, of the file system itself: what is there may be known from memory.
  case room
}

/// What became of a question.
enum ProbeOutcome {
  case answered
  /// Not yet.
  case silent
  /// Who was asked has died.
  case gone
}
