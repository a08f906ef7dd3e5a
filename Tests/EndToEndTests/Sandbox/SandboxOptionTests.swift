import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension Outputs {
  /// What the options of `tpick run` permit, and no more.
  @Suite(.enabled(if: SandboxFolder.hasNamespaces, Comment(rawValue: SandboxFolder.skipReason)))
  struct SandboxOptionTests {
    private let sandbox: SandboxFolder

    init() throws { sandbox = try SandboxFolder() }

    /// Opens a port and an abstract socket outside, and runs a command that connects to both.
    private static let connecting = """
      import ctypes, os, socket, subprocess, sys
      name = b'\\0tpick-sandbox-%d' % os.getpid()
      local = socket.socket(socket.AF_UNIX)
      local.bind(name)
      local.listen()
      port = socket.socket()
      port.bind(('127.0.0.1', 0))
      port.listen()
      inside = '''
      import socket, sys
      def reach(family, address):
          try:
              socket.socket(family).connect(address)
              return 'reached'
          except OSError:
              return 'refused'
      print(reach(socket.AF_INET, ('127.0.0.1', int(sys.argv[1]))), reach(socket.AF_UNIX, chr(0) + sys.argv[2]))
      '''
      # landlock_create_ruleset(2), for its version.
      version = ctypes.CDLL(None).syscall(444, 0, 0, 1)
      print('scoped' if version >= 6 else 'open', flush=True)
      words = ['python3', '-c', inside, str(port.getsockname()[1]), name[1:].decode()]
      sys.exit(subprocess.run(sys.argv[1:] + ['--'] + words).returncode)
      """

    @Test(arguments: [false, true])
    func `A network reaches ports, and no abstract sockets of the session`(hasNetwork: Bool) throws {
      let words = sandbox.arguments(hasNetwork ? ["--network"] : [], granting: ["a.jpg"], []).dropLast()
      let session = try TerminalSession(
        "/usr/bin/python3", ["-c", Self.connecting, Program.path] + words,
        environment: Program.environment(sandbox.environment()), standardInput: .null)
      try session.expectExit(.exited(0))
      let lines = session.outputLines
      let isScoped = lines.first == "scoped"
      let local = hasNetwork && !isScoped ? "reached" : "refused"
      #expect(lines.last == (hasNetwork ? "reached \(local)" : "refused refused"), "\(lines)")
    }

    @Test func `With a network name resolution is available, and without one it is not`() throws {
      let script = "ls /etc/resolv.conf /etc/hosts 2>/dev/null | wc -l"
      let there = ["/etc/resolv.conf", "/etc/hosts"].count { FileManager.default.fileExists(atPath: $0) }
      #expect(try sandbox.script(script, ["--network"]).lines == ["\(there)"])
      #expect(try sandbox.script(script).lines == ["0"])
    }

    @Test func `Windows can be opened if allowed, through sockets only`() throws {
      try sandbox.folder.write([], to: "session/wayland-7")
      try sandbox.folder.write([], to: "session/bus")
      try sandbox.folder.write(Array("cookie".utf8), to: "session/authority")
      let screen = [
        "XDG_RUNTIME_DIR": "\(sandbox.path)/session", "WAYLAND_DISPLAY": "wayland-7", "DISPLAY": ":4177",
        "XAUTHORITY": "\(sandbox.path)/session/authority",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(sandbox.path)/session/bus",
      ]
      let command = [
        "sh", "-c",
        "echo \"$WAYLAND_DISPLAY $DISPLAY\"; ls \"$WAYLAND_DISPLAY\"; cat \"$XAUTHORITY\"; env | grep -c BUS; ls /run",
      ]
      let shown = try sandbox.run(command, ["--display"], environment: screen)
      #expect(
        shown.lines == ["/tmp/.tpick-wayland :4177", "/tmp/.tpick-wayland", "cookie0"], "\(shown.errors)")
      let hidden = try sandbox.run(command, environment: screen)
      #expect(hidden.lines.first == " " && !hidden.lines.contains { $0.contains("cookie") })
    }

    @Test func `A folder with photos, or the cache, can't be made writable`() throws {
      for folder in [sandbox.photos, "\(sandbox.path)/library", sandbox.path, "/"] {
        let result = try sandbox.run(["ls", "/results"], ["--writable", folder])
        #expect(result.status == .exited(2) && result.output.isEmpty, "\(folder)")
        #expect(result.errors.contains("--writable"), "\(result.errors)")
      }
      // Without a source the photo itself determines the library.
      let beside = try Program.run(
        [
          "run", "--authorize", "limited", "--allow", sandbox.photo("a.jpg"), "--writable", sandbox.photos,
          "--", "ls",
        ],
        environment: sandbox.environment())
      #expect(beside.status == .exited(2) && beside.errors.contains("beside"))
      #expect(sandbox.stages.isEmpty)
    }

    @Test(arguments: ["nas:out", "rclone:nas:out"])
    func `A folder on a server can't be made writable, and no local folder is made instead`(
      word: String
    ) throws {
      let result = try sandbox.run(["touch", "/results/a"], ["--writable", word])
      #expect(result.status == .exited(2) && result.output.isEmpty)
      #expect(
        result.errors.contains("--writable: \(word): is on a server, where nothing can be written"),
        "\(result.errors)")
      #expect(sandbox.stages.isEmpty)
    }

    /// Runs a command that may write into a folder.
    private func run(
      _ command: [String], writable: String, _ options: [String] = [], allow: String, _ sources: [String],
      _ environment: [String: String] = [:]
    ) throws -> Program.Output {
      try Program.run(
        ["run", "--authorize", "limited", "--allow", allow, "--writable", writable] + options + sources + [
          "--"
        ]
          + command, environment: sandbox.environment(environment))
    }

    @Test func `The same applies to folders where tpick would store files, existing or not`() throws {
      try sandbox.folder.makeFolder("home")
      try sandbox.folder.makeFolder("state")
      for variable in [
        "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR",
      ] {
        let result = try run(
          ["touch", "/results/a"], writable: "\(sandbox.path)/home", allow: sandbox.photo("a.jpg"),
          [sandbox.photos],
          [variable: "\(sandbox.path)/home/not/yet"])
        #expect(
          result.status == .exited(2) && result.errors.contains("tpick keeps"), "\(variable) \(result.errors)"
        )
      }
      for folder in ["/proc", "/sys", "/dev", "/dev/shm", "/run", "/tmp", "/etc"] {
        let result = try run(
          ["ls", "/results"], writable: folder, allow: sandbox.photo("a.jpg"), [sandbox.photos])
        #expect(result.status == .exited(2) && result.output.isEmpty, "\(folder) \(result.errors)")
      }
    }

    @Test func `The same applies to folders with photos that only the configuration names, or nothing does`()
      throws
    {
      try sandbox.folder.write(Array("sources = [\"\(sandbox.photos)\"]\n".utf8), to: "config.toml")
      let configured = try run(
        ["ls", "/results"], writable: "\(sandbox.path)/library", ["--config", "\(sandbox.path)/config.toml"],
        allow: sandbox.photo("a.jpg"), [])
      #expect(configured.status == .exited(2) && configured.output.isEmpty)
      let standard = try run(
        ["ls", "/results"], writable: "\(sandbox.path)/library", allow: sandbox.photo("a.jpg"), [],
        ["XDG_PICTURES_DIR": "\(sandbox.path)/library/trip"])
      #expect(standard.status == .exited(2) && standard.output.isEmpty)
      // An empty folder among the photos can be.
      try sandbox.folder.makeFolder("library/trip/new")
      let empty = try run(
        ["touch", "/results/made"], writable: "\(sandbox.photos)/new", allow: sandbox.photo("a.jpg"),
        [sandbox.photos])
      #expect(empty.status == .exited(0), "\(empty.errors)")
      #expect(FileManager.default.fileExists(atPath: "\(sandbox.photos)/new/made"))
      try sandbox.folder.makeFolder("library/trip/other/below")
      let full = try run(
        ["ls", "/results"], writable: "\(sandbox.photos)/other", allow: sandbox.photo("a.jpg"),
        [sandbox.photos])
      #expect(full.status == .exited(2))
    }

    @Test func `A granted photo can't be written through another of its names`() throws {
      try sandbox.folder.makeFolder("out")
      let original = try sandbox.folder.bytes(of: "library/trip/a.jpg")
      // A hard link beside the results, and a photo that is a link to one of them.
      try sandbox.folder.run("ln", sandbox.photo("a.jpg"), "\(sandbox.path)/out/hard.jpg")
      let hard = try run(
        ["sh", "-c", "echo DAMAGED > /results/hard.jpg; wc -c < /photos/a.jpg"],
        writable: "\(sandbox.path)/out",
        allow: sandbox.photo("a.jpg"), [sandbox.photos])
      #expect(hard.lines == ["\(original.count)"], "\(hard.errors)")
      try sandbox.folder.write(original, to: "out/real.jpg")
      try sandbox.folder.run("ln", "-s", "\(sandbox.path)/out/real.jpg", sandbox.photo("link.jpg"))
      let link = try run(
        ["sh", "-c", "echo DAMAGED > /results/real.jpg"], writable: "\(sandbox.path)/out",
        allow: sandbox.photo("link.jpg"), [sandbox.photos])
      #expect(link.status == .exited(2) && link.errors.contains("beside"))
      #expect(try sandbox.folder.bytes(of: "out/real.jpg") == original)
    }

    @Test func `A folder as a standard stream is refused`() throws {
      let words = sandbox.arguments([], granting: ["a.jpg"], ["ls", "/proc/self/fd/0/"])
      let session = try TerminalSession(
        "/bin/sh", ["-c", "exec \"$@\" < \"$0\"", sandbox.photos, Program.path] + words,
        environment: Program.environment(sandbox.environment()))
      try session.expectExit(.exited(2))
      #expect(session.standardOutputBytes.isEmpty)
      #expect(
        String(decoding: session.standardErrorBytes, as: UTF8.self).contains("descriptor 0 is a folder"))
    }

    @Test func `More photos than can be bound are refused with a message, or available`() throws {
      let photo = try sandbox.folder.bytes(of: "library/trip/a.jpg")
      for number in 0..<2501 { try sandbox.folder.write(photo, to: "many/\(number).jpg") }
      let result = try Program.run(
        ["run", "--authorize", "limited", "--allow", "\(sandbox.path)/many", "\(sandbox.path)/many", "--"]
          + ["sh", "-c", "ls /photos | wc -l"],
        environment: sandbox.environment(), timeout: 120)
      // File systems that share blocks between copies need no mounts.
      if result.status == .exited(0) {
        #expect(result.lines == ["2501"])
      } else {
        #expect(result.status == .exited(2) && result.errors.contains("at most 2500"), "\(result.errors)")
      }
    }

    @Test func `A photo of another user that root may read is granted to root`() throws {
      try sandbox.folder.setPermissions(0o600, of: "library/trip/a.jpg")
      // An ordinary user can't change a file's owner: then it stays their own.
      _ = chown(sandbox.photo("a.jpg"), geteuid() == 0 ? 12345 : geteuid(), gid_t.max)
      let result = try sandbox.script("cat \"$1\"")
      #expect(result.output == (try sandbox.folder.bytes(of: "library/trip/a.jpg")), "\(result.errors)")
    }
  }
}
