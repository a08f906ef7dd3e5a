import Fixtures
import Foundation
import TestTerminal
import Testing

extension Commands {
  /// `Tests/Tools/install`: what it installs below a prefix and removes, and its calls of apt-get.
  @Suite struct InstallationTests {
    private let folder: TemporaryFolder
    private let tool = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Tools/install").standardizedFileURL.path
    private let programs = URL(fileURLWithPath: Program.sibling("tpick")).deletingLastPathComponent().path

    init() throws { folder = try TemporaryFolder() }

    /// Runs the tool.
    /// - Parameter environment: Arguments for `env`.
    /// - Returns: Its output, including errors.
    private func run(
      _ arguments: String..., environment: [String] = [], acceptsFailure: Bool = false
    ) throws -> String {
      try Consumer.text(
        ["env"] + environment + [tool] + arguments, acceptsFailure: acceptsFailure, readsErrors: true)
    }

    /// The paths below a folder; folders have a trailing slash.
    private func paths(in name: String) throws -> Set<String> {
      let found = try Consumer.run(
        ["find", "\(folder.path)/\(name)", "-type", "d", "-printf", "%P/\\0", "-o", "-printf", "%P\\0"])
      return Set(found.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    private func writeProgram(_ script: String, to name: String) throws {
      try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: name)
      try folder.setPermissions(0o755, of: name)
    }

    // MARK: Below a prefix

    @Test func `Programs are installed, run, and are removed`() throws {
      try folder.write([], to: "pre fix/bin/other")
      let before = try paths(in: "pre fix")
      for _ in 1...2 {
        _ = try run("--prefix", "\(folder.path)/pre fix", "--from", programs)
        let installed = try paths(in: "pre fix").subtracting(before)
        #expect(
          installed.isSuperset(of: ["bin/tpick", "bin/tpick-codecs", "share/", "share/tpick/manifest"]))
        let manifest = String(decoding: try folder.bytes(of: "pre fix/share/tpick/manifest"), as: UTF8.self)
        #expect(Set(manifest.split(separator: "\n").map(String.init)) == installed)
      }
      let program = "\(folder.path)/pre fix/bin/tpick"
      #expect(
        try Consumer.text([program, "--version"])
          == Consumer.text([Program.sibling("tpick"), "--version"]))
      #expect(try Consumer.text([program, "list", "--demo"]).contains(".jpg"))
      _ = try run("--prefix", "\(folder.path)/pre fix", "--remove")
      #expect(try paths(in: "pre fix") == before)
    }

    @Test func `Installed files are readable by all users, whatever the umask`() throws {
      let result = try Consumer.text([
        "/bin/sh", "-c", "umask 077 && exec \"$@\"", "sh", tool, "--no-packages", "--prefix",
        "\(folder.path)/all", "--from", programs,
      ])
      #expect(result.contains("Installed below"))
      let closed = try Consumer.text(["find", "\(folder.path)/all", "!", "-perm", "-a+r"])
      #expect(closed.isEmpty)
    }

    @Test func `Files of other packages stay, and are reported before anything is written`() throws {
      try folder.write(Array("theirs".utf8), to: "p/bin/tpick")
      try folder.makeFolder("q/share/man/man1/tpick.1")
      for (name, message) in [("p", "bin/tpick is there already"), ("q", "tpick.1 is a folder")] {
        let before = try paths(in: name)
        let told = try run("--prefix", "\(folder.path)/\(name)", "--from", programs, acceptsFailure: true)
        #expect(told.contains(message))
        #expect(try paths(in: name) == before)
      }
      #expect(try folder.bytes(of: "p/bin/tpick") == Array("theirs".utf8))
      _ = try run("--prefix", "\(folder.path)/r", "--from", programs)
      // A folder in place of a file does not prevent the rest from being removed.
      folder.remove("r/bin/tpick-codecs")
      try folder.makeFolder("r/bin/tpick-codecs")
      #expect(try run("--prefix", "\(folder.path)/r", "--remove").contains("tpick-codecs is a folder by now"))
      #expect(try paths(in: "r") == ["/", "bin/", "bin/tpick-codecs/"])
      #expect(try run("--prefix", "/", "--from", programs, acceptsFailure: true).contains("/ is no prefix"))
    }

    @Test func `DESTDIR may be relative`() throws {
      _ = try Consumer.text(
        ["env", "-C", folder.path, "DESTDIR=stage", tool, "--prefix", "/usr", "--from", programs],
        readsErrors: true)
      #expect(try paths(in: "stage").contains("usr/bin/tpick"))
    }

