import Dispatch
import Fixtures
import Foundation
import RemoteServers
import Synchronization
import TestScheduling
import TestTerminal
import Testing

extension EndToEnd {
  /// The messages, exit status and delay of every command if a server can't be read.
  @Suite(.enabled(if: RemoteServer.Kind.hasRclone, RemoteServer.Kind.rcloneIsMissing))
  struct RemoteFailureTests {
    /// Reasons why a server can't be read.
    enum Failure: String, CaseIterable {
      case wrongPassword, noRemote, noHost, refused, untrusted, missingFolder

      /// The expected message.
      var words: String {
        switch self {
        case .wrongPassword: "access denied"
        case .noRemote: "no such remote"
        case .noHost, .refused: "the server can't be reached"
        case .untrusted: "certificate is not trusted"
        case .missingFolder: "no such file or folder"
        }
      }
    }

    /// A way to run tpick without a screen.
    private static let commands = [
      ["list"], ["albums"], ["list", "--export", "OUT"], ["--select-1"], ["--exit-0"], ["cache", "warm"],
    ]

    /// The commands for a case.
    ///
    /// Over WebDAV each of them meets every failure of a known library. Elsewhere a third of them does, different ones
    /// with each failure, except in long test runs.
    private static func commands(
      _ kind: RemoteServer.Kind, _ failure: Failure, isKnown: Bool
    ) -> [[String]] {
      if TestSize.isLong || isKnown && kind == .webdav { return commands }
      let first = Failure.allCases.firstIndex(of: failure) ?? 0
      return commands.indices.filter { $0 % 3 == first % 3 }.map { commands[$0] }
    }

    private static let cases: [(RemoteServer.Kind, Failure)] = [RemoteServer.Kind.webdav, .sftp].flatMap {
      kind in Failure.allCases.filter { $0 != .untrusted || kind == .webdav }.map { (kind, $0) }
    }

    /// A library that was read once, and whose server can't be read anymore.
    private struct Setup {
      let library: ServedLibrary
      let source: String
      /// Another server in its place, and its certificate: both end with their last references.
      private let other: (server: RemoteServer, certificate: TestCertificate)?

      /// - Parameter isKnown: Whether its files were listed before.
      init(_ kind: RemoteServer.Kind, _ failure: Failure, isKnown: Bool) throws {
        library = try ServedLibrary(kind) { folder in
          let photo = try TestPhoto(width: 64, height: 48, date: .day(1)).bytes()
          for name in ["1.jpg", "2.jpg"] { try folder.write(photo + name.utf8, to: "Photos/\(name)") }
        }
        if isKnown { #expect(try library.home.run("list", library.source).lines.count == 2) }
        var sections = library.server.configuration(name: "nas", port: library.proxy?.port)
        var other: (RemoteServer, TestCertificate)?
        switch failure {
        case .wrongPassword:
          let stranger = try RemoteServer(kind, serving: library.folder.path)
          sections = stranger.configuration(name: "nas", port: library.server.port)
        case .noRemote: sections = ""
        case .noHost: sections.replace("127.0.0.1", with: "nowhere.invalid")
        case .refused: library.proxy?.isGone = true
        case .untrusted:
          let certificate = try TestCertificate()
          let server = try RemoteServer(kind, serving: library.folder.path, certificate: certificate)
          sections = server.configuration(name: "nas")
          other = (server, certificate)
        case .missingFolder: try library.folder.rename("Photos", to: "Elsewhere")
        }
        try library.home.configure(sections)
        (self.other, source) = (other, library.source)
      }
    }

    // Takes seconds: each command starts rclone, which retries.
    @Test(arguments: cases)
    func `Every command ends with 2 and the reason, and prints no outdated results`(
      kind: RemoteServer.Kind, failure: Failure
    ) throws {
      // A known library, and an unknown one: both get the complete message.
      for isKnown in failure == .noRemote ? [false] : [true, false] {
        let setup = try Setup(kind, failure, isKnown: isKnown)
        let target = "\(setup.library.home.folder.path)/out"
        let results = Mutex<[(words: [String], result: Result<Program.Output, any Error>, time: Duration)]>([]
        )
        let commands = Self.commands(kind, failure, isKnown: isKnown)
        // They mostly wait between retries.
        DispatchQueue.concurrentPerform(iterations: commands.count) { index in
          let words = commands[index].map { $0 == "OUT" ? target : $0 } + [setup.source]
          let begin = ContinuousClock.now
          let result = Result { try setup.library.home.run(words) }
          results.withLock { $0.append((words, result, begin.duration(to: .now))) }
        }
        for (words, result, time) in results.withLock({ $0 }) {
          let output = try result.get()
          #expect(output.status == .exited(2), "\(words): \(output.errors)")
          #expect(output.output.isEmpty, "\(words): \(output.lines)")
          #expect(output.errors.contains("tpick: \(setup.source): "), "\(words): \(output.errors)")
          #expect(output.errors.contains(failure.words), "\(words): \(output.errors)")
          #expect(output.errors.contains("--offline") == isKnown, "\(words): \(output.errors)")
          #expect(time < .seconds(60), "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        guard isKnown else { continue }
        let offline = try setup.library.home.run("list", "--offline", setup.source)
        #expect(offline.status == .exited(0) && offline.lines.count == 2)
      }
    }

    // Takes seconds, for the same reason.
    @Test(arguments: cases)
    func `The picker's screen shows the same message as list, and its status is 2`(
      kind: RemoteServer.Kind, failure: Failure
    ) throws {
      let setup = try Setup(kind, failure, isKnown: false)
      let session = try setup.library.home.pick(setup.source)
      try session.waitForText("Nothing could be read")
      try session.waitForText("\(setup.source): ")
      try session.waitForText("^L try again")
      session.press(.escape)
      try session.expectExit(.exited(2), timeout: 60)
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("tpick: \(setup.source): ") && errors.contains(failure.words), "\(errors)")
      #expect(session.outputLines.isEmpty)
    }

