import Fixtures
import Foundation
import TestTerminal
import Testing
import Glibc

private enum InstalledRclone {
  static let isThere = (["/usr/bin/rclone", "/usr/local/bin/rclone"] as [String]).contains {
    access($0, X_OK) == 0
  }
}

extension Commands {
  /// `tpick remote` with the real rclone.
  @Suite(.enabled(if: InstalledRclone.isThere, "rclone is not installed"))
  struct RemoteCommandTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.write([1, 2, 3], to: "photos/x.jpg")
      try folder.write([], to: "photos/sub/y.jpg")
      let text = """
        [nas]
        type = alias
        remote = \(folder.path)/photos

        [dav]
        type = webdav
        url = https://me:secret@nas.example:5006/dav
        """
      try folder.write(Array(text.utf8), to: "rclone.conf")
    }

    private func remote(_ arguments: String..., adding added: [String: String] = [:]) throws -> Program.Output
    {
      let environment = [
        "RCLONE_CONFIG": "\(folder.path)/rclone.conf", "XDG_CONFIG_HOME": "\(folder.path)/config",
        "XDG_CACHE_HOME": "\(folder.path)/cache",
      ]
      return try Program.run(["remote"] + arguments, environment: environment.merging(added) { $1 })
    }

    private struct Document: Decodable {
      struct Remote: Decodable, Equatable {
        var name: String
        var type: String
        var place: String?
        var server: String?
        var trustedFingerprint: String?
      }
      var version: Int
      var remotes: [Remote]
    }

    @Test func `Remotes of rclone's file and of the environment are listed without secrets`() throws {
      let added = ["RCLONE_CONFIG_BOX_TYPE": "sftp", "RCLONE_CONFIG_BOX_HOST": "box.example"]
      let text = try remote("list", adding: added)
      #expect(text.status == .exited(0))
      let lines = String(decoding: text.output, as: UTF8.self)
      #expect(
        lines.contains("box:") && lines.contains("dav:") && lines.contains("nas:")
          && !lines.contains("secret"))
      let json = try remote("list", "--format", "json", adding: added)
      #expect(try SchemaValidator.problems(of: json.output, "remotesDocument") == "")
      let document = try JSONDecoder().decode(Document.self, from: Data(json.output))
      #expect(
        document.version == 1
          && document.remotes == [
            .init(name: "box:", type: "sftp", place: "box.example"),
            .init(
              name: "dav:", type: "webdav", place: "https://nas.example:5006/dav", server: "nas.example:5006"),
            .init(name: "nas:", type: "alias", place: "\(folder.path)/photos"),
          ])
    }

    @Test func `A check reports what works`() throws {
      let result = try remote("check", "nas:")
      #expect(result.status == .exited(0) && result.errors.isEmpty)
      let text = String(decoding: result.output, as: UTF8.self)
      #expect(text.contains("listing         yes: 1 file, 1 folder (local)"))
      #expect(text.contains("md5") && text.contains("folder times    yes"))
    }

    @Test(arguments: [("none:", "no such remote"), ("nas:none", "no such file or folder"), ("dav:", ": ")])
    func `A check reports what does not work`(_ word: String, _ reason: String) throws {
      let result = try remote("check", word)
      #expect(result.status == .exited(1) && result.output.isEmpty)
      #expect(
        result.errors.contains(reason) && result.errors.contains(word) && !result.errors.contains("secret"))
    }

    @Test func `Without rclone the message says how to install it`() throws {
      let result = try remote("check", "nas:", adding: ["TPICK_RCLONE": "/nonexistent"])
      #expect(result.status == .exited(1) && result.errors.contains("apt install rclone"))
    }

    @Test(arguments: [
      ["trust", "h", "--yes"], ["trust", "h", "--fingerprint", "x"], ["trust", "a/b"], ["trust"],
      ["check", "photos"],
      ["forget", ""], ["check"],
    ])
    func `Meaningless arguments are usage errors`(_ arguments: [String]) throws {
      #expect(try Program.run(["remote"] + arguments).status == .exited(64))
    }

    @Test func `A server that is not trusted can't be forgotten`() throws {
      for word in ["nas.example:5006", "dav:"] {
        let result = try remote("forget", word)
        #expect(result.status == .exited(1) && result.output.isEmpty)
        #expect(result.errors == "tpick: nas.example:5006: no trusted certificate\n")
      }
    }

    @Test func `Without remotes the message says how to create one`() throws {
      let result = try remote("list", adding: ["RCLONE_CONFIG": "/dev/null"])
      #expect(result.status == .exited(1) && result.output.isEmpty)
      #expect(result.errors == "tpick: rclone has no remotes: add one with rclone config\n")
    }

    @Test(arguments: [["list"], ["albums"], ["cache", "warm"]])
    func `Offline, an unknown server is an error`(_ command: [String]) throws {
      func run(_ arguments: [String]) throws -> Program.Output {
        try Program.run(
          command + arguments,
          environment: [
            "RCLONE_CONFIG": "\(folder.path)/rclone.conf", "XDG_CACHE_HOME": "\(folder.path)/cache",
            "XDG_DATA_HOME": "\(folder.path)/data",
          ])
      }
      let unknown = "tpick: dav:Unknown: it has not been read yet; run without --offline to read it\n"
      let alone = try run(["--offline", "dav:Unknown"])
      #expect(alone.status == .exited(2) && alone.errors == unknown)
      let photos = try Photos.folder(1)
      let beside = try run(["--offline", "dav:Unknown", photos.path])
      #expect(beside.status == .exited(0) && beside.errors == unknown)
      // A folder that was read and has no photos is known.
      try folder.makeFolder("photos/empty")
      #expect(try run(["nas:empty"]).status == .exited(1))
      let known = try run(["--offline", "nas:empty"])
      #expect(known.status == .exited(1) && known.errors.isEmpty)
    }

    @Test func `rclone ends when tpick is killed`() throws {
      // A server that accepts connections and never answers.
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { close(listener) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      try withUnsafeMutablePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          try #require(bind(listener, $0, length) == 0 && listen(listener, 8) == 0)
          try #require(getsockname(listener, $0, &length) == 0)
        }
      }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Program.path)
      process.arguments = [
        "remote", "check", ":webdav,url=\"http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/\":",
      ]
      var environment = ProcessInfo.processInfo.environment
      let mark = "\(folder.path)/mark"
      environment["XDG_CONFIG_HOME"] = mark
      process.environment = environment
      process.standardError = FileHandle.nullDevice
      try process.run()
      // They are no children of this process, which gets no notification of their start and end.
      #expect(eventually { engine(marked: mark) != nil })
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(eventually { engine(marked: mark) == nil })
    }

    /// The rclone process with this in its environment.
    private func engine(marked mark: String) -> pid_t? {
      let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return processes.compactMap { pid_t($0) }.first { process in
        let name = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/comm"))
        let environment = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ"))
        return name == Data("rclone\n".utf8) && environment?.range(of: Data(mark.utf8)) != nil
      }
    }
  }
}
