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

  @Test func `Hidden photos and all pictures of a burst are reported`() throws {
    for number in 1...2 { try photos.writePhoto("trip/20231207_101605_00\(number).jpg", day: 9) }
    let store = library.open()
    let four = try #require(store.all().first { $0.nameBytes.elementsEqual("4.jpg".utf8) })
    try store.perform([.setHidden(four.id, true)])
    // Three photos, and the burst.
    #expect(store.assets(in: nil, options: FetchOptions()).count == 4)
    let names = (1...4).map { "\($0).jpg" } + (1...2).map { "20231207_101605_00\($0).jpg" }
    #expect(try changes(since: nil).words == Set(names.map { "inserted \($0)" }))
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

  @Test
  func
    `What comes into an empty library is reported, and a source that becomes empty is taken for a missing disk`()
    throws
  {
    let disk = photos.filePath(of: "disk")
    try photos.makeFolder("disk")
    let start = try changes(since: nil, in: library.open([disk]))
    #expect(start.words == [])
    try photos.writePhoto("disk/1.jpg", day: 1)
    let next = try changes(since: start.token, in: library.open([disk]))
    #expect(next.words == ["inserted 1.jpg"])
    try photos.rename("disk", to: "elsewhere")
    try photos.makeFolder("disk")
    let error = #expect(throws: PersistentChangeError.self) {
      try changes(since: next.token, in: library.open([disk]))
    }
    guard case .incomplete(let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.subject == disk.string)
    // A folder with anything in it is no empty mount point.
    try photos.write([1], to: "disk/notes.txt")
    #expect(try changes(since: next.token, in: library.open([disk])).words == ["deleted 1.jpg"])
  }

  @Test func `A library is the same however its folder is spelled, and paths are printed as it is spelled`()
    throws
  {
    try FileManager.default.createSymbolicLink(
      atPath: "\(photos.path)/link", withDestinationPath: "\(photos.path)/trip")
    let direct = photos.filePath(of: "trip")
    let start = try changes(since: nil, in: library.open([direct])).token
    for path in [
      photos.filePath(of: "link"), photos.filePath(of: "trip/../trip"), photos.filePath(of: "trip/"),
    ] {
      #expect(try changes(since: start, in: library.open([path])).words == [])
    }
    photos.remove("trip/1.jpg")
    try photos.rename("trip/2.jpg", to: "trip/new.jpg")
    let link = photos.filePath(of: "link")
    let answer = try library.open([link]).persistentChanges(since: start).changes
    #expect(
      Set(answer.map(\.path)) == [link.appending("1.jpg"), link.appending("new.jpg")])
    #expect(answer.compactMap(\.previousPath) == [link.appending("2.jpg")])
  }

  @Test func `A store that stays open reports the marks and albums that other processes stored`() throws {
    let open = library.open()
    let start = try changes(since: nil, in: open).token
    let other = library.open()
    let photo = try #require(other.all().first { $0.nameBytes.elementsEqual("3.jpg".utf8) })
    try other.perform([.setFavorite(photo.id, true), .createAlbum(UserAlbum.newIdentifier(), title: "Sea")])
    #expect(try changes(since: start, in: open).words == ["updated 3.jpg", "inserted album"])
    #expect(open.userAlbums.all.map(\.title) == ["Sea"])
    #expect(try changes(since: start, in: library.open()).words == ["updated 3.jpg", "inserted album"])
  }

  /// A history of made-up entries, and one comparison of it.
  private func compare(
    _ names: [String: UInt64], since token: PersistentChangeToken? = nil, uncertain: [String] = [],
    capacity: Int = 5
  ) throws -> PersistentChanges {
    let history = try LibraryHistory(
      at: FilePath(library.history), sources: [Array("/p".utf8)], capacity: capacity)
    return try history.changes(since: token) {
      LibraryHistory.Look(
        entries: Dictionary(
          uniqueKeysWithValues: names.map { name, fingerprint in
            (LocalIdentifier(name), HistoryEntry(path: FilePath("/p/\(name)"), fingerprint: fingerprint))
          }), uncertain: uncertain.map { Array($0.utf8) })
    }
  }

  @Test func `The history is bounded, and never answers with a part of what differs`() throws {
    _ = library.open()
    let start = try compare(["a": 1, "b": 1]).token
    let second = try compare(["a": 2, "b": 2], since: start)
    #expect(second.changes.count == 2)
    let third = try compare(["a": 3, "b": 3], since: start)
    #expect(third.changes.count == 2)
    // With these there are six differences, and room for five.
    #expect(throws: PersistentChangeError.tokenExpired) { try compare(["a": 4, "b": 4], since: start) }
    #expect(try compare(["a": 4, "b": 4], since: second.token).changes.count == 2)
    #expect(try compare(["a": 4, "b": 4, "c": 1], since: third.token).changes.count == 3)
    // More at once than there is room for.
    let many = Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0)", UInt64(1)) })
    #expect(throws: PersistentChangeError.tokenExpired) { try compare(many, since: third.token) }
    let all = try compare(many)
    #expect(all.changes.count == 9)
    #expect(try compare(many, since: all.token).changes.isEmpty)
  }

  @Test func `What is missing below a folder with read errors is not reported as deleted`() throws {
    _ = library.open()
    let start = try compare(["x/a": 1, "y/b": 1]).token
    let during = try compare([:], since: start, uncertain: ["/p/x"])
    #expect(during.changes.map { "\($0.kind) \($0.identifier)" } == ["deleted y/b"])
    #expect(try compare(["x/a": 1], since: during.token).changes.isEmpty)
    #expect(try compare([:], since: during.token).changes.map(\.kind) == [.deleted])
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
    let answers = try await withThrowingTaskGroup(of: [PersistentChange].self) { group in
      for store in stores { group.addTask { try store.persistentChanges(since: start).changes } }
      return try await group.reduce(into: Set<[PersistentChange]>()) { $0.insert($1) }
    }
    #expect(answers.count == 1)
    #expect(answers.first?.map(\.kind) == [.inserted])
  }
}
