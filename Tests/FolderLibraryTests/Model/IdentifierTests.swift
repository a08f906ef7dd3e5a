import AssetLibrary
import Fixtures
import FolderLibrary
import SystemPackage
import Testing

@Suite struct IdentifierTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writePhoto("a.jpg")
    try folder.writePhoto("sub/b.jpg")
    try folder.writePhoto("sub/deep/c.jpg")
  }

  private func identifiers(_ names: Set<String>) -> Set<LocalIdentifier> {
    Set(folder.library().all().filter { names.contains($0.name) }.map(\.id))
  }

  @Test func `A file stands for itself`() throws {
    let found = try folder.library().identifiers(at: folder.filePath(of: "sub/b.jpg"))
    #expect(found == identifiers(["b.jpg"]))
    #expect(found.count == 1)
  }

  @Test func `A folder stands for all below it`() throws {
    let found = try folder.library().identifiers(at: folder.filePath(of: "sub"))
    #expect(found == identifiers(["b.jpg", "c.jpg"]))
    #expect(found.count == 2)
  }

  @Test func `What is no picture stands for nothing, what is not there is an error`() throws {
    try folder.write(Array("text".utf8), to: "letter.txt")
    #expect(try folder.library().identifiers(at: folder.filePath(of: "letter.txt")).isEmpty)
    let gone = folder.filePath(of: "gone")
    #expect(throws: AssetError(gone.string, "No such file or directory")) {
      try folder.library().identifiers(at: gone)
    }
  }

  @Test func `Another way to the same file is the same asset`() throws {
    let roundabout = FilePath("\(folder.path)/sub/../sub/./b.jpg")
    #expect(try folder.library().identifiers(at: roundabout) == identifiers(["b.jpg"]))
  }

  @Test func `A link in a linked folder is the same asset by every way`() throws {
    try folder.link("sub/link.jpg", to: "../a.jpg")
    try folder.link("way", to: "sub")
    let direct = try folder.library().identifiers(at: folder.filePath(of: "sub/link.jpg"))
    #expect(try folder.library().identifiers(at: folder.filePath(of: "way/link.jpg")) == direct)
    #expect(direct != identifiers(["a.jpg"]))
  }

  @Test func `A new name or folder keeps the identifier`() throws {
    let before = identifiers(["a.jpg"])
    try folder.rename("a.jpg", to: "renamed.jpg")
    #expect(identifiers(["renamed.jpg"]) == before)
    try folder.rename("renamed.jpg", to: "sub/moved.jpg")
    #expect(identifiers(["moved.jpg"]) == before)
  }
}
