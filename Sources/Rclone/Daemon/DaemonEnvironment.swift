import System

/// What the daemon is told in its environment, which only processes of the same user can read.
enum DaemonEnvironment {
  /// The names that it is told.
  ///
  /// A list of what is allowed: each option of rclone is a variable too, and some would open the daemon to others, hide where it
  /// listens, have it believe any server, or lead it to another server than the one whose certificate is trusted
  /// (`RCLONE_WEBDAV_URL`, `AWS_ENDPOINT_URL`).
  private static let allowed: Set<String> = [
    // Of every program.
    "HOME", "PATH", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "LANGUAGE", "TZ", "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    // Where its configuration is, its password, and what the programs need that know it.
    "RCLONE_CONFIG", "RCLONE_CONFIG_PASS", "RCLONE_PASSWORD_COMMAND", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY", "GPG_TTY", "GNUPGHOME", "PASSWORD_STORE_DIR",
    // How the network is reached, and how much of it is used.
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy",
    "no_proxy",
    "RCLONE_BIND", "RCLONE_BWLIMIT", "RCLONE_TPSLIMIT", "RCLONE_TPSLIMIT_BURST", "RCLONE_USER_AGENT",
    "RCLONE_DISABLE_HTTP2",
    // The system's certificates, where they are elsewhere for all programs.
    "SSL_CERT_FILE", "SSL_CERT_DIR",
    // What the user shows to servers.
    "RCLONE_CLIENT_CERT", "RCLONE_CLIENT_KEY", "SSH_AUTH_SOCK", "KRB5_CONFIG", "KRB5CCNAME",
    "GOOGLE_APPLICATION_CREDENTIALS", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
    "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "AWS_REGION",
    "AWS_DEFAULT_REGION", "AWS_ROLE_ARN", "AWS_ROLE_SESSION_NAME", "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_SDK_LOAD_CONFIG", "AWS_EC2_METADATA_DISABLED", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET",
    "AZURE_TENANT_ID", "AZURE_USERNAME", "AZURE_PASSWORD", "AZURE_CLIENT_CERTIFICATE_PATH",
    "AZURE_CLIENT_CERTIFICATE_PASSWORD", "AZURE_FEDERATED_TOKEN_FILE",
  ]
  /// Beginnings of others: languages, and options of remotes (`EnvironmentRemotes`).
  private static let allowedBeginnings = ["LC_", "RCLONE_CONFIG_"]
  /// What looks like an option of a remote and is one of tpick's own.
  private static let ownBeginning = "RCLONE_CONFIG_TPICK"

  /// Whether a variable of this name is passed on.
  static func passes(_ name: some StringProtocol) -> Bool {
    allowed.contains(String(name))
      || allowedBeginnings.contains(where: name.hasPrefix) && !name.uppercased().hasPrefix(ownBeginning)
  }

  /// Variables as `NAME=value`.
  /// - Parameters:
  ///   - inherited: those of this process, in the same form.
  ///   - added: what is told in addition.
  static func variables(from inherited: [[UInt8]], adding added: [(name: String, value: String)]) -> [[UInt8]]
  {
    inherited.filter { passes(String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)) }
      + added.map { Array("\($0.name)=\($0.value)".utf8) }
  }

  /// Those of this process.
  static var ofProcess: [[UInt8]] {
    var variables: [[UInt8]] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(
        UnsafeBufferPointer(start: variable, count: strlen(variable)).map(UInt8.init(bitPattern:)))
      next += 1
    }
    return variables
  }
}
