import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// Commands that change the library and are killed, or interrupted, at random system calls.
  ///
  /// strace sends the signal when the call with a number starts. Afterwards nothing may be lost or half done, and the
  /// next command works.
  @Suite(.enabled(if: Consumer.canTrace, "strace is not installed, or tracing is not allowed here"))
  struct KilledChangeTests {
    private let folder: TemporaryFolder
    private let home: TemporaryFolder
    private let card: TemporaryFolder
    /// The bytes of each photo's file, by its name.
    private var contents: [String: [UInt8]] = [:]

    init() throws {
      (folder, home, card) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
      for number in 1...6 {
        let bytes = try TestPhoto(width: 32, height: 24 + 2 * number, date: .day(number)).bytes()
        contents["\(number).jpg"] = bytes
      }
      // One photo of two files.
      contents["IMG_0007.JPG"] = try TestPhoto(width: 40, height: 30, date: .day(7)).bytes()
      contents["IMG_E0007.JPG"] = try TestPhoto(width: 42, height: 30, date: .day(7)).bytes()
      for (name, bytes) in contents { try folder.write(bytes, to: name) }
      contents["new.jpg"] = try TestPhoto(width: 64, height: 48, date: .day(9)).bytes()
      try card.write(contents["new.jpg"] ?? [], to: "new.jpg")
    }

    private var environment: [String: String] {
      [
        "XDG_STATE_HOME": "\(home.path)/state", "XDG_CACHE_HOME": "\(home.path)/cache",
        "XDG_DATA_HOME": "\(home.path)/data", "XDG_CONFIG_HOME": "\(home.path)/config",
        "XDG_PICTURES_DIR": folder.path,
      ]
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func tpick(_ arguments: [String]) throws -> Program.Output {
      try Program.run(arguments, environment: environment)
    }

    /// The system calls that change files.
    private static let calls =
      "openat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,write,pwrite64,fsync"
      + ",fdatasync,ftruncate,fchmod,utimensat,copy_file_range,ioctl"

    /// Runs a command that gets a signal when one of its threads makes the call with a number.
    private func interrupt(_ arguments: [String], _ signal: String, at number: Int) throws {
      let settings = environment.map { "\($0.key)=\($0.value)" } + ["LC_ALL=C.UTF-8"]
      _ = try Consumer.run(
        ["env"] + settings + [
          "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(Self.calls)", "-e",
          "inject=\(Self.calls):signal=\(signal):when=\(number)", Program.path,
        ] + arguments, acceptsFailure: true)
    }

    /// The names of the files in a folder that are not hidden.
    private func names(_ path: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }
    }

    /// Checks that each file is whole, in one of two places, and in the trash with its note.
    private func checkFiles(_ comment: String) throws {
      var found: [[UInt8]: Int] = [:]
      let trash = "\(home.path)/data/Trash"
      let inTrash = names("\(trash)/files")
      for file in names(folder.path).map(path) + inTrash.map({ "\(trash)/files/\($0)" }) {
        found[Array(try Data(contentsOf: URL(filePath: file))), default: 0] += 1
      }
      for (name, bytes) in contents where name != "new.jpg" {
        #expect(found[bytes] == 1, "\(name): \(comment)")
        found[bytes] = nil
      }
      // The photo that was being added is there as a whole, or not at all.
      found[contents["new.jpg"] ?? []] = nil
      #expect(found.isEmpty, "\(comment): \(found.keys.map(\.count))")
      for name in inTrash {
        #expect(
          FileManager.default.fileExists(atPath: "\(trash)/info/\(name).trashinfo"), "\(name): \(comment)")
      }
    }

    /// The files of the photo that has two.
    private var pair: Set<String> { ["IMG_0007.JPG", "IMG_E0007.JPG"] }

    @Test func `Photos that are deleted although one of them could not be moved at first stay deleted`()
      throws
    {
      let settings = environment.map { "\($0.key)=\($0.value)" } + ["LC_ALL=C.UTF-8"]
      let deleted = ["1.jpg", "2.jpg", "3.jpg"]
      // All at once fails at the second one; then each is moved alone.
      let output = try Consumer.text(
        ["env"] + settings + [
          "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat2", "-e",
          "inject=renameat2:error=EACCES:when=2", Program.path, "trash", "put",
        ] + deleted.map(path))
      #expect(output.split(separator: "\n").map(String.init) == deleted.map(path))
      let listed = try tpick(["list", folder.path])
      #expect(listed.errors.isEmpty && !listed.lines.contains { deleted.map(path).contains($0) })
      #expect(names("\(home.path)/data/Trash/files").sorted() == deleted)
      #expect(!names("\(home.path)/data/tpick").contains { $0.hasPrefix("moves-") })
    }

    @Test(arguments: ["KILL", "INT"], [1, 2, 3] as [UInt64])
    func `A command that is ended at any system call loses nothing and does nothing by halves`(
      signal: String, seed: UInt64
    ) throws {
      var random = SeededGenerator(seed: seed)
      let order = ["3.jpg", "IMG_E0007.JPG", "1.jpg", "5.jpg"]
      #expect(try tpick(["albums", "add", "--create", "A"] + order.map(path)).status == .exited(0))
      let identifiers = try tpick(["list", "--format", "ids", folder.path]).lines.sorted()
      for _ in 0..<10 {
        let commands: [[String]] = [
          ["mark", "--favorite", path("2.jpg"), path("4.jpg")],
          ["mark", "--no-favorite", path("2.jpg"), path("4.jpg")],
          ["albums", "add", "A", path("2.jpg"), path("6.jpg")],
          ["albums", "remove", "A", path("2.jpg"), path("6.jpg")],
          ["trash", "put", path("IMG_E0007.JPG"), path("1.jpg")],
          ["trash", "restore", path("IMG_E0007.JPG"), path("1.jpg")],
          ["mark", "--revert", path("IMG_E0007.JPG")],
          ["add", "--album", "A", "\(card.path)/new.jpg"],
        ]
        let command = commands.randomElement(using: &random) ?? []
        if command.prefix(2) == ["trash", "restore"] {
          _ = try tpick(["trash", "put", path("IMG_E0007.JPG"), path("1.jpg")])
        }
        let number = Int.random(in: 1...45, using: &random)
        try interrupt(command, signal, at: number)
        let comment = "\(command.prefix(2)) at call \(number)"
        try checkFiles(comment)
        // The next start repairs what was left: no photo has one of its files here and the other in the trash.
        #expect(try tpick(["list", folder.path]).status == .exited(0), "\(comment)")
        try checkFiles(comment)
        let trashed = Set(names("\(home.path)/data/Trash/files"))
        let isReverted = command[1] == "--revert" && trashed == ["IMG_E0007.JPG"]
        #expect(isReverted || trashed.isDisjoint(with: pair) || trashed.isSuperset(of: pair), "\(comment)")
        #expect(
          try !FileManager.default.contentsOfDirectory(atPath: "\(home.path)/data/tpick").contains {
            $0.hasPrefix("moves-")
          }, "\(comment)")
        // The next command works, whatever was left behind: everything comes back from the trash.
        for file in try tpick(["trash", "list", folder.path]).lines {
          let back = try tpick(["trash", "restore", file])
          #expect(
            back.status == .exited(0) || back.errors.contains("not in the trash"),
            "\(comment): \(back.errors)")
        }
        try checkFiles(comment)
        #expect(names("\(home.path)/data/Trash/files").isEmpty, "\(comment)")
        // Marks and albums of one command are made together.
        let favorites = try tpick(["list", "-f", "favorites", folder.path]).lines
        #expect([[], [path("4.jpg"), path("2.jpg")]].contains(favorites), "\(comment): \(favorites)")
        let album = try tpick(["list", "--album", "A", folder.path])
        #expect(album.status == .exited(0), "\(comment): \(album.errors)")
        #expect(Array(album.lines.prefix(4)) == order.map(path), "\(comment): \(album.lines)")
        let added = album.lines.dropFirst(4).filter { !$0.hasSuffix("/new.jpg") }
        #expect([[], [path("2.jpg"), path("6.jpg")]].contains(added), "\(comment): \(album.lines)")
        let new = try tpick(["list", "--format", "ids", folder.path])
        #expect(new.status == .exited(0) && Set(new.lines).isSuperset(of: identifiers), "\(comment)")
      }
    }
  }
}
