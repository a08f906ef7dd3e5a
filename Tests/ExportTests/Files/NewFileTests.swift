import AssetLibrary
import CFileCloning
import Fixtures
import SystemPackage
import Testing

@testable import Export

#if canImport(Glibc)
  import Glibc
#endif

/// Bytes of resources, whole or not at all.
@Suite struct NewFileTests {
  @Test func `Data come in order, in chunks of bounded size`() throws {
    var (bytes, largest, told): ([UInt8], Int, Int) = ([], 0, 0)
    let asset = ScriptedStore.asset(("a.jpg", 3_500_000))
    try AssetResourceManager(ScriptedStore()).requestData(for: asset.resources[0], progress: { told += $0 }) {
      bytes += $0
      largest = max(largest, $0.count)
    }
    #expect(bytes == (0..<3_500_000).map { UInt8(truncatingIfNeeded: $0) })
    #expect(largest <= 1 << 20 && told == 3_500_000)
  }

  @Test func `Whoever receives can end it`() throws {
    let asset = ScriptedStore.asset(("a.jpg", 3_500_000))
    var count = 0
    #expect(throws: AssetError("a.jpg", "enough")) {
      try AssetResourceManager(ScriptedStore()).requestData(for: asset.resources[0]) { _ throws(AssetError) in
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
  func `What C would cut, or take for a folder, is no name`(name: String) throws {
    let folder = try TemporaryFolder()
    let target = try TargetFolder(FilePath(folder.path))
    let resource = ScriptedStore.asset(("a.jpg", 5)).resources[0]
    #expect(throws: AssetError.self) {
      try AssetResourceManager(ScriptedStore()).writeData(for: resource, to: Array(name.utf8), in: target)
    }
    #expect(access("\(folder.path)/x", F_OK) != 0)
  }

  @Test func `A hidden file gets its name once, and never another's`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "from")
    try folder.write([2], to: "taken")
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    #expect(file_rename_new(descriptor, "from", descriptor, "taken") == -1 && errno == EEXIST)
    #expect(file_rename_new(descriptor, "from", descriptor, "to") == 0)
    #expect(access("\(folder.path)/to", F_OK) == 0 && access("\(folder.path)/from", F_OK) != 0)
  }
}