    @Test func `DESTDIR precedes the prefix`() throws {
      let environment = ["DESTDIR=\(folder.path)/stage", "XDG_DESKTOP_PORTAL_SYSTEM_DIR=\(folder.path)"]
      _ = try run("--prefix", "/usr", "--portal", "--from", programs, environment: environment)
      let installed = try paths(in: "stage")
      #expect(
        installed.isSuperset(of: ["usr/bin/tpick", "usr/bin/tpick-portal", "usr/share/tpick/manifest"]))
      #expect(installed.allSatisfy { $0 == "/" || $0.hasPrefix("usr/") })
      let service = try folder.bytes(of: "stage/usr/share/systemd/user/tpick-portal.service")
      #expect(String(decoding: service, as: UTF8.self).contains("\nExecStart=\"/usr/bin/tpick-portal\"\n"))
      _ = try run("--prefix", "/usr", "--remove", environment: environment)
      #expect(try paths(in: "stage") == ["/"])
    }

    @Test func `Errors are reported before anything is done`() throws {
      try folder.write([], to: "file")
      try folder.makeFolder("empty")
      try writeProgram("echo 'Swift version 5.9.2 (swift-5.9.2-RELEASE)'", to: "old/swift")
      let path = "PATH=\(folder.path)/old:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
      #expect(
        try run("--prefix", "\(folder.path)/file/prefix", "--from", programs, acceptsFailure: true)
          .contains("\(folder.path)/file can't be written"))
      #expect(
        try run("--prefix", "\(folder.path)/empty", "--remove", acceptsFailure: true)
          .contains("nothing is installed below \(folder.path)/empty"))
      #expect(
        try run("--prefix", "\(folder.path)/empty", "--from", folder.path, acceptsFailure: true)
          .contains("there is no \(folder.path)/tpick"))
      let old = try run(
        "--prefix", "\(folder.path)/empty", "--no-packages", environment: [path], acceptsFailure: true)
      #expect(old.contains("or later is needed, and this is 5.9.2: https://www.swift.org/install/linux/"))
      #expect(try run("--prefix", acceptsFailure: true).contains("--prefix needs a path"))
      #expect(try run("--unknown", acceptsFailure: true).contains("install --prefix DIR"))
      #expect(try paths(in: "empty") == ["/"])
    }

    // MARK: Packages

    @Test func `Only missing packages are installed, and no question is asked if none is`() throws {
      try folder.write(
        Array(
          "installed\tlibjpeg62-dev\tlibjpeg-dev (= 1), other\nconfig-files\tgit\t\ninstalled\tg++\t\n".utf8),
        to: "status")
      try folder.write([], to: "log")
      try writeProgram("cat '\(folder.path)/status'", to: "bin/dpkg-query")
      try writeProgram("[ \"$2\" != binutils-gold ] && echo \"Package: $2\"", to: "bin/apt-cache")
      try writeProgram("exec \"$@\"", to: "bin/sudo")
      try writeProgram(
        """
        echo "$@" >> '\(folder.path)/log'
        [ "$2" = update ] || for name; do printf 'installed\\t%s\\t\\n' "$name"; done >> '\(folder.path)/status'
        """, to: "bin/apt-get")
      let path = "PATH=\(folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
      func asked(_ option: String) throws -> [Set<String>] {
        try folder.write([], to: "log")
        _ = try run("--packages-only", option, environment: [path, try python(succeeds: true)])
        let log = String(decoding: try folder.bytes(of: "log"), as: UTF8.self)
        return log.split(separator: "\n").map { Set($0.split(separator: " ").map(String.init)) }
      }
      let first = try asked("--packages-only")
      #expect(first.count == 2)
      #expect(first.first == ["-q", "update"])
      #expect(first.last?.isSuperset(of: ["install", "-y", "git", "pkg-config", "libheif-dev"]) == true)
      #expect(first.last?.isDisjoint(with: ["g++", "libjpeg-dev", "binutils-gold", "libvterm-dev"]) == true)
      #expect(try asked("--packages-only").isEmpty)
      let tests = try asked("--tests")
      #expect(tests.last?.isSuperset(of: ["libvterm-dev", "libheif-plugin-x265"]) == true)
      #expect(tests.last?.isDisjoint(with: ["git", "pkg-config"]) == true)
      #expect(try asked("--tests").isEmpty)
      // PyPI packages are listed once.
      let requirements = URL(fileURLWithPath: tool).deletingLastPathComponent().path + "/requirements.txt"
      #expect(
        String(decoding: try folder.bytes(of: "asked of python"), as: UTF8.self) == """
          -m venv --clear \(folder.path)/tools/python
          -m pip install -q --retries 1 -r \(requirements)

          """)
      folder.remove("tools")
      let told = try run("--tests", "--packages-only", environment: [path, try python(succeeds: false)])
      #expect(told.contains("tests with a server of S3 are skipped"))
      #expect(try paths(in: "tools") == ["/"])
    }

    /// Puts a Python into the path that installs nothing.
    /// - Returns: The variable that makes the tool leave the clone unchanged.
    private func python(succeeds: Bool) throws -> String {
      try writeProgram(
        """
        echo "$@" >> '\(folder.path)/asked of python'
        [ "$2" = venv ] && mkdir -p "$4/bin" && cp "$0" "$4/bin/python3"
        exit \(succeeds ? 0 : 1)
        """, to: "bin/python3")
      try folder.makeFolder("tools")
      return "TPICK_TEST_TOOLS=\(folder.path)/tools"
    }
  }
}