    @Test(arguments: [RemoteServer.Kind.webdav, .sftp])
    func `A key retries, and shows the photos of a server that is back`(
      kind: RemoteServer.Kind
    ) throws {
      let setup = try Setup(kind, .refused, isKnown: false)
      let session = try setup.library.home.pick(setup.source)
      try session.waitForText("the server can't be reached")
      setup.library.proxy?.isGone = false
      session.pressControl("l")
      try session.waitForLibrary("2 photos")
      session.press(.escape)
      try session.expectExit(.exited(130), timeout: 60)
    }

    @Test func `Known photos are shown beside the reason, and the picker can be left as usual`() throws {
      let setup = try Setup(.webdav, .refused, isKnown: true)
      let session = try setup.library.home.pick("--format", "uris", setup.source, columns: 160)
      try session.waitForText("the server can't be reached")
      try session.waitForText("2 photos")
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 60)
      #expect(session.outputLines.count == 1)
    }

    // MARK: Readable files with wrong metadata

    /// Runs all commands on a library of one photo, and the picker, which Enter ends.
    private func runAll(_ library: ServedLibrary) throws -> [String: Program.Output] {
      let commands: KeyValuePairs = [
        "list": ["list"], "albums": ["albums"],
        "export": ["list", "--export", "\(library.home.folder.path)/out"],
        "select-1": ["--select-1"], "warm": ["cache", "warm", "--size", "80x24", "--cell-size", "8x16"],
      ]
      var outputs: [String: Program.Output] = [:]
      for (name, words) in commands {
        let begin = ContinuousClock.now
        outputs[name] = try library.home.run(words + ["--timeout", "2", library.source])
        #expect(begin.duration(to: .now) < .seconds(60), "\(name)")
      }
      return outputs
    }

