import CPlatform
import Dispatch
import Synchronization
import System

/// A running `rclone rcd`: rclone, controlled over HTTP with a password.
///
/// The process and everything it has started are ended when the last reference is released, and also when
/// tpick is killed, because the system then closes the lifeline.
final class RcloneDaemon: Sendable {
  /// The base URL: "http://127.0.0.1:40019".
  let address: String
  static let user = "tpick"
  let password: String
  let output: DaemonOutput
  /// The guard process between tpick and rclone: it exits when rclone does, and kills rclone when the
  /// lifeline is closed.
  private let process: pid_t
  /// Closing this descriptor ends rclone.
  private let lifeline: Int32
  /// Whether the process has been reaped; its ID may then belong to another process.
  private let isReaped = Mutex(false)

  /// The time rclone has to print its address.
  private static let startPatience: Duration = .seconds(20)

  /// Starts rclone and waits until it listens.
  /// - Parameters:
  ///   - program: the path of rclone.
  ///   - remotes: remotes to define in addition to the user's configuration, by name.
  ///   - settings: the CA certificate and the timeouts.
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
    let environment = DaemonEnvironment.variables(from: ProcessEnvironment.variables, adding: added)
    let started = Self.start(program, Self.arguments(settings), environment)
    guard started.failure == 0 else {
      throw RcloneError(
        .failed, "rclone", "\(program) can't be started: \(String(cString: strerror(started.failure)))")
    }
    guard let output = DaemonOutput(reading: started.errors) else {
      Self.end(started.process, started.lifeline)
      throw RcloneError(.failed, "rclone", "no thread could be started to read its output")
    }
    let deadline = ContinuousClock.now + Self.startPatience
    switch output.waitForAddress(until: deadline, isCancelled: isCancelled) {
    case .address(let found): address = found
    case .ended:
      Self.end(started.process, started.lifeline)
      let written = remotes.flatMap { RemoteSpecification($0.specification)?.secrets ?? [$0.specification] }
      let secrets = SecretTexts.forms(of: written + SecretTexts.inEnvironment(ProcessEnvironment.variables))
      let said =
        output.lastLines.last.map { RcloneMessage.cleaned(DaemonLine.message(of: $0), hiding: secrets) } ?? ""
      throw RcloneError(.failed, "rclone", said.isEmpty ? "it exited at once" : said)
    case .late:
      Self.end(started.process, started.lifeline)
      throw RcloneError(.timedOut, "rclone", "it did not start in time")
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

  /// Whether the process is running.
  var isRunning: Bool {
    isReaped.withLock { isReaped in
      if !isReaped, waitpid(process, nil, WNOHANG) != 0 { isReaped = true }
      return !isReaped
    }
  }

  /// The command line options.
  ///
  /// They contain no secrets, since every user can read them.
  private static func arguments(_ settings: RcloneSettings) -> [String] {
    let seconds = { (duration: Duration) in "\(max(1, duration.components.seconds))s" }
    var arguments = [
      "rcd", "--rc-addr", "127.0.0.1:0", "--rc-serve", "--ask-password=false", "--retries", "1",
      // tpick retries itself, so that it sees the result of each attempt.
      "--low-level-retries", "1", "--contimeout", seconds(settings.connectTimeout), "--timeout",
      seconds(settings.answerTimeout), "--log-level", "NOTICE",
    ]
    if let caCertificate = settings.caCertificate { arguments += ["--ca-cert", caCertificate] }
    return arguments
  }

  /// Returns 128 random bits as hexadecimal digits.
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

  /// Ends the program, which has no state to save, and reaps it on another thread.
  private static func end(_ process: pid_t, _ lifeline: Int32) {
    close(lifeline)
    WorkerThread.run {
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
  }
}

/// Finds the rclone executable.
package enum RcloneProgram {
  /// The environment variable with rclone's path.
  static let variable = "TPICK_RCLONE"
  /// The oldest version with the features tpick uses (operations/stat, hashes by name).
  static let oldest = "1.58"

  /// Returns the path in the environment variable, or if it is not set, the first rclone in PATH.
  /// - Returns: nil if the path is not that of an executable file, or PATH has no rclone.
  package static func find() -> String? {
    if let named = getenv(variable) {
      let path = String(cString: named)
      return ProcessEnvironment.isProgram(path) ? path : nil
    }
    return ProcessEnvironment.program("rclone")
  }
}

/// The environment of the daemon, which only processes of the same user can read.
enum DaemonEnvironment {
  /// The variables that are passed on.
  ///
  /// An allow list, because every option of rclone can be set by a variable. Some options would let other
  /// users control the daemon, hide its address, make it accept any certificate, or send it to another server
  /// than the one whose certificate is trusted (`RCLONE_WEBDAV_URL`, `AWS_ENDPOINT_URL`).
  private static let allowed: Set<String> = [
    // For all programs.
    "HOME", "PATH", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "LANGUAGE", "TZ", "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    // Location and password of the configuration, and what password commands need.
    "RCLONE_CONFIG", "RCLONE_CONFIG_PASS", "RCLONE_PASSWORD_COMMAND", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY", "GPG_TTY", "GNUPGHOME", "PASSWORD_STORE_DIR",
    // How to reach the network, and limits on its use.
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy",
    "no_proxy",
    "RCLONE_BIND", "RCLONE_BWLIMIT", "RCLONE_TPSLIMIT", "RCLONE_TPSLIMIT_BURST", "RCLONE_USER_AGENT",
    "RCLONE_DISABLE_HTTP2",
    // The system's CA certificates, if they are in a non-default location.
    "SSL_CERT_FILE", "SSL_CERT_DIR",
    // Credentials of the user.
    "RCLONE_CLIENT_CERT", "RCLONE_CLIENT_KEY", "SSH_AUTH_SOCK", "KRB5_CONFIG", "KRB5CCNAME",
    "GOOGLE_APPLICATION_CREDENTIALS", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
    "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "AWS_REGION",
    "AWS_DEFAULT_REGION", "AWS_ROLE_ARN", "AWS_ROLE_SESSION_NAME", "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_SDK_LOAD_CONFIG", "AWS_EC2_METADATA_DISABLED", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET",
    "AZURE_TENANT_ID", "AZURE_USERNAME", "AZURE_PASSWORD", "AZURE_CLIENT_CERTIFICATE_PATH",
    "AZURE_CLIENT_CERTIFICATE_PASSWORD", "AZURE_FEDERATED_TOKEN_FILE",
  ]
  /// Prefixes of further variables: locale, and options of remotes (`EnvironmentRemotes`).
  private static let allowedBeginnings = ["LC_", "RCLONE_CONFIG_"]
  /// The prefix of options of the remotes that tpick itself defines; users must not override them.
  private static let ownBeginning = "RCLONE_CONFIG_TPICK"

  /// Whether a variable with this name is passed on.
  static func passes(_ name: some StringProtocol) -> Bool {
    allowed.contains(String(name))
      || allowedBeginnings.contains(where: name.hasPrefix) && !name.uppercased().hasPrefix(ownBeginning)
  }

  /// Returns the daemon's variables as `NAME=value`.
  /// - Parameters:
  ///   - inherited: the variables of this process, in the same form.
  ///   - added: variables to add.
  static func variables(from inherited: [[UInt8]], adding added: [(name: String, value: String)]) -> [[UInt8]]
  {
    inherited.filter { passes(String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)) }
      + added.map { Array("\($0.name)=\($0.value)".utf8) }
  }
}
