import System

/// This process if another one started it in a popup.
///
/// It acts in place of that process, with its arguments, environment, working directory and standard streams, and
/// reports its outcome to it.
final class PopupGuest: Sendable {
  /// The option that tmux passes to it, followed by the name of the socket.
  static let option = "--popup-socket"

  /// The variables that describe the terminal of the popup.
  private static let kept: Set<String> = ["TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX"]
  /// The variable with the pane of a process; a popup has none.
  private static let pane = "TMUX_PANE"

  /// The popup process of this run; nil if it was started normally.
  static let current = PopupGuest(ArgumentBytes.ofProcess)

  /// The effective arguments.
  static var arguments: [[UInt8]] { current?.arguments ?? ArgumentBytes.ofProcess }

  private let socket: PopupSocket
  let arguments: [[UInt8]]

  private init?(_ own: [[UInt8]]) {
    guard own.count == 2, own[0] == Array(Self.option.utf8) else { return nil }
    guard let socket = try? PopupSocket.connect(to: String(decoding: own[1], as: UTF8.self)),
      let (message, descriptors) = socket.receive(), let call = PopupMessage.call(message),
      descriptors.count == 4
    else {
      Messages.warn("--tmux: the process that opened the popup has ended")
      exit(ExitStatus.failure.rawValue)
    }
    arguments = call.arguments
    self.socket = socket
    // tmux stops reading a terminal that no process has open, even for a moment; this descriptor stays open until the
    // end.
    _ = fcntl(0, F_DUPFD_CLOEXEC, 3)
    for (number, descriptor) in descriptors.prefix(3).enumerated() { dup2(descriptor, Int32(number)) }
    _ = fchdir(descriptors[3])
    for descriptor in descriptors { close(descriptor) }
    umask(mode_t(call.mask))
    Self.adopt(call.environment)
    // The process that waited for the result has ended.
    _ = WorkerThread.start(takesSignals: false) { [self] in
      self.socket.waitForEnd()
      kill(getpid(), SIGTERM)
    }
  }

  private static func adopt(_ environment: [[UInt8]]) {
    let terminal = kept.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
    clearenv()
    for variable in environment {
      guard let equals = variable.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = variable[..<equals].map { CChar(bitPattern: $0) } + [0]
      let value = variable[(equals + 1)...].map { CChar(bitPattern: $0) } + [0]
      setenv(name, value, 1)
    }
    for name in kept { unsetenv(name) }
    for (name, value) in terminal { setenv(name, value, 1) }
    unsetenv(pane)
  }

  /// Reports how this process ends.
  func answer(_ answer: PopupMessage.Answer) {
    _ = socket.send(PopupMessage.bytes(of: answer))
  }
}
