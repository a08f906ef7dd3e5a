import Dispatch
import Fixtures
import Foundation
import GRDB
import SystemPackage
import Synchronization
import TestScheduling
import Testing

@testable import FolderLibrary

/// Index and ledger while several libraries have them open.
@Suite(.onOwnThreads) struct SharedStorageTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func openAtOnce(_ count: Int, _ place: FilePath) -> [String] {
    let notes = Mutex<[String]>([])
    let ends = DispatchGroup()
    // Separate threads, because a queue would have only as many as there are cores.
    for _ in 1...count {
      ends.enter()
      Thread.detachNewThread {
        let storage = LibraryStorage(LibraryLocations(cache: place, data: place))
        storage.setCompleted(Array("/somewhere".utf8))
        storage.flush()
        notes.withLock { $0 += storage.notes }
        ends.leave()
      }
    }
    ends.wait()
    return notes.withLock { $0 }
  }

  @Test func `Eight processes that open a new index and ledger at once create them once, without an issue`()
    throws
  {
    for round in 1...20 {
      let place = folder.filePath(of: "\(round)/tpick")
      #expect(openAtOnce(8, place) == [])
      let storage = LibraryStorage(LibraryLocations(cache: place, data: place))
      #expect(storage.wasCompleted(Array("/somewhere".utf8)))
    }
  }

  @Test func `A damaged ledger is set aside once, however many find it`() throws {
    let damage = Array("no database at all, but long enough".utf8)
    for round in 1...20 {
      try folder.write(damage, to: "\(round)/library.sqlite")
      let notes = openAtOnce(8, folder.filePath(of: "\(round)"))
      #expect(notes.count == 1)
      #expect(try folder.bytes(of: "\(round)/library.sqlite.damaged") == damage)
      #expect(folder.filePath(of: "\(round)/library.sqlite.damaged-2").fileType == nil)
    }
  }

  /// How often this process has a file open.
  private func openCount(of path: FilePath) throws -> Int {
    let manager = FileManager.default
    return try manager.contentsOfDirectory(atPath: "/proc/self/fd")
      .filter { (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path.string }.count
  }

  @Test func `Opening a damaged ledger waits for a process that is replacing it, and then retries`() throws {
    let path = folder.filePath(of: "library.sqlite")
    LibraryLedger(at: folder.filePath(of: "good.sqlite"), notes: StorageNotes()).write(
      [], completed: [Array("/somewhere".utf8)])
    try folder.write(Array("no database at all, but long enough".utf8), to: "library.sqlite")
    let notes = StorageNotes()
    let found = Mutex<Bool?>(nil)
    let end = DispatchGroup()
    end.enter()
    try DatabaseLock.hold(path) {
      Thread.detachNewThread {
        let ledger = LibraryLedger(at: path, notes: notes)
        found.withLock { $0 = ledger.wasCompleted(Array("/somewhere".utf8)) }
        end.leave()
      }
      // The thread waits for the lock unless it has passed it already.
      let lock = FilePath(path.string + ".lock")
      let isWaiting = try eventually { try openCount(of: lock) == 2 || found.withLock { $0 != nil } }
      #expect(isWaiting)
      for suffix in ["", "-wal", "-shm"] {
        try? folder.rename("good.sqlite\(suffix)", to: "library.sqlite\(suffix)")
      }
    }
    end.wait()
    #expect(found.withLock { $0 } == true)
    #expect(notes.all.isEmpty)
    #expect(folder.filePath(of: "library.sqlite.damaged").fileType == nil)
  }

  @Test func `A damaged index that was recreated meanwhile is kept`() throws {
    let path = folder.filePath(of: "index.sqlite")
    let first = try LibraryIndex.open(path)
    let second = try LibraryIndex.open(path)
    // Both find the same damage, one after the other.
    first.removeFile()
    let new = try LibraryIndex.open(path)
    try new.write { try $0.execute(sql: "INSERT INTO folder VALUES (x'2F', 0, x'00')") }
    second.removeFile()
    let count = try LibraryIndex.open(path).queue.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM folder")
    }
    #expect(count == 1)
  }

  @Test func `Stored files are inaccessible to other users, also if they were accessible before`() throws {
    try folder.makeFolder("open")
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
      try folder.write([], to: "open/\(name)")
      try folder.setPermissions(0o644, of: "open/\(name)")
    }
    for name in ["new", "open"] {
      let database = try LibraryIndex.open(folder.filePath(of: "\(name)/index.sqlite"))
      try database.write { try $0.execute(sql: "INSERT INTO folder VALUES (x'2F', 0, x'00')") }
      #expect(try folder.filePath(of: name).stat().permissions == [.ownerReadWriteExecute])
      for file in LibraryDatabase.files(of: folder.filePath(of: "\(name)/index.sqlite")) {
        #expect(try FilePath(file).stat().permissions == [.ownerReadWrite])
      }
    }
  }
}
