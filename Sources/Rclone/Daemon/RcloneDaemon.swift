import CPlatform
import Dispatch
import Synchronization
import System

/// One running `rclone rcd`: rclone, controlled over HTTP by who knows its password; ended and waited for when the last reference
/// goes, with all that it has started, and where tpick ends without that.
final class RcloneDaemon: Sendable {
  /// Where it listens: "http://127.0.0.1:40019".
  let address: String
  static let user = "tpick"
  let password: String
  let output: DaemonOutput
  /// The one that ends with rclone, and ends it.
  private let process: pid_t
  /// Ends rclone when it is closed.
  private let lifeline: Int32
  /// Whether it has been waited for; its number may be another's then.
  private let isReaped = Mutex(false)

  /// How long it may take to say where it listens.
  static let startPatience: Duration = .seconds(20)

  /// Starts one, and waits until it listens.
  /// - Parameters:
  ///   - program: the path of rclone.
  ///   - remotes: what it is to know besides the user's configuration, by names.
  ///   - settings: which certificates servers may show, and how long they may let wait.
  init(
    program: String, remotes: [(name: String, specification: String)], _ settings: RcloneSettings,
    isCancelled: () -> Bool
  ) throws(RcloneError) {
    password = Self.makePassword()
    var added = [(name: "RCLONE_RC_USER", value: Self.user), (name: "RCLONE_RC_PASS", value: password)]
    for remote in remotes {
      let name = "RCLONE_CONFIG_\(remote.name.uppercased())"
      added += [("\(name)_TYPE", "alias"), ("\(name)_REMOTE", remote.specification)]
    }
    let environment = DaemonEnvironment.variables(from: DaemonEnvironment.ofProcess, adding: added)
    let started = Self.start(program, Self.arguments(settings), environment)
    guard started.failure == 0 else {
      throw RcloneError(
        .failed, "rclone", "\(program) can't be started: \(String(cString: strerror(started.failure)))")
    }
    guard let output = DaemonOutput(reading: started.errors) else {
      Self.end(started.process, started.lifeline)
      throw RcloneError(.failed, "rclone", "there are too many threads")
    }
    let deadline = ContinuousClock.now + Self.startPatience
    switch output.waitForAddress(until: deadline, isCancelled: isCancelled) {
    case .address(let found): address = found
    case .ended:
      Self.end(started.process, started.lifeline)
      let written = remotes.flatMap { RemoteSpecification($0.specification)?.secrets ?? [$0.specification] }
      let secrets = SecretTexts.forms(of: written + SecretTexts.inEnvironment(DaemonEnvironment.ofProcess))
      let said =
        output.lastLines.last.map { EngineText.cleaned(DaemonLine.message(of: $0), hiding: secrets) } ?? ""
      throw RcloneError(.failed, "rclone", said.isEmpty ? "it ended at once" : said)
    case .late:
      Self.end(started.process, started.lifeline)
      throw RcloneError(.timedOut, "rclone", "it does not start in time")
    case .cancelled:
      Self.end(started.process, started.lifeline)
      throw RcloneError(.cancelled, "rclone")
    }
    self.output = output
    (process, lifeline) = (started.process, started.lifeline)
  }

  deinit {
    if isReaped.withLock({ $0 }) {
      close(lifeline)
    } else {
      Self.end(process, lifeline)
    }
  }

  /// Whether the process is there.
  var isRunning: Bool {
    isReaped.withLock { isReaped in
      if !isReaped, waitpid(process, nil, WNOHANG) != 0 { isReaped = true }
      return !isReaped
    }
  }

  /// The options; nothing secret is among them, which every user could read.
  private static func arguments(_ settings: RcloneSettings) -> [String] {
    let seconds = { (duration: Duration) in "\(max(1, duration.components.seconds))s" }
    var arguments = [
      "rcd", "--rc-addr", "127.0.0.1:0", "--rc-serve", "--ask-password=false", "--retries", "1",
      // tpick tries again itself, and sees how each try went.
      "--low-level-retries", "1", "--contimeout", seconds(settings.connectTimeout), "--timeout",
      seconds(settings.answerTimeout), "--log-level", "NOTICE",
    ]
    if let caCertificate = settings.caCertificate { arguments += ["--ca-cert", caCertificate] }
    return arguments
  }

  /// 128 bits that nobody can guess, as digits.
  private static func makePassword() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private static func start(
    _ program: String, _ arguments: [String], _ environment: [[UInt8]]
  ) -> (failure: Int32, process: pid_t, errors: Int32, lifeline: Int32) {
    var process: pid_t = 0
    var (errors, lifeline): (Int32, Int32) = (-1, -1)
    let failure = CStrings.withPointers([program] + arguments) { words in
      CStrings.withPointers(environment) { variables in
        service_start(program, words, variables, &process, &errors, &lifeline)
      }
    }
    return (failure, process, errors, lifeline)
  }

  /// Ends the program, which has nothing to save, and waits for it elsewhere.
  private static func end(_ process: pid_t, _ lifeline: Int32) {
    close(lifeline)
    WorkerThread.run {
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
  }
}
