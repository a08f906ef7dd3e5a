import AssetLibrary
import Export
import FolderLibrary
import SystemPackage
import TerminalGraphics
import System

/// Runs this program in a tmux popup, as if it ran here.
///
/// The process in the popup gets the arguments, the environment, the working directory and the standard streams through
/// a socket, as they are: no shell reads any of it, and no byte is copied. It ends when this one does.
struct PopupHost {
  /// O_PATH, which is not in Swift's view of the C library: a folder need not be readable to be worked in.
  private static let pathOnly: Int32 = 0o10000000

  /// The status of tmux where it has closed the popup itself.
  private static let closed: Int32 = 128 + SIGHUP

  let placement: PopupPlacement

  /// Opens the popup and waits for its end.
  /// - Returns: the status with which the program in it has ended, or the command that took its place.
  /// - Throws: `Failure` where tmux opens none.
  func run(_ arguments: [[UInt8]]) throws(Failure) -> ExitStatus {
    let name = PopupSocket.makeName()
    let directory = open(".", Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw Self.failure("the working directory: \(Errno(rawValue: errno))") }
    defer { close(directory) }
    let listener: PopupSocket
    do throws(Errno) {
      listener = try PopupSocket.listen(as: name)
    } catch {
      throw Self.failure("no socket: \(error)")
    }
    let tmux = try start(name)
    let answer = Self.exchange(Self.call(arguments), directory, try connection(listener, tmux))
    let status = tmux.wait()
    switch answer {
    // The program may find its terminal gone before the signal comes that tells of it.
    case .status(ExitStatus.failure.rawValue) where status == Self.closed: return .cancelled
    case .status(let status): return ExitStatus(rawValue: status)
    case .command(let words, let readsTerminal):
      let child = ChildCommand(arguments: words, streams: readsTerminal ? .terminalInput : .inherited)
      do throws(ChildCommand.LaunchFailure) {
        return ExitStatus(rawValue: try child.run())
      } catch {
        let command = String(decoding: words.first ?? [], as: UTF8.self)
        throw Failure(status: ExitStatus(rawValue: error.status), message: "\(command): \(error.reason)")
      }
    case nil:
      // tmux tells the number of the signal that ended the program.
      return (1...64).contains(status) ? ExitStatus(rawValue: 128 + status) : .cancelled
    }
  }

  /// Waits until the process in the popup connects.
  private func connection(
    _ listener: borrowing PopupSocket, _ tmux: TmuxProcess
  ) throws(Failure) -> PopupSocket {
    while true {
      var polls = [
        pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: tmux.errors, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polls, 2, -1) >= 0 else { continue }
      // Whoever else may connect is none of ours.
      if polls[0].revents != 0, let connection = try? listener.accept() { return connection }
      if polls[1].revents != 0, !tmux.readErrors() { throw Self.failure(tmux.reason) }
    }
  }

  private static func exchange(
    _ call: PopupMessage.Call, _ directory: Int32, _ connection: consuming PopupSocket
  ) -> PopupMessage.Answer? {
    guard connection.send(PopupMessage.bytes(of: call), with: [0, 1, 2, directory]) else { return nil }
    return connection.receive().map(\.message).flatMap(PopupMessage.answer)
  }

  private static func call(_ arguments: [[UInt8]]) -> PopupMessage.Call {
    var environment: [[UInt8]] = []
    var next = environ
    while let variable = next.pointee {
      environment.append(
        UnsafeBufferPointer(start: variable, count: strlen(variable)).map(UInt8.init(bitPattern:)))
      next += 1
    }
    return PopupMessage.Call(arguments: arguments, environment: environment, mask: UInt32(NewFile.mask))
  }

  private static func failure(_ reason: String) -> Failure { .error("--tmux: \(reason)") }

  private func start(_ name: String) throws(Failure) -> TmuxProcess {
    guard let program = FilePath("/proc/self/exe").resolved else {
      throw Self.failure("/proc/self/exe: \(Errno(rawValue: errno))")
    }
    let quoted = program.bytes.flatMap { $0 == UInt8(ascii: "'") ? Array("'\\''".utf8) : [$0] }
    let line = Array("exec '".utf8) + quoted + Array("' \(PopupGuest.option) \(name)".utf8)
    let words = ["display-popup", "-E"] + placement.arguments
    return try TmuxProcess(words.map { Array($0.utf8) } + [line])
  }
}
