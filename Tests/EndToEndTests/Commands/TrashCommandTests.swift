import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// `tpick trash`: deleted and restored files, errors, and the access of clients.
  @Suite struct TrashCommandTests {
    private let folder: TemporaryFolder
    private let home: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      home = try TemporaryFolder()
    }

    private var environment: [String: String] {
      [
        "XDG_STATE_HOME": "\(home.path)/state", "XDG_CACHE_HOME": "\(home.path)/cache",
        "XDG_DATA_HOME": "\(home.path)/data", "XDG_PICTURES_DIR": folder.path,
      ]
    }

    private func trash(_ arguments: String...) throws -> Program.Output {
      try Program.run(["trash"] + arguments, environment: environment)
    }

    /// Runs `tpick trash` without a terminal.
    private func trashWithoutTerminal(_ arguments: String...) throws -> String {
      let settings = environment.map { "\($0.key)=\($0.value)" } + ["LC_ALL=C.UTF-8"]
      return try Consumer.text(
        ["env"] + settings + ["setsid", "-w", Program.path, "trash"] + arguments, acceptsFailure: true,
        readsErrors: true)
    }

    private struct Document: Decodable {
      struct File: Decodable {
        var path: String
        var deletionDate: String?
        var trashPath: String?
        var size: Int?
      }
      var dryRun: Bool?
      var files: [File]
    }

    private func document(_ output: Program.Output) throws -> Document {
      #expect(try SchemaValidator.problems(of: output.output, "trashDocument") == "")
      return try JSONDecoder().decode(Document.self, from: Data(output.output))
    }

    private func names(_ name: String = "") -> Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(name)")) ?? [])
    }

    /// Writes an edited photo of five files, and other photos next to it.
    private func writePhoto() throws {
      let photo = try TestPhoto(width: 8, height: 6).bytes()
      for name in ["IMG_0001.JPG", "IMG_E0001.JPG", "IMG_0002.JPG", "other/IMG_0001.JPG"] {
        try folder.write(photo, to: name)
      }
      for name in ["IMG_0001.AAE", "IMG_0001.xmp", "IMG_0002.xmp"] {
        try folder.write(
          Array(
            (name.hasSuffix("xmp")
              ? "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/></x:xmpmeta>"
              : "<plist/>").utf8), to: name)
      }
      try folder.write(Array("notes".utf8), to: "IMG_0001.txt")
    }

    private static let parts = ["IMG_0001.JPG", "IMG_E0001.JPG", "IMG_0001.AAE", "IMG_0001.xmp"]

    @Test func `All files of a photo are moved to the trash and restored together`() throws {
      try writePhoto()
      let all = names()
      let put = try trash("put", "\(folder.path)/IMG_0001.JPG")
      #expect(put.status == .exited(0), "\(put.errors)")
      #expect(Set(put.lines) == Set(Self.parts.map { "\(folder.path)/\($0)" }))
      #expect(names() == all.subtracting(Self.parts))
      #expect(names("other") == ["IMG_0001.JPG"])
      #expect(try Set(trash("list", folder.path).lines) == Set(put.lines))
      #expect(try Program.run(["list", folder.path], environment: environment).lines.count == 2)
      // Any of its files can be named.
      let back = try trash("restore", "\(folder.path)/IMG_0001.AAE")
      #expect(back.status == .exited(0), "\(back.errors)")
      #expect(Set(back.lines) == Set(put.lines))
      #expect(names() == all)
      for arguments in [["list", folder.path], ["empty", "--force", folder.path]] {
        let none = try Program.run(["trash"] + arguments, environment: environment)
        #expect(none.status == .exited(1) && none.output.isEmpty, "\(arguments)")
      }
    }

    @Test func `A file is restored by its path in the trash, and its folder is made again`() throws {
      try writePhoto()
      let put = try document(trash("put", "--format", "json", "\(folder.path)/other/IMG_0001.JPG"))
      folder.remove("other")
      let back = try trash("restore", try #require(put.files.first?.trashPath))
      #expect(back.status == .exited(0), "\(back.errors)")
      #expect(back.lines == ["\(folder.path)/other/IMG_0001.JPG"] && names("other") == ["IMG_0001.JPG"])
    }

    @Test func `Of many photos those that can't come back stay in the trash, and the others come back`()
      throws
    {
      try writePhoto()
      let photos = ["IMG_0001.JPG", "other/IMG_0001.JPG", "IMG_0002.JPG"].map { "\(folder.path)/\($0)" }
      let all = names()
      #expect(try Program.run(["trash", "put"] + photos, environment: environment).lines.count == 7)
      try folder.write([1], to: "IMG_0001.xmp")
      let back = try Program.run(["trash", "restore"] + photos, environment: environment)
      #expect(back.status == .exited(2))
      #expect(back.errors.contains("IMG_0001.xmp: something else is there now"), "\(back.errors)")
      #expect(back.lines.count == 3 && names("other") == ["IMG_0001.JPG"])
      #expect(names() == all.subtracting(Self.parts).union(["IMG_0001.xmp"]))
      #expect(try folder.bytes(of: "IMG_0001.xmp") == [1])
      #expect(try Set(trash("list").lines) == Set(Self.parts.map { "\(folder.path)/\($0)" }))
    }

    @Test(.enabled(if: MountedDisk.isAllowed, "mounting is not allowed here"))
    func `Photos on a read-only disk stay, with a message, and others go to the trash of their disk`() throws
    {
      try writePhoto()
      let disk = try #require(MountedDisk(in: folder, "size=1m"))
      for name in ["a", "b"] {
        try folder.write(TestPhoto(width: 8, height: 6).bytes(), to: "disk/\(name).jpg")
      }
      let own = try trash("put", "\(disk.place)/a.jpg", "\(folder.path)/other/IMG_0001.JPG")
      #expect(own.status == .exited(0), "\(own.errors)")
      #expect(names("disk/.Trash-\(geteuid())/files") == ["a.jpg"])
      let inHome = try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/data/Trash/files")
      #expect(inHome == ["IMG_0001.JPG"])
      try disk.remount(folder, "ro")
      let refused = try trash("put", "\(folder.path)/IMG_0002.JPG", "\(disk.place)/b.jpg")
      #expect(refused.status == .exited(2))
      #expect(refused.errors.contains("b.jpg: lies on a read-only file system"), "\(refused.errors)")
      #expect(Set(refused.lines) == ["\(folder.path)/IMG_0002.JPG", "\(folder.path)/IMG_0002.xmp"])
      #expect(names("disk").contains("b.jpg") && !names().contains("IMG_0002.JPG"))
      #expect(try trash("list").lines.contains("\(disk.place)/a.jpg"))
      extendLifetime(disk)
    }

    @Test(arguments: ["Recently Deleted", "recently deleted", "smart.recentlyDeleted"])
    func `Deleted photos are not listed by the name of their album, and the error names tpick trash`(
      name: String
    ) throws {
      try writePhoto()
      #expect(try trash("put", "\(folder.path)/IMG_0002.JPG").status == .exited(0))
      let listed = try Program.run(["list", "--album", name, folder.path], environment: environment)
      #expect(listed.status == .exited(2) && listed.output.isEmpty)
      #expect(listed.errors.contains("tpick trash restore"), "\(listed.errors)")
      let albums = try Program.run(["albums", folder.path], environment: environment)
      #expect(albums.status == .exited(0) && !albums.lines.contains { $0.contains("Recently Deleted") })
      // A folder of that name is an album like others.
      try folder.write(TestPhoto(width: 8, height: 6).bytes(), to: "Recently Deleted/1.jpg")
      let own = try Program.run(
        ["list", "--album", "Recently Deleted", folder.path], environment: environment)
      #expect(own.lines == ["\(folder.path)/Recently Deleted/1.jpg"], "\(own.errors)")
    }

    @Test func `A dry run changes nothing and prints the same files`() throws {
      try writePhoto()
      let all = names()
      let answer = try document(trash("put", "--dry-run", "--format", "json", "\(folder.path)/IMG_0002.JPG"))
      #expect(answer.dryRun == true && answer.files.allSatisfy { $0.trashPath == nil })
      #expect(
        Set(answer.files.map(\.path)) == ["\(folder.path)/IMG_0002.JPG", "\(folder.path)/IMG_0002.xmp"])
      #expect(names() == all)
      let put = try document(trash("put", "--format", "json", "\(folder.path)/IMG_0002.JPG"))
      #expect(put.dryRun == nil && put.files.map(\.path) == answer.files.map(\.path))
      for file in put.files {
        #expect(
          try FileManager.default.attributesOfItem(atPath: #require(file.trashPath))[.size] as? Int
            == file.size)
      }
      for action in ["restore", "empty"] {
        let place = action == "empty" ? folder.path : "\(folder.path)/IMG_0002.JPG"
        let dry = try document(trash(action, "--dry-run", "--format", "json", place))
        #expect(Set(dry.files.map(\.path)) == Set(put.files.map(\.path)) && dry.dryRun == true)
      }
      #expect(try document(trash("list", "--format", "json", folder.path)).files.count == 2)
    }

    @Test func `The list contains photos from the given folders, and emptying erases only these`() throws {
      try writePhoto()
      let elsewhere = try TemporaryFolder()
      try elsewhere.write(try TestPhoto(width: 8, height: 6).bytes(), to: "x.jpg")
      _ = try trash(
        "put", "\(folder.path)/IMG_0002.JPG", "\(folder.path)/other/IMG_0001.JPG", "\(elsewhere.path)/x.jpg")
      // A file that another program deleted, and that is not a photo.
      try home.write(
        Array("[Trash Info]\nPath=\(folder.path)/letter.txt\n".utf8),
        to: "data/Trash/info/letter.txt.trashinfo")
      try home.write([1], to: "data/Trash/files/letter.txt")
      // Without a folder, files from the library are listed.
      #expect(try trash("list").lines.count == 3)
      #expect(try trash("list", "\(folder.path)/other").lines == ["\(folder.path)/other/IMG_0001.JPG"])
      let refused = try trashWithoutTerminal("empty", folder.path)
      #expect(refused.contains("--force"))
      #expect(try trash("list").lines.count == 3)
      let session = try TerminalSession(
        Program.path, ["trash", "empty", folder.path], environment: Program.environment(environment))
      try session.waitForText("Delete 3 files")
      session.send("n\r")
      try session.expectExit(.exited(1))
      #expect(try trash("list").lines.count == 3)
      let emptied = try trash("empty", "--force")
      #expect(emptied.status == .exited(0) && emptied.lines.count == 3)
      #expect(try trash("list").lines.isEmpty)
      #expect(try trash("list", elsewhere.path).lines == ["\(elsewhere.path)/x.jpg"])
      #expect(FileManager.default.fileExists(atPath: "\(home.path)/data/Trash/files/letter.txt"))
    }

    @Test func `With read-only in the configuration nothing is deleted or restored`() throws {
      try writePhoto()
      _ = try trash("put", "\(folder.path)/IMG_0001.JPG")
      let config = "\(home.path)/config.toml"
      try home.write(Array("read-only = true\n".utf8), to: "config.toml")
      let all = names()
      for arguments in [
        ["put", "\(folder.path)/IMG_0002.JPG"], ["restore", "\(folder.path)/IMG_0001.JPG"],
        ["empty", "--force", folder.path],
      ] {
        let result = try Program.run(["trash"] + arguments + ["--config", config], environment: environment)
        #expect(result.status == .exited(2) && result.errors.contains("read-only"), "\(arguments)")
      }
      #expect(names() == all)
      #expect(try trash("list", folder.path).lines.count == 4)
    }

    @Test(arguments: ["read-only = true\nbell =", "read-only = \"yes\""])
    func `While the configuration can't be read nothing is deleted, with the reason`(text: String) throws {
      try writePhoto()
      try home.write(Array(text.utf8), to: "config/tpick/config.toml")
      let all = names()
      let variables = environment.merging(["XDG_CONFIG_HOME": "\(home.path)/config"]) { $1 }
      let file = "\(folder.path)/IMG_0001.JPG"
      for command in [["trash", "put"], ["mark", "--favorite"], ["albums", "create"]] {
        let refused = try Program.run(command + [file], environment: variables)
        #expect(refused.status == .exited(2), "\(command)")
        #expect(refused.errors.contains("config.toml: ") && refused.errors.contains("nothing was changed"))
      }
      #expect(names() == all)
      let put = try Program.run(["trash", "put", "--no-config", file], environment: variables)
      #expect(put.status == .exited(0) && names() != all)
    }

    @Test func `Of several files from one path the last is restored, and nothing is overwritten`() throws {
      let photo = try TestPhoto(width: 8, height: 6).bytes()
      for extra in 0..<2 {
        try folder.write(photo + [UInt8](repeating: 0, count: extra), to: "a.jpg")
        _ = try trash("put", "\(folder.path)/a.jpg")
      }
      try folder.write([1], to: "a.jpg")
      let occupied = try trash("restore", "\(folder.path)/a.jpg")
      #expect(occupied.status == .exited(2) && occupied.errors.contains("a.jpg: something else is there now"))
      #expect(try folder.bytes(of: "a.jpg") == [1])
      #expect(try trash("list").lines.count == 2)
      // Even if both were deleted in the same second.
      for extra in [1, 0] {
        folder.remove("a.jpg")
        let back = try trash("restore", "\(folder.path)/a.jpg")
        #expect(back.lines == ["\(folder.path)/a.jpg"], "\(back.errors)")
        #expect(try folder.bytes(of: "a.jpg").count == photo.count + extra)
      }
      #expect(try trash("list").lines.isEmpty)
    }

    @Test func `Folders, missing files and other files than photos are reported, the rest is deleted`() throws
    {
      try writePhoto()
      let result = try trash(
        "put", "\(folder.path)/IMG_0001.txt", "\(folder.path)/other", "\(folder.path)/none.jpg",
        "\(folder.path)/IMG_0002.JPG")
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("IMG_0001.txt: not a picture or video"))
      #expect(result.errors.contains("other: is a folder"))
      #expect(result.errors.contains("none.jpg"))
      #expect(result.lines.count == 2)
      #expect(names("other").count == 1 && names().contains("IMG_0001.txt"))
    }

    @Test func `A name with a line break requires NUL for output and input`() throws {
      try folder.write(try TestPhoto(width: 8, height: 6).bytes(), to: "a\nb.jpg")
      let refused = try trash("put", "\(folder.path)/a\nb.jpg")
      #expect(refused.status == .exited(2) && refused.errors.contains("--print0"))
      #expect(names() == ["a\nb.jpg"])
      let put = try trash("put", "-0", "\(folder.path)/a\nb.jpg")
      #expect(put.output == Array("\(folder.path)/a\nb.jpg\0".utf8))
      #expect(try trash("list").status == .exited(2))
      let listed = try trash("list", "-0")
      #expect(listed.output == put.output)
      let back = try Program.run(
        rawArguments: ["trash", "restore", "--read0", "-0", "-"].map { Array($0.utf8) },
        environment: environment,
        input: .bytes(listed.output))
      #expect(back.status == .exited(0) && names() == ["a\nb.jpg"])
    }

    @Test func `A client deletes only visible photos, after consent, and nothing with only save access`()
      throws
    {
      try writePhoto()
      let all = names()
      func grant(_ arguments: String...) throws {
        let result = try Program.run(
          ["access", "grant", "--client", "cleaner"] + arguments, environment: environment)
        #expect(result.status == .exited(0))
      }
      let client = ["--client", "cleaner", "--purpose", "clean up"]
      let undecided = try Program.run(
        ["trash", "put"] + client + ["\(folder.path)/IMG_0002.JPG"], environment: environment)
      #expect(undecided.status == .exited(77))
      try grant("--level", "addOnly")
      let addOnly = try Program.run(
        ["trash", "put"] + client + ["\(folder.path)/IMG_0002.JPG"], environment: environment)
      #expect(addOnly.status == .exited(77))
      try grant("--allow", "\(folder.path)/IMG_0002.JPG")
      let unseen = try Program.run(
        ["trash", "put"] + client + ["\(folder.path)/IMG_0001.JPG"], environment: environment)
      #expect(unseen.status == .exited(2) && unseen.errors.contains("not a picture or video"))
      let settings = environment.map { "\($0.key)=\($0.value)" }
      let alone = try Consumer.text(
        ["env"] + settings + ["setsid", "-w", Program.path, "trash", "put"] + client + [
          "\(folder.path)/IMG_0002.JPG"
        ],
        acceptsFailure: true, readsErrors: true)
      #expect(alone.contains("no terminal to ask on"))
      #expect(names() == all)
      for (answer, status) in [("n\r", 77), ("y\r", 0)] {
        let session = try TerminalSession(
          Program.path, ["trash", "put"] + client + ["\(folder.path)/IMG_0002.JPG"],
          environment: Program.environment(environment))
        try session.waitForText("cleaner wants to delete 1 photo (2 files)")
        try session.waitForText("IMG_0002.JPG")
        session.send(answer)
        try session.expectExit(.exited(Int32(status)))
        #expect(names() == (status == 0 ? all.subtracting(["IMG_0002.JPG", "IMG_0002.xmp"]) : all))
      }
    }
  }
}
