import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension Outputs {
  /// Escape attempts of a program in the sandbox: `Tests/Support/HostileCommand`.
  @Suite(.enabled(if: SandboxFolder.hasNamespaces, Comment(rawValue: SandboxFolder.skipReason)))
  final class SandboxEscapeTests {
    private let sandbox: SandboxFolder
    private var sockets: [Int32] = []
    private let name = "tpick-sandbox-\(UInt64.random(in: 0 ... .max))"
    private let segment = shmget(key_t(IPC_PRIVATE), 4096, 0o600)

    init() throws {
      sandbox = try SandboxFolder()
      try sandbox.folder.makeFolder("out")
      try FileManager.default.copyItem(
        atPath: Program.sibling("hostile-command"), toPath: "\(sandbox.path)/out/hostile")
      // A cache and an index exist to be searched for.
      _ = try Program.run(["list", sandbox.photos], environment: Program.environment(sandbox.environment()))
    }

    deinit {
      sockets.forEach { close($0) }
      unlink("/tmp/\(name)")
      shmctl(segment, IPC_RMID, nil)
    }

    private func listen(_ address: sockaddr_un, _ length: Int) throws {
      var address = address
      let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      sockets.append(made)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, socklen_t(length)) }
      }
      try #require(result == 0 && Glibc.listen(made, 8) == 0)
    }

    /// A local port with a listening server.
    private func port() throws -> Int {
      let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      sockets.append(made)
      var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(made, $0, length) == 0 && Glibc.listen(made, 8) == 0 && getsockname(made, $0, &length) == 0
        }
      }
      try #require(result)
      return Int(UInt16(bigEndian: address.sin_port))
    }

    private func address(_ bytes: [UInt8]) -> sockaddr_un {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes.prefix($0.count - 1)) }
      return address
    }

    /// What the program knows about the outside.
    private func knowledge(granted: String, writable: String) throws -> [String] {
      let bus = "/tmp/\(name)"
      if sockets.isEmpty {
        try listen(address(Array(bus.utf8)), MemoryLayout<sockaddr_un>.size)
        try listen(address([0] + Array(name.utf8)), 3 + name.utf8.count)
      }
      let cache = "\(sandbox.path)/cache/tpick"
      let index = try #require(
        FileManager.default.subpaths(atPath: sandbox.path)?.first {
          $0.contains(".sqlite") || $0.hasSuffix(".db")
        })
      return [
        sandbox.photo("b.jpg"), sandbox.photos, cache, "\(sandbox.path)/\(index)", sandbox.path, bus, name,
        "\(try port())", "\(getpid())", granted, writable,
      ]
    }

    /// The answers by the names of the attempts.
    private func answers(_ lines: [String]) throws -> [String: String] {
      try #require(lines.last == "end", "\(lines)")
      let pairs = lines.dropLast().map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
      return Dictionary(uniqueKeysWithValues: pairs.map { ($0[1], $0[0]) })
    }

    @Test func `No attempt of a hostile program succeeds, and the document names every one`() throws {
      // With the terminal as standard input: what it could type there is part of it.
      let words = try knowledge(granted: "/photos/a.jpg", writable: "/results")
      let session = try TerminalSession(
        Program.path,
        sandbox.arguments(
          ["--writable", "\(sandbox.path)/out"], granting: ["a.jpg"], ["/results/hostile"] + words),
        environment: Program.environment(
          sandbox.environment([
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/tmp/\(name)", "SSH_AUTH_SOCK": "/tmp/\(name)",
            "DISPLAY": ":0",
          ])))
      let status = try session.waitForExit()
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(status == .exited(0) && errors.isEmpty, "\(errors)")
      let inside = try answers(session.outputLines)
      #expect(inside.count > 100)
      #expect(inside.filter { $0.value != "refused" }.keys.sorted() == [])
      #expect(session.takeUnreadInput().isEmpty)
      #expect(try Set(Self.documented().filter { !Self.isOfScreen($0) }) == Set(inside.keys))
    }

    private static func isOfScreen(_ name: String) -> Bool { name.contains("the picker") }

    /// Makes the program request photos, and try to continue meanwhile.
    /// - Parameter before: The command that runs tpick, with its arguments.
    /// - Returns: The finished session, and the answered attempts with their marks.
    private func screenTries(
      _ before: [String] = []
    ) throws -> (TerminalSession, TestTerminal.ExitStatus, [(String, String)]) {
      let words =
        before + [Program.path]
        + sandbox.arguments(
          ["--graphics", "none", "--writable", "\(sandbox.path)/out"], granting: ["a.jpg"],
          ["/results/hostile", "screen"])
      let session = try TerminalSession(
        words[0], Array(words[1...]), environment: Program.environment(sandbox.environment()),
        columns: 100,
        rows: 30)
      for number in 1...4 {
        try session.waitUntil("the picker of a try, or the end") {
          session.exitStatus != nil
            || Self.shownParts(session.rawOutput).count == number && $0.text.contains("3 photos")
        }
        if session.exitStatus != nil { break }
        // It moves: no other process has the terminal.
        session.press(.right)
        try session.waitUntil("the next photo, or the end") {
          session.exitStatus != nil || $0.text.contains("b.jpg")
        }
        session.send("\r")
        try session.waitUntil("the answer, or the end") { _ in
          session.exitStatus != nil || session.outputLines.count { $0.hasPrefix("asked") } == number
        }
      }
      let status = try session.waitForExit()
      let answered = session.outputLines.filter { $0.hasPrefix("asked") }.map { line in
        let fields = line.split(separator: "\t").map(String.init)
        return (fields[1], fields[2])
      }
      return (session, status, answered)
    }

    /// The terminal output during each picker.
    private static func shownParts(_ output: [UInt8]) -> [String] {
      // Split by the sequences for the alternate screen (xterm's private modes).
      String(decoding: output, as: UTF8.self).components(separatedBy: "\u{1B}[?1049h").dropFirst()
        .map {
          $0.components(separatedBy: "\u{1B}[?1049l")[0]
        }
    }

    private static let marks = ["<woken>", "<timed>", "<thread>", "<typed>"]

    @Test func `Nothing in the sandbox runs while the picker has the terminal`() throws {
      let (session, status, answered) = try screenTries()
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      let shown = Self.shownParts(session.rawOutput)
      for mark in Self.marks { #expect(!shown.contains { $0.contains(mark) }, "\(mark)") }
      // They do write when no picker is shown.
      let all = String(decoding: session.rawOutput, as: UTF8.self)
      for mark in Self.marks.dropLast() { #expect(all.contains(mark)) }
      #expect(!all.contains("<typed>"))
      #expect(answered.map(\.1) == Array(Self.marks.prefix(answered.count)))
      #expect(try Set(Self.documented().filter(Self.isOfScreen)).isSuperset(of: answered.map(\.0)))
      if Self.canHold {
        #expect(status == .exited(0) && errors.isEmpty, "\(errors)")
        #expect(try Set(answered.map(\.0)) == Set(Self.documented().filter(Self.isOfScreen)))
        #expect(Self.groups.filter { $0.hasPrefix("tpick-\(session.processIdentifier)-") } == [])
      }
    }

    /// Without control groups signals stop the sandbox: processes that continue are killed.
    @Test(.enabled(if: geteuid() == 0 && canHold, "needs control groups, and root to hide them"))
    func `Processes that can't be frozen are killed before the picker is shown`() throws {
      let hidden = try #require(Self.groupFolder)
      let (session, status, answered) = try screenTries(
        ["/usr/bin/unshare", "-m", "/bin/sh", "-c", "umount -l '\(hidden)' && exec \"$@\"", "sh"])
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(
        Self.shownParts(session.rawOutput).allSatisfy {
          !$0.contains("<woken>") && !$0.contains("<thread>")
        })
      #expect(answered.count < 4 && status == .exited(137), "\(status) \(answered)")
      #expect(
        errors.contains("could not be paused for the picker and was ended"),
        "\(errors)")
      #expect(session.isGivenBack && sandbox.stages.isEmpty)
    }

    /// The mount point of cgroup v2; nil if there is none.
    private static let groupFolder: String? = {
      let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
      return mounts.split(separator: "\n").first { $0.contains(" - cgroup2 ") }.map {
        String($0.split(separator: " ")[4])
      }
    }()

    /// The folder of the tests' own group.
    private static let ownGroup: String? = {
      let groups = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
      guard let own = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
        return nil
      }
      return groupFolder.map { "\($0)\(own.dropFirst(3))" }
    }()

    /// Whether tpick can create a group for a sandbox.
    private static let canHold = ownGroup.map { access("\($0)/cgroup.procs", W_OK) == 0 } ?? false

    private static var groups: [String] {
      ownGroup.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
    }

    @Test func `Outside the sandbox the same program succeeds where nothing prevents it`() throws {
      let words = try knowledge(granted: sandbox.photo("a.jpg"), writable: "\(sandbox.path)/out")
      let session = try TerminalSession(
        "\(sandbox.path)/out/hostile", ["control"] + words,
        environment: Program.environment(sandbox.environment(["XDG_RUNTIME_DIR": "/run"])))
      try session.expectExit(.exited(0))
      let outside = try answers(session.outputLines)
      #expect(outside.count > 40)
      let refused = outside.filter { $0.value != "worked" }.keys.sorted()
      // What a container around the tests may forbid as well.
      #expect(refused.filter { !Self.mayBeForbidden.contains($0) } == [])
    }

    private static let mayBeForbidden: Set<String> = [
      "add a key to a keyring", "request a key", "ask for a keyring", "mount", "unmount", "pivot_root",
      "chroot", "fsopen",
      "open_tree", "open_by_handle_at", "bpf", "name the machine", "set the clock", "restart the machine",
      "join a namespace", "start a process in a namespace of users", "start a process by clone3",
      "look at the logs",
      "look at /boot",
    ]

    /// The attempts named in the table of Docs/Permissions.md.
    private static func documented() throws -> [String] {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../../Docs")
      let text = try String(contentsOf: root.appendingPathComponent("Permissions.md"), encoding: .utf8)
      return text.split(separator: "\n").filter { $0.hasPrefix("| tries of ") }.flatMap { row in
        row.split(separator: "|")[1].split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      }
    }
  }
}
