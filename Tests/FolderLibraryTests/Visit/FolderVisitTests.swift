import AssetLibrary
import Fixtures
import SystemPackage
import Testing

@testable import FolderLibrary

/// A second visit to a folder that is known completely.
@Suite struct FolderVisitTests {
  private let photos: TemporaryFolder
  private let model = LibraryModel()
  private let scan: LibraryScan

  init() throws {
    photos = try TemporaryFolder()
    scan = LibraryScan(model: model, storage: nil, watch: nil, helper: nil)
  }

  private func read() throws -> Int {
    scan.run(LibrarySources([photos.filePath]))
    return try #require(model.read { $0.folders.index(of: photos.filePath.resolved?.bytes ?? []) })
  }

  private func day(of name: String) -> Int? {
    let assets = model.table.assets(in: nil, options: FetchOptions())
    let seconds = assets.first { $0.name == name }.map { $0.creationDate.wallSeconds }
    return seconds.map { Int($0 / 86_400) }
  }

  @Test func `A file that replaced another is read, even if size and time are equal`() throws {
    try photos.writePhoto("a.jpg", day: 1)
    try photos.setModificationTime(1_700_000_000, of: "a.jpg")
    let folder = try read()
    let before = try #require(day(of: "a.jpg"))
    try photos.writePhoto("draft", day: 2)
    #expect(try photos.bytes(of: "draft").count == photos.bytes(of: "a.jpg").count)
    try photos.setModificationTime(1_700_000_000, of: "draft")
    try photos.rename("draft", to: "a.jpg")
    scan.revisit([folder])
    #expect(day(of: "a.jpg") == before + 1)
  }

  @Test func `The first-seen date of a removed file is remembered`() throws {
    try photos.writePhoto("a.jpg", day: 1)
    let folder = try read()
    let assets = model.table.assets(in: nil, options: FetchOptions())
    let (identifier, added) = try #require(assets.first.map { ($0.id.number, $0.addedDate.wallSeconds) })
    photos.remove("a.jpg")
    scan.revisit([folder])
    #expect(model.table.assets(in: nil, options: FetchOptions()).count == 0)
    #expect(model.read { $0.firstSeen(identifier ?? 0) } == added)
  }

  @Test func `A note is taken only once`() {
    for _ in 0..<2 { model.change { $0.note("something is wrong") } }
    #expect(model.status.notes == ["something is wrong"])
  }

  @Test func `A file that is no picture stays known when a file beside it changes`() throws {
    try photos.writePhoto("a.jpg", day: 1)
    try photos.write(Array("a letter".utf8), to: "letter.txt")
    try photos.write(Array("no picture".utf8), to: "0.txt")
    let folder = try read()
    let known = { model.read { $0.knownFiles(in: folder).map { String(decoding: $0.name, as: UTF8.self) } } }
    #expect(known() == ["0.txt", "a.jpg", "letter.txt"])
    try photos.rewritePhoto("a.jpg", day: 2)
    scan.revisit([folder])
    #expect(known() == ["0.txt", "a.jpg", "letter.txt"])
    photos.remove("0.txt")
    scan.revisit([folder])
    #expect(known() == ["a.jpg", "letter.txt"])
  }
}
