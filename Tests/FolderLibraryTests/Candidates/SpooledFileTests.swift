import AssetLibrary
import Fixtures
import Glibc
import SystemPackage
import Testing

@testable import FolderLibrary

@Suite struct SpooledFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Spools a file of the folder as if it were standard input.
  private func spool(
    _ bytes: [UInt8], limit: Int = 1 << 20, in places: [FilePath]? = nil
  ) throws -> SpooledFile {
    try folder.write(bytes, to: "stream")
    let input = try FileDescriptor.open(folder.filePath(of: "stream"), .readOnly)
    return try input.closeAfter {
      try SpooledFile(reading: input.rawValue, limit: limit, folders: places ?? [folder.filePath])
    }
  }

  private func contents(of file: SpooledFile) throws -> [UInt8] {
    let reading = try FileDescriptor.open(file.path, .readOnly)
    return try reading.closeAfter {
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      let count = try buffer.withUnsafeMutableBytes { try reading.read(into: $0) }
      return Array(buffer[..<count])
    }
  }

  @Test(arguments: [1, 5, 1 << 18, 1 << 18 | 1, 700_000])
  func `Spooled bytes can be read, and the file has no name`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try spool(bytes)
    #expect(try contents(of: file) == bytes)
    #expect(try contents(of: file) == bytes)
    #expect(try folder.names == ["stream"])
    // The descriptor is not inherited by child processes.
    let number = try #require(Int32(file.path.lastComponent?.string ?? ""))
    #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func `Input that arrives in pieces is spooled to its end`() throws {
    let pipe = try InputPipe()
    try pipe.write("one ")
    try pipe.write("two")
    pipe.end()
    let file = try SpooledFile(reading: pipe.reading.rawValue, limit: 100, folders: [folder.filePath])
    #expect(try contents(of: file) == Array("one two".utf8))
  }

  @Test func `Empty input, oversized input, a full disk and a missing stream are reported`() throws {
    #expect(throws: AssetError("standard input", "is empty; a picture is expected")) { try spool([]) }
    #expect(throws: AssetError("standard input", "is larger than 1 MiB; save it to a file first")) {
      try spool([UInt8](repeating: 1, count: 1 << 20 | 1))
    }
    #expect(try contents(of: spool([UInt8](repeating: 1, count: 1 << 20))).count == 1 << 20)
    let gone = folder.filePath(of: "gone")
    #expect(
      throws: AssetError(
        "standard input",
        "there is no space to store it (\(gone): No such file or directory); set TMPDIR to a folder with enough space, or save it to a file first"
      )
    ) { try spool([1], in: [gone, gone]) }
    let input = try FileDescriptor.open(folder.filePath, .readOnly)
    defer { try? input.close() }
    #expect(throws: AssetError("standard input", "Is a directory")) {
      try SpooledFile(reading: input.rawValue, limit: 1, folders: [folder.filePath])
    }
    #expect(try folder.names == ["stream"])
  }

  @Test func `A spool folder that is missing or not writable is skipped`() throws {
    let bytes = [UInt8](repeating: 7, count: 700_000)
    let file = folder.filePath(of: "stream")
    let spooled = try spool(bytes, in: [folder.filePath(of: "gone"), file, "/proc", folder.filePath])
    #expect(try contents(of: spooled) == bytes)
    #expect(spooled.refusals.map(\.subject) == ["\(folder.path)/gone", file.string, "/proc"])
    #expect(try spool(bytes).refusals.isEmpty)
  }
}

extension TemporaryFolder {
  /// Names of the files in the folder.
  fileprivate var names: [String] {
    get throws {
      let entries = try OpenFolder(filePath).entries().files
      return entries.indices.map { String(decoding: entries[$0], as: UTF8.self) }
    }
  }
}
