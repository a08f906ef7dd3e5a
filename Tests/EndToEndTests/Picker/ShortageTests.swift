import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// Limited descriptors, and files that change while they are read.
  @Suite struct ShortageTests {
    /// Runs the program in a shell that limits the number of open files.
    private func session(
      _ limit: Int, _ arguments: [String], in folder: TemporaryFolder, home: TemporaryFolder,
      standardInput: StandardInput = .terminal
    ) throws -> TerminalSession {
      try TerminalSession(
        "/bin/sh",
        ["-c", "ulimit -n \(limit) && exec \"$0\" \"$@\"", Program.path] + arguments + [folder.path],
        environment: Program.environment([
          "XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data",
          "XDG_STATE_HOME": "\(home.path)/state",
        ]), cell: (5, 10), standardInput: standardInput, owning: [folder, home])
    }

    private func library() throws -> TemporaryFolder {
      let folder = try Photos.folder(30)
      for number in 1...40 { try folder.write(HandmadeHEIC().bytes, to: "heic/\(number).heic") }
      for number in 1...60 { try folder.write(HandmadeDNG().bytes, to: "raw \(number)/a.dng") }
      return folder
    }

    @Test(arguments: [64, 32])
    func `With few open files the list is complete, without an issue`(limit: Int) throws {
      let list = try session(
        limit, ["list"], in: library(), home: TemporaryFolder(), standardInput: .null)
      try list.expectExit(.exited(0))
      #expect(list.outputLines.count == 130)
      #expect(String(decoding: list.standardErrorBytes, as: UTF8.self) == "")
    }

    @Test(arguments: [64, 32])
    func `With few open files the picker starts and shows its pictures`(limit: Int) throws {
      let folder = try Photos.folder(30)
      for number in 1...60 { try folder.write(HandmadeDNG().bytes, to: "raw \(number)/a.dng") }
      let session = try session(limit, [], in: folder, home: TemporaryFolder())
      try session.waitForGrid(90)
      session.press(.end)
      // A picture that failed for lack of a descriptor follows a few seconds later, automatically.
      try session.waitUntil("the last pictures") {
        !$0.text.contains("⋯") && !$0.text.contains("✕") && $0.pictureAreas.count > 1
      }
      session.send("q")
      try session.expectExit(.exited(130))
    }

    @Test(arguments: [64, 32])
    func `With few open files a change of three thousand folders is followed`(limit: Int) throws {
      let folder = try Photos.folder(2)
      for number in 1...3000 { try folder.makeFolder("\(number)") }
      let session = try session(limit, [], in: folder, home: TemporaryFolder())
      try session.waitForGrid(2)
      for number in 1...3000 { try folder.setPermissions(0o700, of: "\(number)") }
      try folder.write(
        try TestPhoto(width: 40, height: 30, date: .day(30, month: 12)).bytes(), to: "3000/new.jpg")
      try session.waitForGrid(3)
      try folder.write(try TestPhoto(width: 40, height: 30, date: .day(29, month: 12)).bytes(), to: "7/b.jpg")
      try session.waitForGrid(4)
      #expect(!session.virtual.text.contains("Too many open files"))
      session.send("q")
      try session.expectExit(.exited(130))
    }

    /// Runs the program in a shell with a resource limit.
    private func run(
      limited command: String, _ arguments: [String], home: TemporaryFolder
    ) throws -> (status: TestTerminal.ExitStatus, lines: [String], errors: String) {
      let session = try TerminalSession(
        "/bin/sh", ["-c", "\(command) && exec \"$0\" \"$@\"", Program.path] + arguments,
        environment: Program.environment([
          "XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data",
          "XDG_STATE_HOME": "\(home.path)/state",
        ]), standardInput: .null, owning: [home])
      let status = try session.waitForExit()
      return (
        status, session.outputLines, String(decoding: session.standardErrorBytes, as: UTF8.self)
      )
    }

    @Test(arguments: [4, 8, 12, 13, 14, 15, 16, 17, 18, 20, 24, 28, 32, 40])
    func `With any number of open files a list is complete or refused with a message`(limit: Int) throws {
      let folder = try Photos.folder(8)
      try folder.write(HandmadeHEIC().bytes, to: "a.heic")
      try folder.write(HandmadeDNG().bytes, to: "b.dng")
      for arguments in [["list", folder.path], ["albums", folder.path], ["info", "\(folder.path)/1.jpg"]] {
        let result = try run(limited: "ulimit -n \(limit)", arguments, home: TemporaryFolder())
        if result.status == .exited(0) {
          // A file that waits for a descriptor is shown with what is known, and reported.
          #expect(result.errors.isEmpty || result.errors.contains("open files; it will be retried later"))
          if limit >= 20 { #expect(result.errors.isEmpty) }
          if arguments[0] == "list" { #expect(result.lines.count == 10) }
        } else {
          #expect(result.status == .exited(2))
          #expect(result.errors.hasPrefix("tpick: ") && result.errors.contains("ulimit -n"))
          #expect(result.lines.isEmpty)
        }
        // What worked before keeps working.
        if limit >= 16 { #expect(result.status == .exited(0), "\(arguments)") }
      }
    }

    @Test(arguments: [12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 28, 32, 36, 40])
    func `With any number of open files the picker starts or is refused with a message`(limit: Int) throws {
      let session = try session(limit, [], in: Photos.folder(8), home: TemporaryFolder())
      try session.waitUntil("the photos, or the end") {
        $0.text.contains("8 photos") || session.exitStatus != nil
      }
      if session.exitStatus == nil {
        // A file that failed for lack of a descriptor is soon retried.
        session.press(.end)
        try session.waitForCursor(on: "8.jpg")
        session.send("q")
        try session.expectExit(.exited(130))
      } else {
        #expect(session.exitStatus == .exited(2))
        #expect(limit < 32)
        #expect(String(decoding: session.standardErrorBytes, as: UTF8.self).contains("ulimit -n"))
      }
      #expect(session.isGivenBack)
    }

    @Test(arguments: [60, 80, 100, 110, 120, 130, 140, 150, 160, 180, 220, 300])
    func `With any amount of memory a list is complete or refused with a message`(megabytes: Int) throws {
      let folder = try Photos.folder(8)
      let result = try run(
        limited: "ulimit -v \(megabytes * 1024)", ["list", folder.path], home: TemporaryFolder())
      switch result.status {
      case .exited(0): #expect(result.lines.count == 8)
      case .exited(2): #expect(result.errors.hasPrefix("tpick: ") && result.errors.contains("ulimit -v"))
      // The kernel or the loader has no memory for the program itself: it does not run.
      default:
        #expect(megabytes < 100 && result.lines.isEmpty)
        #expect(result.status == .signalled(SIGSEGV) || result.errors.contains("shared libraries"))
      }
      if megabytes >= 140 { #expect(result.status == .exited(0)) }
    }

    @Test
    func `Files that are truncated and restored while they are read do no harm, and are shown in the end`()
      throws
    {
      let folder = try Photos.folder(4)
      try folder.write(HandmadeDNG().bytes, to: "raw.dng")
      let names = (1...4).map { "\($0).jpg" } + ["raw.dng"]
      let whole = try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.bytes(of: $0)) })
      let session = try session(1024, [], in: folder, home: TemporaryFolder())
      try session.waitForGrid(5)
      for round in 0..<60 {
        for name in names {
          let bytes = whole[name] ?? []
          // In place, while the file is open.
          try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder.path)/\(name)")).truncate(
            atOffset: UInt64(bytes.count * (round % 4) / 4))
          if round % 2 == 0 { try folder.write(bytes, to: "\(name).part") }
          if round % 2 == 0 {
            try folder.rename("\(name).part", to: name)
          } else {
            try folder.write(bytes, to: name)
          }
        }
        session.press(round % 2 == 0 ? .right : .left)
      }
      try session.waitUntil("all pictures", timeout: 120) { screen in
        screen.pictureAreas.count >= 5 && !screen.text.contains("✕") && !screen.text.contains("⋯")
      }
      session.send("q")
      try session.expectExit(.exited(130))
    }
  }
}
