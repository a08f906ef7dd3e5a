import Testing

@testable import Sandbox

/// Which environment variables are passed on.
@Suite struct SandboxEnvironmentTests {
  private static func variables(_ outer: [String: String], programs: String? = nil) -> [String: String] {
    let given = outer.map { SandboxEnvironment.Variable($0.key, $0.value) }
    let made = SandboxEnvironment.variables(of: given, programs: programs)
    return Dictionary(made.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }) { $1 }
  }

  @Test(arguments: ["TERM", "COLORTERM", "LANG", "LC_ALL", "LC_TIME", "TZ", "NO_COLOR", "EDITOR"])
  func `Variables about the terminal and the language are passed on`(name: String) {
    #expect(Self.variables([name: "value"])[name] == "value")
  }

  @Test(arguments: [
    "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
    "XDG_CACHE_HOME", "LD_PRELOAD", "LD_LIBRARY_PATH", "AWS_SECRET_ACCESS_KEY", "PWD", "OLDPWD", "TMUX",
    "BASH_ENV", "ENV",
    "TPICK_DEFAULT_OPTS", "LCX",
  ])
  func `No others are`(name: String) {
    #expect(Self.variables([name: "value"])[name] == nil)
  }

  @Test func `The user has a neutral name and home`() {
    let made = Self.variables([
      "HOME": "/home/alice", "USER": "alice", "LOGNAME": "alice", "SHELL": "/bin/zsh",
    ])
    #expect(made["HOME"] == "/home/user" && made["USER"] == "user" && made["LOGNAME"] == "user")
    #expect(!made.values.contains { $0.contains("alice") })
    #expect(made["TPICK_GRANTED"] == "/tpick/session/granted")
    #expect(made["TPICK_PORTAL"] == "/tpick/session/portal")
  }

  @Test(arguments: [
    ("/usr/bin:/home/alice/bin:.:bin::/bin", "/usr/bin:/bin"),
    ("/opt/x:/snap/bin", "/usr/local/bin:/usr/bin:/bin"), ("", "/usr/local/bin:/usr/bin:/bin"),
    ("/usr/../home/x:/usr/games", "/usr/games"),
  ])
  func `The path leads to existing folders`(outer: String, inner: String) {
    #expect(SandboxEnvironment.visiblePath(outer) == inner)
  }

  @Test func `tpick's own folder comes last`() {
    let made = Self.variables(["PATH": "/usr/bin"], programs: "/tpick/bin")
    #expect(made["PATH"] == "/usr/bin:/tpick/bin")
  }
}
