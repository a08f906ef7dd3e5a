import Fixtures
import Foundation
import RemoteServers
import TestTerminal
import Testing

extension EndToEnd {
  /// Originals are downloaded once, completely, and only while they are wanted.
  @Suite(.enabled(if: RemoteServer.Kind.hasRclone, RemoteServer.Kind.rcloneIsMissing))
  struct RemoteOriginalTests {
    private let library: ServedLibrary
    private let proxy: FaultProxy
    private let home: RemoteHome

    init() throws {
      library = try ServedLibrary(.webdav) { try RemotePhotos.writeLarge(to: $0) }
      proxy = try #require(library.proxy)
      home = library.home
    }

    /// Waits until the photos are in their final order.
    ///
    /// A photo is sorted by its file's date until its header has been read, so that the first headers move their photos
    /// to the front.
    private func waitForOrder(_ session: TerminalSession) throws {
      try session.waitUntil("the days 27 to 22 in a row") { screen in
        screen.text.split(separator: "\n").contains { line in
          var rest = line[...]
          for day in (22...27).reversed() {
            guard let place = rest.firstRange(of: " \(day)") else { return false }
            rest = rest[place.upperBound...]
          }
          return true
        }
      }
      try session.waitForGrid(6)
    }

    private var first: [String] { ["list", library.source, "--limit", "1", "--export"] }

    /// The bytes of a copy in a folder of the home.
    private func copy(_ name: String) throws -> [UInt8] { try home.folder.bytes(of: name) }

    @Test func `Two processes that need the same original share one download`() throws {
      let size = try library.bytes("1.jpg").count
      #expect(try home.run("list", library.source).lines.count == 6)
      let before = proxy.counters.bytesToClient
      // One second for the photo: the second process requests it long before it is complete.
      proxy.link = LinkConditions(bitsPerSecond: 8 * size)
      let sessions = try ["a", "b"].map { name in
        try home.start("list", library.source, "--limit", "1", "--export", "\(home.folder.path)/\(name)")
      }
      for session in sessions { try session.expectExit(.exited(0), timeout: 120) }
      let expected = try library.bytes("1.jpg")
      #expect(try copy("a/1.jpg") == expected)
      #expect(try copy("b/1.jpg") == expected)
      let brought = proxy.counters.bytesToClient - before
      #expect(Double(brought) < 1.1 * Double(size), "\(brought) of \(size)")
    }

    @Test func `An interrupted download is resumed`() throws {
      let size = try library.bytes("1.jpg").count
      #expect(try home.run("list", library.source).lines.count == 6)
      let before = proxy.counters.bytesToClient
      // Slow enough that little is in transit when it is canceled.
      proxy.link = LinkConditions(bitsPerSecond: 16 * size)
      proxy.script = FaultScript([.init(.cut(afterBytes: size / 2), target: "GET ", after: 2, count: 1)])
      let result = try home.run(first + ["\(home.folder.path)/a"])
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(try copy("a/1.jpg") == library.bytes("1.jpg"))
      #expect(proxy.counters.faults == 1)
      let brought = proxy.counters.bytesToClient - before
      #expect(Double(brought) < 1.3 * Double(size), "\(brought) of \(size)")
    }

    @Test func `A killed process leaves no complete file, and no rclone`() throws {
      #expect(try home.run("list", library.source).lines.count == 6)
      proxy.script = .always(.drip(bytesPerSecond: 100_000))
      let session = try home.start(
        "list", library.source, "--limit", "1", "--export", "\(home.folder.path)/a")
      try session.waitUntil("a part") { _ in home.keptFiles.contains { $0.hasPrefix(".parts/") } }
      #expect(!home.engines.isEmpty)
      session.signal(SIGKILL)
      try session.waitForExit()
      #expect(home.wholeFiles.isEmpty)
      #expect(eventually { home.engines.isEmpty })
      // The next one downloads it.
      proxy.script = FaultScript()
      #expect(try home.run(first + ["\(home.folder.path)/b"]).lines == ["\(home.folder.path)/b/1.jpg"])
      #expect(try copy("b/1.jpg") == library.bytes("1.jpg"))
      #expect(home.keptFiles == [library.kept("1.jpg")])
    }

    @Test func `Old originals make room for new ones, and picked ones stay`() throws {
      try home.folder.write(Array("[cache]\noriginals = \"2500kB\"\n".utf8), to: "config/tpick/config.toml")
      let session = try home.pick(library.source, columns: 80)
      try waitForOrder(session)
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 120)
      #expect(session.outputLines == [library.original("1.jpg")])
      let result = try home.run("list", library.source, "--export", "\(home.folder.path)/a")
      #expect(result.lines.count == 6)
      for number in 1...6 { #expect(try copy("a/\(number).jpg") == library.bytes("\(number).jpg")) }
      // Two of a megabyte fit in besides it.
      #expect(home.wholeFiles.contains(library.kept("1.jpg")))
      #expect(home.wholeFiles.count == 3)
    }

