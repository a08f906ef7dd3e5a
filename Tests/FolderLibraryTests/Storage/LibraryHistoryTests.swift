import AssetLibrary
import Fixtures
import FoundationEssentials
import Glibc
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// Changes in folders between two runs.
@Suite(.onOwnThreads) struct LibraryHistoryTests {
  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    for number in 1...4 { try photos.writePhoto("trip/\(number).jpg", day: number) }
  }

  /// Returns the changes since a token in a new run, as kinds with file names, and the next token.
  private func changes(
    since token: PersistentChangeToken?, in store: FolderAssetStore? = nil
  ) throws -> (words: Set<String>, token: PersistentChangeToken) {
    let answer = try (store ?? library.open()).persistentChanges(since: token)
    let words = answer.changes.map { change in
      "\(change.kind.rawValue) \(change.path?.lastComponent?.string ?? "album")"
    }
    #expect(Set(words).count == words.count)
    return (Set(words), answer.token)
  }

  @Test func `Later runs report new, changed, moved and deleted files, marks and albums`() throws {
    let start = try changes(since: nil)
    #expect(start.words == ["inserted 1.jpg", "inserted 2.jpg", "inserted 3.jpg", "inserted 4.jpg"])
    #expect(try changes(since: start.token).words == [])
    try photos.writePhoto("trip/5.jpg", day: 5)
    try photos.writePhoto("trip/1.jpg", day: 9)
    try photos.makeFolder("away")
    try photos.move("trip/2.jpg", to: photos, as: "away/2.jpg")
    photos.remove("trip/3.jpg")
    let store = library.open()
    let four = try #require(store.all().first { $0.nameBytes.elementsEqual("4.jpg".utf8) })
    try store.perform([
      .setFavorite(four.id, true), .createAlbum(UserAlbum.newIdentifier(), title: "Sea"),
    ])
    let all: Set = [
      "inserted 5.jpg", "updated 1.jpg", "moved 2.jpg", "deleted 3.jpg", "updated 4.jpg", "inserted album",
    ]
    let now = try changes(since: start.token)
    #expect(now.words == all)
    #expect(try changes(since: now.token).words == [])
    // The old token stays valid, even without the index.
    library.clearCache()
    #expect(try changes(since: start.token).words == all)
  }

  @Test func `A moved photo is reported with its old and new path`() throws {
    let start = try changes(since: nil).token
    try photos.rename("trip", to: "journey")
    let moved = try library.open().persistentChanges(since: start).changes
    #expect(moved.map(\.kind) == Array(repeating: .moved, count: 4))
    for change in moved {
      let name = change.path?.lastComponent?.string ?? ""
      #expect(change.path == photos.filePath(of: "journey/\(name)"))
      #expect(change.previousPath == photos.filePath(of: "trip/\(name)"))
    }
  }

  @Test func `Each set of sources has its own history, regardless of their order`() throws {
    try photos.writePhoto("other/6.jpg", day: 6)
    let (trip, other) = (photos.filePath(of: "trip"), photos.filePath(of: "other"))
    let both = try changes(since: nil, in: library.open([trip, other])).token
    let one = try changes(since: nil, in: library.open([trip])).token
    #expect(try changes(since: both, in: library.open([other, trip])).words == [])
    for sources in [[trip], [photos.filePath]] {
      #expect(throws: PersistentChangeError.otherLibrary) {
        try changes(since: both, in: library.open(sources))
      }
    }
    photos.remove("trip/1.jpg")
    #expect(try changes(since: one, in: library.open([trip])).words == ["deleted 1.jpg"])
    // With more than 32 libraries, the least recently used history is removed.
    for number in 1...31 {
      try photos.makeFolder("f\(number)")
      _ = try changes(since: nil, in: library.open([photos.filePath(of: "f\(number)")]))
    }
    #expect(throws: PersistentChangeError.tokenExpired) {
      try changes(since: both, in: library.open([trip, other]))
    }
    #expect(try changes(since: one, in: library.open([trip])).words == ["deleted 1.jpg"])
  }

  @Test func `While a source can't be read, its photos are not reported as deleted`() throws {
    let sources = [photos.filePath(of: "trip"), photos.filePath(of: "disk")]
    try photos.writePhoto("disk/7.jpg", day: 7)
    let start = try changes(since: nil, in: library.open(sources)).token
    try photos.rename("disk", to: "elsewhere")
    let error = #expect(throws: PersistentChangeError.self) {
      try changes(since: start, in: library.open(sources))
    }
    guard case .incomplete = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try photos.rename("elsewhere", to: "disk")
    #expect(try changes(since: start, in: library.open(sources)).words == [])
  }

  @Test func `A damaged or lost history is recreated, and its tokens expire`() throws {
    let start = try changes(since: nil).token
    try photos.write(Array("no database at all, but some words".utf8), to: "words")
    try FileManager.default.removeItem(atPath: library.history)
    try FileManager.default.moveItem(atPath: "\(photos.path)/words", toPath: library.history)
    #expect(throws: PersistentChangeError.tokenExpired) { try changes(since: start) }
    let next = try changes(since: nil).token
    #expect(try changes(since: next).words == [])
  }

  @Test func `Eight concurrent requests get the same answer`() async throws {
    let start = try changes(since: nil).token
    try photos.writePhoto("trip/8.jpg", day: 8)
    let stores = (1...8).map { _ in library.open() }
    let answers = try await withThrowingTaskGroup(of: PersistentChanges.self) { group in
      for store in stores { group.addTask { try store.persistentChanges(since: start) } }
      return try await group.reduce(into: Set<PersistentChanges>()) { $0.insert($1) }
    }
    #expect(answers.count == 1)
    #expect(answers.first?.changes.map(\.kind) == [.inserted])
  }
}
