import Dispatch
import Fixtures
import FoundationEssentials
import GRDB
import SystemPackage
import Synchronization
import Testing

@testable import FolderLibrary

/// Index and ledger as several have them open at once.
@Suite struct SharedStorageTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func openAtOnce(_ count: Int, _ place: FilePath) -> [String] {
    let notes = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      let storage = LibraryStorage(LibraryLocations(cache: place, data: place))
      storage.setCompleted(Array("/somewhere".utf8))
      storage.flush()
      notes.withLock { $0 += storage.notes }
    }
    return notes.withLock { $0 }
  }

  @Test func `Opened by eight at once a new index and ledger are made once, without a word`() throws {
    for round in 1...20 {
      let place = folder.filePath(of: "\(round)/tpick")
      #expect(openAtOnce(8, place) == [])
      let storage = LibraryStorage(LibraryLocations(cache: place, data: place))
      #expect(storage.wasCompleted(Array("/somewhere".utf8)))
    }
  }

  @Test func `A damaged ledger is put aside once, however many find it`() throws {
    let damage = Array("no database at all, but long enough".utf8)
    for round in 1...20 {
      try folder.write(damage, to: "\(round)/library.sqlite")
      let notes = openAtOnce(8, folder.filePath(of: "\(round)"))
      #expect(notes.count == 1)
      #expect(try folder.bytes(of: "\(round)/library.sqlite.damaged") == damage)
      #expect(folder.filePath(of: "\(round)/library.sqlite.damaged-2").fileType == nil)
    }
  }

  @Test func `A damaged index that was made anew meanwhile stays`() throws {
    let path = folder.filePath(of: "index.sqlite")
    let first = try LibraryIndex.open(path)
    let second = try LibraryIndex.open(path)
    // Both find the same damage, one after the other.
    first.removeFile()
    let new = try LibraryIndex.open(path)
    try new.write { try $0.execute(sql: "INSERT INTO folder VALUES (x'2F', x'00')") }
    second.removeFile()
    let count = try LibraryIndex.open(path).queue.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM folder")
    }
    #expect(count == 1)
  }

  @Test func `What is kept is closed to others, also where it was open before`() throws {
    try folder.makeFolder("open")
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
      try folder.write([], to: "open/\(name)")
      try folder.setPermissions(0o644, of: "open/\(name)")
    }
    for name in ["new", "open"] {
      let database = try LibraryIndex.open(folder.filePath(of: "\(name)/index.sqlite"))
      try database.write { try $0.execute(sql: "INSERT INTO folder VALUES (x'2F', x'00')") }
      #expect(try folder.filePath(of: name).stat().permissions == [.ownerReadWriteExecute])
      for file in LibraryDatabase.files(of: folder.filePath(of: "\(name)/index.sqlite")) {
        #expect(try FilePath(file).stat().permissions == [.ownerReadWrite])
      }
    }
  }
}
