import Fixtures
import RemoteServers
import TestTerminal
import Testing

extension EndToEnd {
  /// Messages when a server can't be used: in words, with a status, and soon.
  @Suite(.enabled(if: RemoteServer.Kind.hasRclone, RemoteServer.Kind.rcloneIsMissing))
  struct RemoteMessageTests {
    private static func photo(in folder: TemporaryFolder) throws {
      try folder.write(try TestPhoto(width: 64, height: 48, date: .day(1)).bytes(), to: "Photos/1.jpg")
    }

    @Test(arguments: [RemoteServer.Kind.webdav, .sftp])
    func `A wrong password is reported`(kind: RemoteServer.Kind) throws {
      let library = try ServedLibrary(kind) { try Self.photo(in: $0) }
      let other = try RemoteServer(kind, serving: library.folder.path)
      let home = try RemoteHome(other.configuration(name: "nas", port: library.server.port))
      let result = try home.run("list", library.source)
      #expect(result.status == .exited(2))
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("\(library.source): access denied"), "\(result.errors)")
      #expect(!result.errors.contains(other.password))
    }

    /// S3 has no folders, and reports any name as empty; WebDAV does so for a file.
    @Test(arguments: [
      (RemoteServer.Kind.alias, "notes.txt"), (.alias, "none"), (.alias, "none.jpg"), (.sftp, "notes.txt"),
      (.sftp, "none"), (.webdav, "none"), (.webdav, "none.jpg"),
    ])
    func `A path that is no folder and no photo is reported`(kind: RemoteServer.Kind, name: String) throws {
      let library = try ServedLibrary(kind) { folder in
        try Self.photo(in: folder)
        try folder.write(Array("x".utf8), to: "\(RemotePhotos.folder)/notes.txt")
      }
      let source = "\(library.source)/\(name)"
      let result = try library.home.run("list", source)
      #expect(result.status == .exited(2), "\(source): \(result.errors)")
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("tpick: \(source): "), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(!result.errors.contains(library.folder.path), "\(result.errors)")
    }

    @Test func `Without rclone local photos are listed, and the gap is reported`() throws {
      let library = try ServedLibrary(.alias) { try Self.photo(in: $0) }
      let none = ["PATH": "/nonexistent", "TPICK_RCLONE": "/nonexistent/rclone"]
      let alone = try library.home.run(["list", library.source], environment: none)
      #expect(alone.status == .exited(2))
      #expect(alone.errors.contains("rclone"), "\(alone.errors)")
      let mixed = try library.home.run(["list", library.local, library.source], environment: none)
      #expect(mixed.status == .exited(0))
      #expect(mixed.lines == ["\(library.local)/1.jpg"])
      #expect(mixed.errors == alone.errors)
    }

    @Test(arguments: [Fault.answer(status: 500), .answer(status: 403), .cut(afterBytes: 0)])
    func `A server that only fails is given up`(fault: Fault) throws {
      let library = try ServedLibrary(.webdav) { try Self.photo(in: $0) }
      library.proxy?.script = .always(fault)
      let result = try library.home.run("list", library.source)
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("tpick: \(library.source): "))
    }
  }
}
