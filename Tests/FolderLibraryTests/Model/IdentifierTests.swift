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

  @Test func `A file path yields its asset`() throws {
    let found = try folder.library().identifiers(at: folder.filePath(of: "sub/b.jpg"))
    #expect(found == identifiers(["b.jpg"]))
    #expect(found.count == 1)
  }

  @Test func `A folder path yields all assets below it`() throws {
    let found = try folder.library().identifiers(at: folder.filePath(of: "sub"))
    #expect(found == identifiers(["b.jpg", "c.jpg"]))
    #expect(found.count == 2)
  }

  @Test func `A file that is no picture yields nothing, a missing one an error`() throws {
    try folder.write(Array("text".utf8), to: "letter.txt")
    #expect(try folder.library().identifiers(at: folder.filePath(of: "letter.txt")).isEmpty)
    let gone = folder.filePath(of: "gone")
    #expect(throws: AssetError(gone.string, "No such file or directory", code: .notFound)) {
      try folder.library().identifiers(at: gone)
    }
  }

  @Test func `A second path to a file yields the same asset`() throws {
    let roundabout = FilePath("\(folder.path)/sub/../sub/./b.jpg")
    #expect(try folder.library().identifiers(at: roundabout) == identifiers(["b.jpg"]))
  }

  @Test func `Many paths are looked up in one call, each with its own result`() throws {
    let library = folder.library()
    let paths = ["a.jpg", "gone", "sub", "sub/b.jpg", "."].map { folder.filePath(of: $0) }
    let answers = library.identifiers(at: paths)
    #expect(answers[0] == .success(identifiers(["a.jpg"])))
    #expect(answers[1] == .failure(AssetError(paths[1].string, "No such file or directory", code: .notFound)))
    #expect(answers[2] == .success(identifiers(["b.jpg", "c.jpg"])))
    #expect(answers[3] == .success(identifiers(["b.jpg"])))
    #expect(answers[4] == .success(identifiers(["a.jpg", "b.jpg", "c.jpg"])))
  }

  // Takes seconds: with a few files, quadratic time is fast as well.
  @Test func `Looking up many paths takes linear time`() throws {
    func time(_ count: Int) throws -> Duration {
      let photos = try TemporaryFolder()
      let photo = try TestPhoto(width: 8, height: 8).bytes()
      for number in 0..<count { try photos.write(photo, to: "\(number).jpg") }
      let paths = (0..<count).map { photos.filePath(of: "\($0).jpg") }
      let library = photos.library()
      return (0..<3).map { _ in
        ProcessorTime.ofThread {
          #expect(library.identifiers(at: paths).allSatisfy { (try? $0.get().count) == 1 })
        }
      }.min() ?? .zero
    }
    let (few, many) = (try time(100), try time(2000))
    #expect(many < few * 80, "\(few) for 100, \(many) for 2,000")
  }

  @Test func `A link in a linked folder yields the same asset by every path`() throws {
    try folder.link("sub/link.jpg", to: "../a.jpg")
    try folder.link("way", to: "sub")
    let direct = try folder.library().identifiers(at: folder.filePath(of: "sub/link.jpg"))
    #expect(try folder.library().identifiers(at: folder.filePath(of: "way/link.jpg")) == direct)
    #expect(direct != identifiers(["a.jpg"]))
  }

  @Test func `Renaming or moving a file keeps its identifier`() throws {
    let before = identifiers(["a.jpg"])
    try folder.rename("a.jpg", to: "renamed.jpg")
    #expect(identifiers(["renamed.jpg"]) == before)
    try folder.rename("renamed.jpg", to: "sub/moved.jpg")
    #expect(identifiers(["moved.jpg"]) == before)
  }
}