    @Test(arguments: [RemoteServer.Kind.webdav, .sftp])
    func `A folder that contains itself is reported once, and every command continues`(
      kind: RemoteServer.Kind
    ) throws {
      let library = try ServedLibrary(kind) { folder in
        try folder.write(try TestPhoto(width: 64, height: 48, date: .day(1)).bytes(), to: "Photos/1.jpg")
        try folder.link("Photos/again", to: ".")
      }
      for (name, output) in try runAll(library) {
        #expect(output.status == .exited(0), "\(name): \(output.errors)")
        #expect(
          output.errors.split(separator: "\n").count { $0.contains("/again: ") && $0.contains("a loop") }
            == 1,
          "\(name): \(output.errors)")
        if !["warm", "albums"].contains(name) {
          #expect(output.lines.count == 1, "\(name): \(output.lines)")
        }
      }
      let session = try library.home.pick(library.source)
      try session.waitForText("1 photo")
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 60)
      #expect(session.outputLines == [library.original("1.jpg")])
    }

    @Test func `If a reported length is wrong nothing is delivered, and the file is named`() throws {
      let library = try ServedLibrary(.webdav) { folder in
        try folder.write(try TestPhoto(width: 64, height: 48, date: .day(1)).bytes(), to: "Photos/1.jpg")
      }
      library.proxy?.script = FaultScript([.init(.contentLength(changedBy: -100), target: "GET ")])
      let outputs = try runAll(library)
      for name in ["list", "albums"] {
        #expect(outputs[name]?.status == .exited(0), "\(name): \(outputs[name]?.errors ?? "")")
        #expect(outputs[name]?.lines.isEmpty == false)
      }
      for name in ["export", "select-1"] {
        #expect(outputs[name]?.status == .exited(2), "\(name): \(outputs[name]?.errors ?? "")")
        #expect(outputs[name]?.lines.isEmpty ?? false)
        #expect(
          outputs[name]?.errors.contains("\(library.source)/1.jpg: ") ?? false,
          "\(outputs[name]?.errors ?? "")")
      }
      // For such a small photo no thumbnail is made.
      #expect(outputs["warm"]?.status == .exited(0), "\(outputs["warm"]?.errors ?? "")")
      #expect(library.home.wholeFiles.isEmpty)
      let session = try library.home.pick("--timeout", "2", library.source)
      try session.waitForLibrary("1 photo ")
      session.press(.enter)
      try session.waitForText("failed")
      try session.waitForText("the server sends")
      session.press(.escape)
      session.press(.escape)
      try session.expectExit(.exited(130), timeout: 60)
    }

    // MARK: While files come

    /// A library of 48 photos that was listed and read.
    private func manyPhotos() throws -> ServedLibrary {
      let library = try ServedLibrary(.webdav) { folder in
        let photo = try TestPhoto(width: 64, height: 48, date: .day(1)).bytes()
        for number in 0..<48 { try folder.write(photo + [UInt8(number)], to: "Photos/\(number).jpg") }
      }
      #expect(try library.home.run("list", library.source).lines.count == 48)
      return library
    }

    @Test(arguments: [Fault.stall(afterBytes: 0), .cut(afterBytes: 0)])
    func `A server that dies is given up for the run, and its other files fail at once`(fault: Fault) throws {
      let library = try manyPhotos()
      library.proxy?.script = FaultScript([.init(fault, target: "GET ")])
      let begin = ContinuousClock.now
      let result = try library.home.run(
        "list", library.source, "--timeout", "2", "--export", "\(library.home.folder.path)/out")
      let time = begin.duration(to: .now)
      #expect(result.status == .exited(2))
      #expect(result.output.isEmpty)
      // The first ones with their reason, all others in one line, and the number of copies.
      let lines = result.errors.split(separator: "\n")
      #expect(lines.count <= 5, "\(result.errors)")
      #expect(lines.contains { $0.contains(" files: ") && $0.contains("no further requests") }, "\(lines)")
      #expect(result.errors.contains("0 of 48 photos were copied"), "\(result.errors)")
      #expect(time < .seconds(40), "\(time)")
    }

    @Test(arguments: ["0", "-1", "x", "1.5", "3601"])
    func `An invalid timeout is a usage error`(word: String) throws {
      #expect(try Program.run(["list", "--timeout=\(word)", "/"]).status == .exited(64))
    }

    @Test(arguments: [RemoteServer.Kind.webdav, .sftp])
    func `Files copied before a server was killed are complete, and the rest is named`(
      kind: RemoteServer.Kind
    ) throws {
      let library = try ServedLibrary(kind) { try RemotePhotos.writeLarge(to: $0) }
      #expect(try library.home.run("list", library.source).lines.count == 6)
      // Half a second for each of them.
      library.proxy?.link = LinkConditions(bitsPerSecond: 16 << 20)
      let target = "\(library.home.folder.path)/out"
      let session = try library.home.start(
        "list", library.source, "--timeout", "2", "--export", target)
      let copies = { (try? FileManager.default.contentsOfDirectory(atPath: target)) ?? [] }
      #expect(eventually { copies().contains { $0.hasSuffix(".jpg") } })
      library.proxy?.isGone = true
      try session.expectExit(.exited(2), timeout: 60)
      let names = copies()
      #expect(!names.isEmpty && names.count < 6 && session.outputLines.count == names.count)
      for name in names {
        #expect(
          try library.home.folder.bytes(of: "out/\(name)") == library.bytes(name), "\(name)")
      }
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("\(names.count) of 6 photos were copied"), "\(errors)")
      // When it is back, the next run copies the others.
      library.proxy?.isGone = false
      library.proxy?.link = LinkConditions()
      let rest = try library.home.run(
        "list", library.source, "--existing", "skip", "--export", target)
      #expect(rest.status == .exited(0), "\(rest.errors)")
      #expect(copies().count == 6)
    }

    @Test(arguments: [["list", "--export", "OUT"], ["--select-1"]])
    func `The line on standard error updates while an original is downloaded`(words: [String]) throws {
      let library = try ServedLibrary(.webdav) { folder in
        let rest = RemotePhotos.noise(6 << 20, seed: 7)
        try folder.write(try RemotePhotos.photo(day: 1).bytes() + rest, to: "Photos/1.jpg")
      }
      #expect(try library.home.run("list", library.source).lines.count == 1)
      // Two seconds for six megabytes.
      library.proxy?.link = LinkConditions(bitsPerSecond: 24 << 20)
      let target = "\(library.home.folder.path)/out"
      let session = try TerminalSession(
        Program.path, words.map { $0 == "OUT" ? target : $0 } + [library.source],
        environment: Program.environment(library.home.environment), standardInput: .null,
        standardError: .terminal)
      try session.expectExit(.exited(0), timeout: 60)
      #expect(session.outputLines.count == 1)
      let shown = String(decoding: session.rawOutput, as: UTF8.self)
      let steps = (0...6).filter { shown.contains("downloading 1 of 1 · \($0) of 6 MB") }
      #expect(steps.count >= 3 && steps.contains { (1...5).contains($0) }, "\(steps)")
    }
  }
}