    @Test func `An export downloads directly to its folder if its files can't be cached`() throws {
      try home.folder.write(Array("[cache]\noriginals = 0\n".utf8), to: "config/tpick/config.toml")
      let target = "\(home.folder.path)/a"
      let result = try home.run("list", library.source, "--export", target, "--sort", "oldest")
      #expect(result.status == .exited(0) && result.errors.isEmpty, "\(result.errors)")
      #expect(result.lines == (1...6).reversed().map { "\(target)/\($0).jpg" })
      for number in 1...6 { #expect(try copy("a/\(number).jpg") == library.bytes("\(number).jpg")) }
      #expect(home.keptFiles.isEmpty)
      let dates = try ["\(target)/2.jpg", "\(library.local)/2.jpg"].map {
        try FileManager.default.attributesOfItem(atPath: $0)[.modificationDate] as? Date
      }
      #expect(dates[0] != nil && dates[0] == dates[1])
      // An interrupted download leaves no copy, and is reported with its name on the server.
      proxy.script = FaultScript([.init(.cut(afterBytes: 0), target: "GET ", after: 0, count: 1000)])
      let broken = try home.run("list", "--timeout", "1", library.source, "--export", "\(home.folder.path)/b")
      #expect(broken.status == .exited(2) && broken.lines.isEmpty)
      #expect(broken.errors.contains("\(library.source)/"), "\(broken.errors)")
      #expect(!broken.errors.contains(home.originals), "\(broken.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(home.folder.path)/b").isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "mounting a small file system requires root"))
    func `An export continues if the disk of the cache is full`() throws {
      #expect(try home.run("list", library.source).lines.count == 6)
      try FileManager.default.createDirectory(atPath: home.originals, withIntermediateDirectories: true)
      let target = "\(home.folder.path)/a"
      let script = "mount -t tmpfs -o size=700k none \"$1\" && shift && exec \"$@\""
      let session = try TerminalSession(
        "/usr/bin/unshare",
        [
          "-m", "sh", "-c", script, "-", home.originals, Program.path, "list", library.source, "--export",
          target,
        ],
        environment: Program.environment(home.environment), standardInput: .null)
      try session.expectExit(.exited(0), timeout: 120)
      #expect(session.outputLines.count == 6)
      for number in 1...6 { #expect(try copy("a/\(number).jpg") == library.bytes("\(number).jpg")) }
    }

    @Test func `Picked originals are removed on request`() throws {
      let session = try home.pick(library.source, columns: 80)
      try waitForOrder(session)
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 120)
      #expect(try home.run("cache", "clear").status == .exited(0))
      #expect(home.wholeFiles == [library.kept("1.jpg")])
      let cleared = try home.run("cache", "clear", "--originals")
      #expect(cleared.status == .exited(0) && cleared.lines.joined().contains("1 file"), "\(cleared.lines)")
      #expect(home.wholeFiles.isEmpty)
    }

    @Test func `Originals picked together are kept together, however small the cache`() throws {
      try home.folder.write(Array("[cache]\noriginals = \"1500kB\"\n".utf8), to: "config/tpick/config.toml")
      // Three of a megabyte, the first of which is local already.
      let session = try home.pick("--limit", "0", library.source, columns: 80)
      try waitForOrder(session)
      for number in 1...3 {
        session.press(.space)
        try session.waitForText("\(number) picked")
        if number < 3 { session.press(.right) }
      }
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 120)
      #expect(session.outputLines == (1...3).map { library.original("\($0).jpg") })
      for number in 1...3 {
        #expect(home.wholeFiles.contains(library.kept("\(number).jpg")))
        let path = library.original("\(number).jpg")
        #expect(
          FileManager.default.contents(atPath: path).map(Array.init) == (try library.bytes("\(number).jpg")))
      }
    }

    @Test func `A single download can be skipped, and all be canceled`() throws {
      let session = try home.pick("--limit", "0", library.source, columns: 80)
      try waitForOrder(session)
      for number in 1...2 {
        session.press(.space)
        try session.waitForText("\(number) picked")
        session.press(.right)
      }
      proxy.script = .always(.stall(afterBytes: 50_000))
      session.press(.enter)
      try session.waitForText("0 of 2")
      session.press(.escape)
      try session.waitForNoText("skip this one")
      try session.waitForText("2 picked")
      session.press(.enter)
      try session.waitForText("0 of 2")
      session.press(.delete)
      try session.waitForText("0 of 1")
      proxy.script = FaultScript()
      try session.expectExit(.exited(0), timeout: 120)
      #expect(session.outputLines == [library.original("2.jpg")])
      #expect(home.wholeFiles.contains(library.kept("2.jpg")))
      #expect(session.isGivenBack)
    }

    @Test func `The cursor moves while downloads hang`() throws {
      let session = try home.pick("--limit", "0", library.source)
      try session.waitForGrid(6)
      try session.waitForLibrary("6 photos")
      proxy.script = .always(.stall(afterBytes: 50_000))
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      try session.waitUntil("a download that hangs") { _ in proxy.counters.faults > 0 }
      session.press(.left)
      try session.waitForCursor(on: "1.jpg")
      // Each press is answered while originals for previews are pending.
      for press in 0..<40 {
        let place = press % 10
        session.press(place < 5 ? .right : .left)
        try session.waitForCursor(on: "\(place < 5 ? place + 2 : 10 - place).jpg")
      }
      session.press(.escape)
      try session.expectExit(.exited(130))
    }
  }
}

extension RemoteHome {
  /// The rclone processes started by a tpick of this home.
  var engines: [pid_t] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { pid_t($0) }.filter { process in
      let name = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/comm"))
      let variables = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ"))
      return name == Data("rclone\n".utf8)
        && variables?.range(of: Data("XDG_CACHE_HOME=\(folder.path)/".utf8)) != nil
    }
  }
}
