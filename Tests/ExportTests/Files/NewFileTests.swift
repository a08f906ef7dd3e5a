import AssetLibrary
import CPlatform
import Fixtures
import Foundation
import SystemPackage
import Testing

@testable import Export
import Glibc

/// The bytes of resources, completely or not at all.
@Suite struct NewFileTests {
  @Test func `Data arrives in order, in chunks of limited size`() throws {
    var (bytes, largest, told): ([UInt8], Int, Int) = ([], 0, 0)
    let asset = ScriptedStore.asset(("a.jpg", 3_500_000))
    try AssetResourceManager(ScriptedStore()).readData(for: asset.resources[0], progress: { told += $0 }) {
      bytes += $0
      largest = max(largest, $0.count)
    }
    #expect(bytes == (0..<3_500_000).map { UInt8(truncatingIfNeeded: $0) })
    #expect(largest <= 1 << 20 && told == 3_500_000)
  }

  @Test func `The receiver can cancel`() throws {
    let asset = ScriptedStore.asset(("a.jpg", 3_500_000))
    var count = 0
    #expect(throws: AssetError("a.jpg", "enough")) {
      try AssetResourceManager(ScriptedStore()).readData(for: asset.resources[0]) { _ throws(AssetError) in
        count += 1
        throw AssetError("a.jpg", "enough")
      }
    }
    #expect(count == 1)
  }

  @Test func `A resource is written under its name unless that is taken`() throws {
    let folder = try TemporaryFolder()
    let target = try TargetFolder(FilePath(folder.path))
    let manager = AssetResourceManager(ScriptedStore())
    let resource = ScriptedStore.asset(("a.jpg", 5)).resources[0]
    #expect(try manager.writeData(for: resource, to: Array("x".utf8), in: target))
    #expect(try !manager.writeData(for: resource, to: Array("x".utf8), in: target))
  }

  @Test(arguments: ["", "x\0y", "\0", "x/y", "/x"])
  func `A name that C would truncate, or that denotes a folder, is rejected`(name: String) throws {
    let folder = try TemporaryFolder()
    let target = try TargetFolder(FilePath(folder.path))
    let resource = ScriptedStore.asset(("a.jpg", 5)).resources[0]
    let error = #expect(throws: AssetError.self) {
      try AssetResourceManager(ScriptedStore()).writeData(for: resource, to: Array(name.utf8), in: target)
    }
    #expect(error?.reason == "not copied to \(folder.path): Invalid argument")
    #expect(access("\(folder.path)/x", F_OK) != 0)
  }

  @Test func `A file of the folder is closed after it was examined`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "a")
    let own = try #require(FileNumber(of: FilePath("\(folder.path)/a")))
    var seen: Int32 = -1
    let answer = try TargetFolder(FilePath(folder.path)).withFile(Array("a".utf8)) { descriptor in
      seen = descriptor
      return true
    }
    // Another test may have a file under its number by now.
    var facts = stat()
    #expect(answer && (fstat(seen, &facts) != 0 || FileNumber(facts) != own))
  }

  /// A folder on another disk than that of temporary files, if there is one.
  private static let otherDisk: String? = {
    var (here, there) = (stat(), stat())
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    guard stat(temporary, &here) == 0, stat("/dev/shm", &there) == 0, access("/dev/shm", W_OK) == 0 else {
      return nil
    }
    return here.st_dev == there.st_dev ? nil : "/dev/shm"
  }()

  @Test(
    .enabled(if: otherDisk != nil, "there is only one disk"), arguments: [true, false], [true, false])
  func `A file gets its name in a folder on another disk as well, with its date and permissions`(
    isUnnamed: Bool, replaces: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let path = "\(try #require(Self.otherDisk))/tpick-test-\(UInt64.random(in: 0 ... .max))"
    let other = try TargetFolder(FilePath(path))
    defer { for name in ["taken", "free", ""] { remove("\(path)/\(name)") } }
    let bytes = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let original = open(String(decoding: try folder.write([1], to: "a"), as: UTF8.self), O_RDONLY | O_CLOEXEC)
    defer { close(original) }
    fchmod(original, 0o640)
    futimens(original, [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)])
    close(open("\(path)/taken", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))

    try folder.makeFolder("out")
    let file = try NewFile(
      in: try TargetFolder(FilePath("\(folder.path)/out")), for: "a", isUnnamed: isUnnamed)
    #expect(write(file.descriptor, bytes, bytes.count) == bytes.count)
    try file.finish(like: FileTraits(original))
    if !replaces { #expect(try !file.place(as: Array("taken".utf8), in: other)) }
    let name = replaces ? "taken" : "free"
    #expect(try file.place(as: Array(name.utf8), in: other, replaces: replaces))

    let copy = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    defer { close(copy) }
    var read = [UInt8](repeating: 0, count: bytes.count + 1)
    #expect(pread(copy, &read, read.count, 0) == bytes.count && read.dropLast() == bytes[...])
    var facts = stat()
    #expect(fstat(copy, &facts) == 0 && facts.st_mode & 0o777 == 0o640 && facts.st_mtim.tv_sec == 1_000_000)
    #expect(other.entry(Array("taken".utf8)) != nil)
    // Nothing else remains in either folder.
    #expect(rmdir("\(folder.path)/out") == 0)
  }

  @Test func `A hidden file gets its name once, and never replaces another`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "from")
    try folder.write([2], to: "taken")
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    #expect(file_rename_new(descriptor, "from", descriptor, "taken") == -1 && errno == EEXIST)
    #expect(file_rename_new(descriptor, "from", descriptor, "to") == 0)
    #expect(access("\(folder.path)/to", F_OK) == 0 && access("\(folder.path)/from", F_OK) != 0)
  }

  @Test func `An unfinished file reports its temporary name until it has its own`() throws {
    let folder = try TemporaryFolder()
    let target = try TargetFolder(FilePath(folder.path))
    do {
      let file = try NewFile(in: target, for: "a.jpg", isUnnamed: false)
      let hidden = try #require(file.hiddenPath)
      #expect(hidden.removingLastComponent() == target.path && access(hidden.string, F_OK) == 0)
      #expect(try file.place(as: Array("a.jpg".utf8)))
      #expect(file.hiddenPath == nil && access(hidden.string, F_OK) != 0)
    }
    var left: FilePath?
    do {
      let file = try NewFile(in: target, for: "b.jpg", isUnnamed: false)
      left = file.hiddenPath
    }
    #expect(access(try #require(left).string, F_OK) != 0)
  }

  @Test func `No folder is created for a file in a missing one`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: AssetError.self) { try TargetFolder(FilePath("\(folder.path)/gone"), mode: nil) }
    #expect(access("\(folder.path)/gone", F_OK) != 0)
  }

  /// The umask is per process: while one thread changes it, files of other threads get wrong permissions.
  @Test func `Only the start of a popup's guest changes the umask`() throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var setting: [String] = []
    for case let file as URL in files where ["swift", "c", "h"].contains(file.pathExtension) {
      let text = try String(contentsOf: file, encoding: .utf8)
      if text.contains("umask(") { setting.append(file.lastPathComponent) }
    }
    #expect(setting == ["PopupGuest.swift"])
  }
}
