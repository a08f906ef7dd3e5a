import System

/// This process where another one has started it in a popup: it takes the place of that one, whose arguments,
/// environment, working directory and standard streams it has, and tells it how it ends.
final class PopupGuest: Sendable {
  /// The option with which tmux starts it, followed by the name of the socket.
  static let option = "--popup-socket"

  /// The variables that say which terminal the popup is.
  private static let kept: Set<String> = ["TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX"]
  /// The one that says which pane a process runs in; popups are none.
  private static let pane = "TMUX_PANE"

  /// The process that this one stands in for; nil where it was started by itself.
  static let current = PopupGuest(ArgumentBytes.ofProcess)

  /// The arguments that count.
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
    // tmux stops listening to a terminal that nobody has open for a moment; this one stays open until the end.
    _ = fcntl(0, F_DUPFD_CLOEXEC, 3)
    for (number, descriptor) in descriptors.prefix(3).enumerated() { dup2(descriptor, Int32(number)) }
    _ = fchdir(descriptors[3])
    for descriptor in descriptors { close(descriptor) }
    umask(mode_t(call.mask))
    Self.adopt(call.environment)
    // Nobody is left who could get what is picked.
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

  /// Tells how this process ends, which it does then.
  func answer(_ answer: PopupMessage.Answer) {
    _ = socket.send(PopupMessage.bytes(of: answer))
  }
}
